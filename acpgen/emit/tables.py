"""The tables beside the package: methods and gates, as Markdown and as JSON; what changed from surface to surface,
as a page besides.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from acpgen.emit import diff_tables
from acpgen.emit.templates import Templates
from acpgen.spec import show_methods
from acpgen.spec.ir import Spec

TABLES = "tables"

_JSON = {"methods": ("methods", "updates"), "gates": ("gates", "capabilities")}


def files(
    specs: Sequence[Spec], templates: Templates, context: Mapping[str, object]
) -> dict[str, str]:
    """Path in the output folder -> text. The Markdown of methods and gates comes from templates/tables/."""
    numbers = sorted({spec.version for spec in specs})
    versions = [
        {
            "number": number,
            **show_methods.everything([spec for spec in specs if spec.version == number]),
        }
        for number in numbers
    ]
    found = {
        name.removesuffix(".jinja"): templates.render(name, {**context, "versions": versions})
        for name in templates.names(TABLES)
    }
    everything = show_methods.everything(specs)
    for name, parts in _JSON.items():
        content = {part: everything[part] for part in parts}
        found[f"{TABLES}/{name}.json"] = json.dumps(content, indent=1, ensure_ascii=False) + "\n"
    return found | diff_tables.files(specs, templates, str(context["header"]), TABLES)
