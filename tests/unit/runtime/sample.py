"""A few classes as acpgen writes them, by hand: every rule of the runtime once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from pydantic import ConfigDict, Field
from pydantic_core import MISSING

from acpgen.runtime.base import CatchAllModel, WireModel
from acpgen.runtime.scalars import Bool, Float, Int, Text, UInt32, UInt64
from acpgen.runtime.unions import Items, Tagged, Untagged
from acpgen.runtime.wire import Wire


class TextBlock(WireModel):
    __wire__ = Wire(tags={"block_type": "text"}, on_error=("meta",))

    block_type: Literal["text"] = "text"
    text: str
    meta: dict[str, Any] | None = None


class ImageBlock(WireModel):
    __wire__ = Wire(tags={"block_type": "image"}, not_null=("uri",), on_error=("size",))

    block_type: Literal["image"] = "image"
    data: str
    size: UInt32 | None = None
    uri: str | None = None


class OtherBlock(CatchAllModel):
    __tag__ = "block_type"
    __reserved__ = frozenset(["text", "image"])

    block_type: str

    if TYPE_CHECKING:

        def __init__(self, *, block_type: str, **payload: Any) -> None: ...


Block: TypeAlias = Annotated[
    TextBlock | ImageBlock | OtherBlock,
    Tagged("blockType", {"text": TextBlock, "image": ImageBlock}, other=OtherBlock),
]
ClosedBlock: TypeAlias = Annotated[
    TextBlock | ImageBlock, Tagged("blockType", {"text": TextBlock, "image": ImageBlock})
]


class UnknownBlock(CatchAllModel):
    __tag__ = "block_type"
    __reserved__ = frozenset(["text"])
    __received_only__ = True

    block_type: str


class HttpServer(WireModel):
    __wire__ = Wire(tags={"type": "http"})

    type: Literal["http"] = "http"
    url: str


class StdioServer(WireModel):
    command: str


Server: TypeAlias = Annotated[
    HttpServer | StdioServer, Tagged("type", {"http": HttpServer}, defaults=(StdioServer,))
]


class TextResource(WireModel):
    text: str
    uri: str


class BlobResource(WireModel):
    blob: str
    uri: str


Resource: TypeAlias = Annotated[TextResource | BlobResource, Untagged()]
OneResource: TypeAlias = Annotated[TextResource | BlobResource, Untagged(exclusive=True)]
Kind: TypeAlias = Annotated[Literal["read", "edit"] | str, Text()]


class Caps(WireModel):
    load_session: Bool = False


class Closed(WireModel):
    model_config = ConfigDict(extra="forbid")

    name: str


class Message(WireModel):
    __wire__ = Wire(
        names={"odd_name": "odd-name"},
        not_null=("strict",),
        on_error=("status", "title"),
        fallback={"blocks": [{"blockType": "text", "text": "?"}], "servers": []},
        skip_items=("entries", "blocks"),
        on_null=("tags", "servers"),
        omit_empty=("dirs",),
    )

    odd_name: str
    blocks: list[Block] = Field()
    servers: list[Server] = Field()
    title: str | None = None
    strict: str | None = None
    entries: list[Block] | None = None
    tags: list[str] = Field(default_factory=list[str])
    caps: Caps = Field(default_factory=Caps)
    dirs: list[str] = Field(default_factory=list[str])
    status: Kind | MISSING | None = MISSING
    count: UInt64 | None = None
    ratio: Float | None = None
    pair: Annotated[list[Int], Items(2, 2)] | None = None
    resource: Resource | None = None
    children: list[Message] | None = None
    either: str | list[Int] | None = None


class Tolerant(WireModel):
    """A required field with a fallback."""

    __wire__ = Wire(on_error=("blocks",), fallback={"blocks": [{"blockType": "text", "text": "?"}]})

    blocks: list[Block]


MINIMAL: dict[str, Any] = {"odd-name": "x", "blocks": [], "servers": []}
