"""What the templates of methods.py and capabilities.py get: a method table as source."""

from __future__ import annotations

from acpgen.emit.literals import source
from acpgen.spec.ir import Spec

_INDENT = 4


def context(spec: Spec) -> dict[str, object]:
    """`table`: source of each argument of `Table`, by name. `capabilities`: the same for
    `Capabilities`.
    """
    table = spec.table
    arguments = {
        "rows": table.rows,
        "updates": table.updates,
        "states": table.states,
        **({"elsewhere": table.elsewhere} if table.elsewhere else {}),
        **(
            {
                "update_method": table.update_method,
                "update_at": table.update_at,
                "update_tag": table.update_tag,
            }
            if table.update_method
            else {}
        ),
    }
    return {
        "table": {name: source(value, _INDENT) for name, value in arguments.items()},
        "capabilities": {
            "roots": source(table.roots, _INDENT),
            "kinds": source(
                {side: table.capabilities.get(side, {}) for side in ("agent", "client")}, _INDENT
            ),
        },
    }
