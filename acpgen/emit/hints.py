"""Type hints that datamodel-code-generator has no word for: strict scalars, bounded arrays."""

from __future__ import annotations

from acpgen.spec.ir import (
    AnyType,
    ArrayType,
    LiteralType,
    MapType,
    OptionsType,
    RefType,
    Scalar,
    Type,
)

# Bounds that have a name in runtime/scalars.py.
_INTEGERS: dict[tuple[int | float | None, int | float | None], str] = {
    (None, None): "Int",
    **{(-(2 ** (bits - 1)), 2 ** (bits - 1) - 1): f"Int{bits}" for bits in (8, 16, 32, 64)},
    **{(0, 2**bits - 1): f"UInt{bits}" for bits in (8, 16, 32, 64)},
}


def scalar(item: Scalar) -> str:
    """The hint of a scalar."""
    if item.kind == "null":
        return "None"
    if item.kind == "boolean":
        return "Bool"
    if item.kind == "string":
        if item.min_length is None and item.max_length is None and item.pattern is None:
            return "str"
        bounds = _arguments(item.min_length, item.max_length, pattern=item.pattern)
        return f"Annotated[str, Text({bounds})]"
    extra = {
        "above": item.exclusive_minimum,
        "below": item.exclusive_maximum,
        "multiple_of": item.multiple_of,
    }
    plain = all(value is None for value in extra.values())
    bounds = _arguments(item.minimum, item.maximum, **extra)
    if item.kind == "integer":
        if plain and (item.minimum, item.maximum) in _INTEGERS:
            return _INTEGERS[item.minimum, item.maximum]
        return f"Annotated[int, Integer({bounds})]"
    return f"Annotated[float, Number({bounds})]" if bounds else "Float"


def literal(item: LiteralType) -> str:
    """The hint of constants."""
    text = f"Literal[{', '.join(map(repr, item.values))}]"
    strings = all(isinstance(value, str) for value in item.values)
    return text if strings else f"Annotated[{text}, Constant()]"


def own_hint(item: Type) -> str | None:
    """Our hint of a type where the generator's would lose the bounds of an array, else None."""
    return hint(item) if _is_bounded(item) else None


def hint(item: Type) -> str:
    """The hint of a type, in full."""
    if isinstance(item, AnyType):
        return "Any"
    if isinstance(item, RefType):
        return str(item.name)
    if isinstance(item, LiteralType):
        return literal(item)
    if isinstance(item, ArrayType):
        text = f"list[{hint(item.items)}]"
        if item.min_items is None and item.max_items is None:
            return text
        return f"Annotated[{text}, Items({item.min_items!r}, {item.max_items!r})]"
    if isinstance(item, MapType):
        return f"dict[str, {hint(item.values)}]"
    if isinstance(item, OptionsType):
        return " | ".join(hint(option) for option in item.options)
    return scalar(item)


def _is_bounded(item: Type) -> bool:
    if isinstance(item, ArrayType):
        return item.min_items is not None or item.max_items is not None or _is_bounded(item.items)
    if isinstance(item, MapType):
        return _is_bounded(item.values)
    return isinstance(item, OptionsType) and any(map(_is_bounded, item.options))


def _arguments(low: int | float | None, high: int | float | None, **more: object) -> str:
    given = [repr(low)] if low is not None or high is not None else []
    if high is not None:
        given.append(repr(high))
    named = (f"{key}={value!r}" for key, value in more.items() if value is not None)
    return ", ".join([*given, *named])
