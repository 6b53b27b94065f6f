# Part of acpgen's runtime, copied as it is. Do not edit.
"""The base of every generated class, and the four functions that go between Python and the wire.

Building goes by Python name and refuses unknown keywords and malformed values. Decoding goes by
wire name alone, keeps unknown fields, which encoding writes back, and repairs what the protocol
says may be repaired.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeVar, overload

from pydantic import BaseModel, ConfigDict, GetCoreSchemaHandler, ValidationError
from pydantic_core import (
    MISSING,
    CoreSchema,
    InitErrorDetails,
    PydanticCustomError,
    from_json,
    to_json,
    to_jsonable_python,
)

from .core import refuse_reserved, rewrite
from .errors import DecodeError
from .wire import Wire

if TYPE_CHECKING:
    from typing_extensions import TypeForm

T = TypeVar("T")

_REWRITTEN = "acp_rewritten"


class WireModel(BaseModel):
    """An object of the protocol.

    `model_validate` and `model_dump` speak the wire format too. Fields that the class does not know
    are in `model_extra`.
    """

    model_config = ConfigDict(
        extra="allow", defer_build=True, protected_namespaces=(), serialize_by_alias=True
    )
    __wire__: ClassVar[Wire] = Wire()

    def __init__(self, /, **data: Any) -> None:
        """Build from Python names. Raises pydantic's ValidationError for an unknown keyword or a
        malformed value.
        """
        __tracebackhide__ = True
        wire = self.__wire__
        if wire.tags:
            data = {**wire.tags, **data}
        if wire.not_null:
            for name in wire.not_null:
                if name in data and data[name] is None:
                    del data[name]
        self._build(data, "forbid")

    def _build(self, data: dict[str, Any], extra: Any) -> None:
        __tracebackhide__ = True
        try:
            self.__pydantic_validator__.validate_python(
                data, self_instance=self, extra=extra, by_alias=False, by_name=True
            )
        except ValidationError as error:
            raise _refusal(type(self), [*_details(error), *_repaired(type(self), data)]) from None
        repaired = self.__wire__.repaired
        if repaired and not repaired.isdisjoint(data):
            _refuse_repairs(self, data)
        if self.__pydantic_extra__ is None:  # as it is after decoding
            object.__setattr__(self, "__pydantic_extra__", {})

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        schema: Any = handler(source)
        if schema["type"] == "model" and schema["schema"]["type"] == "model-fields":
            metadata = schema.setdefault("metadata", {})
            if not metadata.get(_REWRITTEN):
                metadata[_REWRITTEN] = True
                cls._rewrite_schema(schema)
        result: CoreSchema = schema
        return result

    @classmethod
    def _rewrite_schema(cls, schema: dict[str, Any]) -> None:
        rewrite(cls.__wire__, schema)


class CatchAllModel(WireModel):
    """A variant that the protocol does not name; its payload is in `model_extra`, by wire name.

    Building one takes the payload as keywords and needs a tag that begins with an underscore. A
    class that exists only so that a newer peer can be read (`__received_only__`) is decoded, never
    built.
    """

    __tag__: ClassVar[str]
    __reserved__: ClassVar[frozenset[str]]
    __received_only__: ClassVar[bool] = False

    def __init__(self, /, **data: Any) -> None:
        __tracebackhide__ = True
        name = type(self).__name__
        if self.__received_only__:
            raise TypeError(
                f"{name} stands for what a newer peer sends; it is only received, never built"
            )
        tag = data.get(self.__tag__)
        if isinstance(tag, str) and not tag.startswith("_"):
            raise ValueError(
                f"{name}: {self.__tag__}={tag!r} must begin with an underscore; "
                "other names belong to the protocol"
            )
        wire, fields = self.__wire__, type(self).model_fields
        for field in fields:
            if wire.of(field) in data and wire.of(field) not in fields:
                raise TypeError(
                    f"{name}: {wire.of(field)} is the wire name of {field}; say {field}="
                )
        data = {**wire.tags, **data}
        for field in wire.not_null:
            if data.get(field, MISSING) is None:
                del data[field]
        self._build(data, "allow")

    @property
    def is_custom(self) -> bool:
        """The tag begins with an underscore: an extension, not a variant of a newer version of the
        protocol.
        """
        return str(getattr(self, self.__tag__)).startswith("_")

    @classmethod
    def _rewrite_schema(cls, schema: dict[str, Any]) -> None:
        super()._rewrite_schema(schema)
        refuse_reserved(schema, cls.__tag__, cls.__reserved__)


def _refuse_repairs(model: WireModel, data: dict[str, Any]) -> None:
    """Repairs are for readers: a value that was repaired while building is checked again, by its
    annotation alone.
    """
    state = model.__dict__
    changed = {
        name: data[name]
        for name in model.__wire__.repaired
        if name in data and state[name] is not data[name] and state[name] != data[name]
    }
    if changed and (found := _repaired(type(model), changed)):
        raise _refusal(type(model), found)


def _repaired(model: type[WireModel], data: dict[str, Any]) -> list[InitErrorDetails]:
    """What is wrong with the values of fields that a reader would repair."""
    found: list[InitErrorDetails] = []
    for name in sorted(model.__wire__.repaired & data.keys()):
        try:
            _field_adapter(model, name).validate_python(
                data[name], by_alias=False, by_name=True, extra="forbid"
            )
        except ValidationError as error:
            found += _details(error, name)
    return found


def _details(error: ValidationError, *place: str) -> list[InitErrorDetails]:
    told: list[Any] = error.errors(include_url=False)
    return [
        {
            "type": PydanticCustomError(item["type"], item["msg"].replace("{", "{{")),
            "loc": (*place, *item["loc"]),
            "input": item["input"],
        }
        for item in told
    ]


def _refusal(model: type[WireModel], details: list[InitErrorDetails]) -> ValidationError:
    """One error for everything that is wrong with what a class was to be built from."""
    return ValidationError.from_exception_data(model.__name__, details)


@functools.lru_cache(maxsize=256)
def _field_adapter(class_: type[WireModel], name: str) -> Any:
    from pydantic import TypeAdapter

    field = class_.model_fields[name]
    type_: Any = field.annotation
    for marker in field.metadata:
        type_ = Annotated[type_, marker]
    return TypeAdapter(type_)


@functools.lru_cache(maxsize=1024)
def _adapter(type_: Any) -> Any:
    from pydantic import TypeAdapter

    return TypeAdapter(type_)


@overload
def decode(type_: type[T], value: object) -> T: ...
@overload
def decode(type_: TypeForm[T], value: object) -> T: ...
def decode(type_: Any, value: object) -> Any:
    """Read a JSON value (as Python objects) as a class, an alias or any other type.

    Goes by wire name alone, keeps unknown fields, and repairs what the protocol says may be
    repaired. Raises DecodeError.
    """
    validator = getattr(type_, "__pydantic_validator__", None) or _adapter(type_).validator
    try:
        return validator.validate_python(value)
    except ValidationError as error:
        raise DecodeError.of(error, _core_schema(type_), value) from None


@overload
def decode_json(type_: type[T], data: bytes | str) -> T: ...
@overload
def decode_json(type_: TypeForm[T], data: bytes | str) -> T: ...
def decode_json(type_: Any, data: bytes | str) -> Any:
    """Read JSON text as a class, an alias or any other type. Raises DecodeError, for text that is
    not JSON too.
    """
    try:
        value = from_json(data, allow_inf_nan=False, cache_strings="keys")
    except ValueError as error:
        raise DecodeError([("", str(error), "json_invalid")]) from None
    return decode(type_, value)


def encode(value: object) -> Any:
    """The JSON value (as Python objects) that a value is on the wire."""
    if isinstance(value, BaseModel):
        return value.__pydantic_serializer__.to_python(value, mode="json", by_alias=True)
    return to_jsonable_python(value, by_alias=True)


def encode_json(value: object) -> bytes:
    """The JSON text that a value is on the wire, in one line, as UTF-8."""
    if isinstance(value, BaseModel):
        return value.__pydantic_serializer__.to_json(value, by_alias=True)
    return to_json(value, by_alias=True)


def _core_schema(type_: Any) -> Any:
    return getattr(type_, "__pydantic_core_schema__", None) or _adapter(type_).core_schema


__all__ = [
    "MISSING",
    "CatchAllModel",
    "DecodeError",
    "WireModel",
    "decode",
    "decode_json",
    "encode",
    "encode_json",
]
