"""The requests that a surface lacks and others have, from the metadata of all versions."""

from __future__ import annotations

from pathlib import Path

import pytest

from acpgen import generate as generation
from acpgen import inputs, resources
from acpgen.runtime.table import Elsewhere, Row
from acpgen.spec.elsewhere import mark
from acpgen.spec.ir import MethodTable, Spec
from acpgen.spec.metadata import Metadata, load, parse
from tests.unit.support import settings

HEAD = '[[method]]\nname = "{}"\nside = "{}"\nkind = "{}"\nsummary = "S."\n'


def row(name: str, side: str = "agent", kind: str = "request", more: str = "") -> str:
    return HEAD.format(name, side, kind) + more + "\n"


def found(rows: list[Row], own: str, other: str, channel: str = "stable") -> tuple[Elsewhere, ...]:
    """What a version 1 surface with these rows lacks. own, other: methods.toml of version 1, 2."""
    spec = Spec(1, "unstable" if channel == "unstable" else "stable", {})
    spec = Spec(spec.version, spec.channel, {}, table=MethodTable(rows=tuple(rows)))
    metadata = {1: parse(own, "v1"), 2: parse(other, "v2")}
    return mark(spec, metadata).table.elsewhere


NEW = Row("new", "agent", "request")


def test_a_renamed_method_names_the_one_here() -> None:
    other = row("fresh", more='replaced_by = ["new"]')
    assert found([NEW], row("new"), other) == (Elsewhere("fresh", "agent", (2,), ("new",)),)


def test_what_has_no_replacement_has_a_hint() -> None:
    gone = row("gone", more="replaced_by = []")
    (item,) = found([NEW], row("new"), gone)
    assert item == Elsewhere("gone", "agent", (2,), (), "version 1 has nothing in its place")
    (item,) = found([NEW], row("new"), gone + 'note = "do it by hand"\n')
    assert item.hint == "do it by hand"


def test_a_replacement_that_this_surface_lacks_is_left_out() -> None:
    other = row("fresh", more='replaced_by = ["later", "new", "told"]')
    told = Row("told", "client", "request")
    assert found([NEW, told], row("new"), other)[0].replaced_by == ("new",)


@pytest.mark.parametrize(
    ("here", "replaced", "hint"),
    [
        (
            Row("x", "agent", "notification"),
            ("x",),
            "in version 1 it is a notification to the agent",
        ),
        (Row("x", "client", "request"), (), "in version 1 it is a request to the client"),
    ],
)
def test_the_same_name_of_another_kind_or_side_is_said(
    here: Row, replaced: tuple[str, ...], hint: str
) -> None:
    own = row("x", here.side, here.kind)
    assert found([here], own, row("x")) == (Elsewhere("x", "agent", (2,), replaced, hint),)


def test_a_retired_method_is_defined_by_none_and_names_what_took_its_place() -> None:
    own = row("new") + row("old", more='replaced_by = ["new"]\nretired = true')
    assert found([NEW], own, "") == (Elsewhere("old", "agent", (), ("new",)),)
    (item,) = found([NEW], row("new") + row("old", more="retired = true"), "")
    assert item == Elsewhere("old", "agent", (), (), "it is no longer part of the protocol")


@pytest.mark.parametrize("channel", ["stable", "unstable"])
def test_a_method_of_another_schema_of_this_version_says_so(channel: str) -> None:
    (item,) = found([NEW], row("new") + row("try"), row("try"), channel)
    assert (item.defined_by, item.replaced_by) == ((1, 2), ())
    assert f"not in the {channel} schema" in item.hint


def test_notifications_and_proxies_are_left_out() -> None:
    other = row("a", kind="notification") + row("b", "proxy") + row("new")
    assert found([NEW], row("new"), other) == ()


def test_what_both_versions_have_is_not_listed() -> None:
    assert found([NEW], row("new"), row("new")) == ()


def packaged() -> dict[int, Metadata]:
    folder = resources.schemas_dir()
    overlays = sorted(folder.glob("overlays/*"))
    return {
        version: load(
            [
                folder / f"v{version}/methods.toml",
                *(o / f"v{version}.methods.toml" for o in overlays),
            ]
        )
        for version in (1, 2)
    }


def test_every_replacement_in_the_packaged_metadata_is_a_live_method() -> None:
    metadata = packaged()
    live = {
        version: {item.name for item in rows.methods if not item.retired}
        for version, rows in metadata.items()
    }
    for version, rows in metadata.items():
        for item in rows.methods:
            known = live[1] | live[2] if item.retired else live[3 - version]
            assert set(item.replaced_by or ()) <= known, item.where


def test_one_surface_alone_knows_the_other_version(tmp_path: Path) -> None:
    """A vendored package of one surface: the other version's metadata is at hand, its schema is not
    read.
    """
    (tmp_path / "acpgen.toml").write_text('surfaces = ["v2"]\n', encoding="utf-8")
    config = settings(tmp_path)
    read = inputs.read(config)
    (spec,), _ = generation.build_specs(config, read)
    listed = {item.method: item.replaced_by for item in spec.table.elsewhere}
    assert listed["session/set_mode"] == ("session/set_config_option",)


def test_the_other_versions_metadata_is_an_input(tmp_path: Path) -> None:
    text = 'surfaces = ["v2"]\nmethods = "rows"\n'
    (tmp_path / "acpgen.toml").write_text(text, encoding="utf-8")
    (tmp_path / "rows").mkdir()
    config = settings(tmp_path)
    before = inputs.fingerprint(config, inputs.read(config))
    (tmp_path / "rows/v1").mkdir()
    (tmp_path / "rows/v1/methods.toml").write_text(
        row("session/set_tone", more='replaced_by = ["session/set_config_option"]\nretired = true'),
        encoding="utf-8",
    )
    after = inputs.fingerprint(config, inputs.read(config))
    assert inputs.moved(before, after) != []
    (spec,), _ = generation.build_specs(config, inputs.read(config))
    assert "session/set_tone" in {item.method for item in spec.table.elsewhere}
