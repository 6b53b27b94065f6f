"""The call of datamodel-code-generator: a schema and template data in, one module's text out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from acpgen.emit.normalise import RUNTIME
from acpgen.emit.templates import dcg_template_dir


def run(schema: Mapping[str, Any], data: Mapping[str, Any], templates: Sequence[Path] = ()) -> str:
    """The generator's one module for a normalised schema; `data` is `acp` in its templates, by
    class name.

    Raises ProblemError where one of the templates is faulty.
    """
    from datamodel_code_generator import generate
    from datamodel_code_generator.enums import DataModelType, InputFileType
    from datamodel_code_generator.format import PythonVersion

    extra: defaultdict[str, dict[str, Any]] = defaultdict(dict)
    for name, facts in data.items():
        extra[name] = {"acp": facts}
    with dcg_template_dir(templates) as folder:
        text = generate(
            dict(schema),
            input_file_type=InputFileType.JsonSchema,
            output_model_type=DataModelType.PydanticV2BaseModel,
            target_python_version=PythonVersion.PY_310,
            base_class=f"{RUNTIME}.WireModel",
            custom_template_dir=folder,
            extra_template_data=extra,
            custom_class_name_generator=str,
            formatters=[],
            use_type_alias=True,
            use_annotated=True,
            use_standard_collections=True,
            use_union_operator=True,
            use_exact_imports=True,
            disable_appending_item_suffix=True,
            disable_timestamp=True,
        )
    if not isinstance(text, str):
        raise TypeError(
            f"datamodel-code-generator made {type(text).__name__} where one module was expected"
        )
    return text
