# Part of acpgen's runtime, copied as it is. Do not edit.
"""Numbers as JSON has them: no coercion, and the bounds of their format."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias, get_args

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema
from pydantic_core import core_schema as cs


class Scalar:
    """A marker for `Annotated`: the pydantic-core schema of a scalar, stated once for every use."""

    __slots__ = ("schema",)

    def __init__(self, schema: CoreSchema) -> None:
        self.schema = schema

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        fresh: Any = dict(self.schema)
        schema: CoreSchema = fresh
        return schema


class Integer(Scalar):
    """An integer; booleans, text and fractions are refused. `above`, `below` exclude the bound."""

    __slots__ = ()

    def __init__(
        self,
        minimum: int | None = None,
        maximum: int | None = None,
        *,
        above: int | None = None,
        below: int | None = None,
        multiple_of: int | None = None,
    ) -> None:
        super().__init__(
            cs.int_schema(
                ge=minimum, le=maximum, gt=above, lt=below, multiple_of=multiple_of, strict=True
            )
        )


class Number(Scalar):
    """A finite number; booleans and text are refused. `above` and `below` exclude the bound."""

    __slots__ = ()

    def __init__(
        self,
        minimum: float | None = None,
        maximum: float | None = None,
        *,
        above: float | None = None,
        below: float | None = None,
        multiple_of: float | None = None,
    ) -> None:
        super().__init__(
            cs.float_schema(
                ge=minimum,
                le=maximum,
                gt=above,
                lt=below,
                multiple_of=multiple_of,
                allow_inf_nan=False,
                strict=True,
            )
        )


class Text(Scalar):
    """A string; the pattern is searched for, as in JSON Schema."""

    __slots__ = ()

    def __init__(
        self,
        min_length: int | None = None,
        max_length: int | None = None,
        pattern: str | None = None,
    ) -> None:
        super().__init__(
            cs.str_schema(
                min_length=min_length,
                max_length=max_length,
                pattern=pattern,
                regex_engine="python-re",
                strict=True,
            )
        )


class Constant:
    """A marker for `Literal` of other constants than strings: `true` is not 1, and 1.0 is not."""

    __slots__ = ()

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        kinds: list[CoreSchema] = []
        for kind, plain in (
            (bool, cs.bool_schema(strict=True)),
            (int, cs.int_schema(strict=True)),
            (str, cs.str_schema(strict=True)),
        ):
            values = [value for value in get_args(source) if type(value) is kind]
            if values:
                kinds.append(cs.chain_schema([plain, cs.literal_schema(values)]))
        return kinds[0] if len(kinds) == 1 else cs.union_schema([*kinds], mode="left_to_right")


Bool: TypeAlias = Annotated[bool, Scalar(cs.bool_schema(strict=True))]
Float: TypeAlias = Annotated[float, Number()]
Int: TypeAlias = Annotated[int, Integer()]
Int8: TypeAlias = Annotated[int, Integer(-(2**7), 2**7 - 1)]
Int16: TypeAlias = Annotated[int, Integer(-(2**15), 2**15 - 1)]
Int32: TypeAlias = Annotated[int, Integer(-(2**31), 2**31 - 1)]
Int64: TypeAlias = Annotated[int, Integer(-(2**63), 2**63 - 1)]
UInt8: TypeAlias = Annotated[int, Integer(0, 2**8 - 1)]
UInt16: TypeAlias = Annotated[int, Integer(0, 2**16 - 1)]
UInt32: TypeAlias = Annotated[int, Integer(0, 2**32 - 1)]
UInt64: TypeAlias = Annotated[int, Integer(0, 2**64 - 1)]
