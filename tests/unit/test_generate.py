from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from acpgen import generate as generation
from acpgen import inputs, resources
from acpgen.generate import Outcome
from acpgen.problem import ProblemError
from tests.unit.support import PING, disk, project, record, schema, settings


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return project(tmp_path)


def generate(folder: Path, *, force: bool = False, accept: bool = False, **more: Any) -> Outcome:
    return generation.generate(settings(folder, **more), force=force, accept_names=accept, jobs=1)


def check(folder: Path, *, full: bool = False, **more: Any) -> Outcome:
    return generation.check(settings(folder, **more), full=full, jobs=1)


def refused(folder: Path, **more: Any) -> str:
    before = disk(folder)
    with pytest.raises(ProblemError) as caught:
        generate(folder, **more)
    assert disk(folder) == before
    return "\n".join(map(str, caught.value.problems))


def test_a_run_writes_everything_and_a_second_nothing(folder: Path) -> None:
    first = generate(folder)
    assert "src/acp_bindings/v1/__init__.py" in first.written
    assert first.surfaces == ("v1",)
    before = disk(folder)
    second = generate(folder)
    assert (second.written, second.removed) == ((), ())
    assert second.unchanged == len(first.written)
    assert disk(folder) == before
    for full in (False, True):
        assert not check(folder, full=full).drifted


def test_an_unchanged_check_renders_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    generate(folder)

    def fail(*_: object, **__: object) -> None:
        raise AssertionError("rendered")

    monkeypatch.setattr(generation, "make", fail)
    assert not check(folder).drifted
    with pytest.raises(AssertionError, match="rendered"):
        check(folder, full=True)


def test_nothing_generated_is_drift(folder: Path) -> None:
    found = check(folder)
    assert found.drifted
    assert "has no acpgen.lock.json" in found.moved[0]
    assert found.diff == ""  # it would be the whole output
    assert not (folder / "generated").exists()


class TestMoved:
    """Each kind of input is named when it moves, and nothing is written."""

    @pytest.fixture(autouse=True)
    def _generated(self, folder: Path) -> None:
        generate(folder)

    def expect(self, folder: Path, moved: str, in_diff: str = "", **more: Any) -> None:
        before = disk(folder)
        found = check(folder, **more)
        assert moved in found.moved
        assert in_diff in found.diff
        assert "acpgen.lock.json" in found.diff
        assert disk(folder) == before

    def test_schema(self, folder: Path) -> None:
        schema(folder, {**PING, "Pong": record(id={"type": "string"})})
        self.expect(folder, "schema v1 changed", "models/")

    def test_a_schema_that_says_the_same(self, folder: Path) -> None:
        path = folder / "schemas/v1/schema.json"
        path.write_text(path.read_text(encoding="utf-8") + "\n\n", encoding="utf-8")
        self.expect(folder, "schema v1 changed")

    def test_a_schema_that_is_broken(self, folder: Path) -> None:
        (folder / "schemas/v1/schema.json").write_text("{", encoding="utf-8")
        found = check(folder)
        assert found.moved == ("schema v1 changed",)
        assert ["schemas/v1/schema.json" in item.where for item in found.problems] == [True]

    def test_template(self, folder: Path) -> None:
        own = folder / "own/bindings/README.md.jinja"
        own.parent.mkdir(parents=True)
        own.write_text("Hello\n", encoding="utf-8")
        self.expect(
            folder, "template bindings/README.md.jinja changed", "+Hello", templates=["own"]
        )

    def test_module(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        real = resources.file_digest
        path = resources.PACKAGE_DIR / "emit/layout.py"
        monkeypatch.setattr(inputs, "file_digest", lambda item: "0" if item == path else real(item))
        self.expect(folder, "module acpgen/emit/layout.py changed")

    def test_tool(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        real = inputs._version
        monkeypatch.setattr(inputs, "_version", lambda name: "9" if name == "black" else real(name))
        now = real("black")
        self.expect(folder, f"tool black: {now} -> 9")

    def test_option(self, folder: Path) -> None:
        self.expect(
            folder, "option package: acp_bindings -> other", "b/src/other/", package="other"
        )

    def test_metadata(self, folder: Path) -> None:
        path = folder / "schemas/v1/methods.toml"
        row = '[[patch]]\ntype = "Ping"\nfields = ["nothing"]\nretired = true\n'
        path.write_text(row, encoding="utf-8")
        self.expect(folder, "metadata v1/methods.toml (1) is new")

    def test_a_generated_file(self, folder: Path) -> None:
        path = folder / "generated/src/acp_bindings/v1/schema.json"
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace("Pong", "Pung", 1), encoding="utf-8")
        found = check(folder)
        assert found.moved == ("generated file src/acp_bindings/v1/schema.json changed",)
        assert "Pung" in found.diff

    def test_a_generated_file_that_is_gone(self, folder: Path) -> None:
        (folder / "generated/LICENSE").unlink()
        found = check(folder)
        assert found.moved == ("generated file LICENSE changed",)
        assert "+++ b/LICENSE" in found.diff

    @pytest.mark.parametrize("broken", ["", "{", "null"])
    def test_the_manifest(self, folder: Path, broken: str) -> None:
        (folder / "generated/acpgen.lock.json").write_text(broken, encoding="utf-8")
        found = check(folder)
        assert found.moved[0].startswith("generated file acpgen.lock.json ")
        assert "+++ b/acpgen.lock.json" in found.diff

    def test_a_file_of_others_is_no_drift(self, folder: Path) -> None:
        (folder / "generated/mine.txt").write_text("mine\n", encoding="utf-8")
        assert not check(folder, full=True).drifted


def _ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/$defs/{name}"}


class TestNames:
    @pytest.fixture(autouse=True)
    def _generated(self, folder: Path) -> None:
        generate(folder)

    def test_a_dropped_name_stops_the_run(self, folder: Path) -> None:
        schema(folder, {"Ping": PING["Ping"]})
        assert "v1.Pong: this public name is gone" in refused(folder)
        found = generate(folder, accept=True)
        assert "v1.Pong: this public name is gone" in found.notices
        assert not check(folder).drifted

    def test_a_check_names_it_as_drift(self, folder: Path) -> None:
        schema(folder, {"Ping": PING["Ping"]})
        found = check(folder)
        assert "schema v1 changed" in found.moved
        assert "v1.Pong: this public name is gone" in found.notices

    def test_a_rename_leaves_a_deprecated_alias_for_good(self, folder: Path) -> None:
        (folder / "renames.toml").write_text('[types]\nPing = "Knock"\n', encoding="utf-8")
        text = refused(folder, renames=["renames.toml"])
        assert "v1.Ping: this public name is now Knock" in text
        generate(folder, accept=True, renames=["renames.toml"])
        for _ in range(2):
            generate(folder, force=True, renames=["renames.toml"])
            code = (
                "import acp_bindings.v1 as v; assert v.Ping is v.Knock; print('Ping' in v.__all__)"
            )
            command = [sys.executable, "-W", "error::DeprecationWarning:__main__", "-c", code]
            env = {**os.environ, "PYTHONPATH": str(folder / "generated/src")}
            run = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
            assert "DeprecationWarning: Ping is now Knock" in run.stderr
            command[2] = "ignore"
            run = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
            assert run.stdout == "False\n"

    def test_a_type_that_upstream_renamed_stays_importable(self, folder: Path) -> None:
        def used(name: str) -> dict[str, Any]:
            return {**PING, name: record(a={"type": "string"}), "Use": record(it=_ref(name))}

        schema(folder, used("Before"))
        generate(folder)
        schema(folder, used("After"))
        assert "v1.Before: this public name is now After" in refused(folder)
        assert "v1.Before: this public name is now After" in check(folder).notices
        generate(folder, accept=True)
        assert '"Before": "After"' in (folder / "generated/acpgen.lock.json").read_text("utf-8")
        assert not check(folder).drifted

    def test_a_rename_is_not_guessed_from_an_output_that_was_edited(self, folder: Path) -> None:
        schema(folder, {**PING, "Before": record(), "Use": record(it=_ref("Before"))})
        generate(folder)
        path = folder / "generated/src/acp_bindings/v1/schema.json"
        path.write_text(path.read_text("utf-8") + "\n", encoding="utf-8")
        schema(folder, {**PING, "After": record(), "Use": record(it=_ref("After"))})
        assert "v1.Before: this public name is gone" in refused(folder)

    def test_a_surface_that_goes_stops_the_run(self, folder: Path) -> None:
        generate(folder, surfaces=["v1", "v2"])
        assert "v2: this surface and all its public names are gone" in refused(folder)
        generate(folder, accept=True)
        assert not (folder / "generated/src/acp_bindings/v2").exists()


def test_a_row_whose_type_was_renamed_is_a_notice(folder: Path) -> None:
    fields = {"x-method": "session/new", **record(cwd={"type": "string"})}
    lists = {"additionalDirectories": {"type": "array", "items": {"type": "string"}}}
    fields["properties"] = {**fields["properties"], **lists, "mcpServers": {"type": "array"}}
    schema(folder, {**PING, "OpenSessionRequest": {**fields, "x-side": "agent"}, **_answer()})
    found = generate(folder, **{"allow-ungated": True}).notices
    told = [item for item in found if "OpenSessionRequest may be its new name" in item]
    assert [item for item in told if "the type NewSessionRequest" in item]
    assert all("[[omit_empty]]" in item for item in told)
    schema(folder, {**PING, "NewSessionRequest": {**fields, "x-side": "agent"}, **_answer()})
    again = generate(folder, accept=True, **{"allow-ungated": True}).notices
    assert not any("may be its new name" in item and "NewSessionRequest" in item for item in again)


def _answer() -> dict[str, Any]:
    return {"NewSessionResponse": {**record(), "x-method": "session/new", "x-side": "agent"}}


def test_bad_input_changes_nothing_and_names_all_surfaces(folder: Path) -> None:
    generate(folder)
    (folder / "schemas/v1/schema.json").write_text("{", encoding="utf-8")
    text = refused(folder)
    assert "schemas/v1/schema.json" in text


def test_a_check_of_bad_input_that_was_never_good_is_an_error(folder: Path) -> None:
    (folder / "schemas/v1/schema.json").write_text("{", encoding="utf-8")
    with pytest.raises(ProblemError, match=r"schemas/v1/schema\.json"):
        check(folder)


def test_upstreams_words_come_in_only_when_they_are_asked_for(folder: Path) -> None:
    described = {**PING, "Pong": {**record(id={"type": "integer"}), "description": "An answer."}}
    described["Pong"]["properties"]["id"]["description"] = 'Which "ping\\".'
    path = folder / "release/schema/v1/schema.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"$defs": described}), encoding="utf-8")
    generate(folder, source="release")
    plain = "".join(disk(folder / "generated").values())
    assert "An answer." not in plain
    generate(folder, source="release", docs=True)
    worded = disk(folder / "generated")
    assert "An answer." in worded["src/acp_bindings/v1/models/_types.py"]
    assert 'Which "ping' in worded["src/acp_bindings/v1/models/_types.py"]
    assert "An answer." not in worded["src/acp_bindings/v1/schema.json"]
    assert not check(folder, source="release", docs=True).drifted


def test_a_surface_that_was_asked_for_and_is_not_there(folder: Path) -> None:
    text = refused(folder, surfaces=["v1", "v9_unstable"])
    assert "has no surface v9_unstable" in text
    assert "v1" in text


def test_a_surface_that_the_default_expects_is_skipped_with_a_notice(folder: Path) -> None:
    release = folder / "release/schema/v1"
    release.mkdir(parents=True)
    (release / "schema.json").write_text(json.dumps({"$defs": PING}), encoding="utf-8")
    (folder / "acpgen.toml").write_text("", encoding="utf-8")
    found = generate(folder, source="release")
    assert found.surfaces == ("v1",)
    assert sum("skipped" in notice for notice in found.notices) == 3


def test_a_source_that_is_not_there(folder: Path) -> None:
    assert "nowhere" in refused(folder, source="nowhere")


def test_a_folder_outside_of_any_release_is_not_called_one(folder: Path) -> None:
    generate(folder)
    text = (folder / "generated/NOTICE").read_text(encoding="utf-8")
    assert "(own schemas)" in text


def test_a_row_of_metadata_that_says_nothing_is_named(tmp_path: Path) -> None:
    folder = project(tmp_path)
    rows = folder / "mine/v1/methods.toml"
    rows.parent.mkdir(parents=True)
    rows.write_text('[[patch]]\ntype = "Nonsense"\nfields = ["x"]\n', encoding="utf-8")
    (folder / "acpgen.toml").write_text('methods = "mine"\n', encoding="utf-8")
    text = refused(folder)
    assert "mine/v1/methods.toml:1#/patch/0" in text
    assert "Nonsense" in text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[types]\nPingg = "A"', "no surface has a type Pingg (did you mean Ping?)"),
        ('[fields]\n"Ping.txt" = "a"', "property txt of its own (did you mean text?)"),
        ('[types]\nPing = "Pong"', "v1 has a type Pong already"),
        ('[fields]\n"Ping.text" = "id"', "has a field id already"),
        ('[types]\nPing = "a b"', "cannot be the name of a class"),
        ('[fields]\n"Ping.text" = "class"', "cannot be the name of a field"),
        ('[fields]\n"Ping.text" = "model_config"', "cannot be the name of a field"),
        ('[fields]\nPing = "a"', "names no field"),
        ("[types]\nPing = 1", "has to be a string"),
        ("[methods]\na = 1", "write [types] and [fields]"),
    ],
)
def test_renames_that_cannot_be_done(folder: Path, text: str, words: str) -> None:
    (folder / "renames.toml").write_text(text, encoding="utf-8")
    assert words in refused(folder, renames=["renames.toml"])


def test_renamed_fields_keep_their_name_on_the_wire(folder: Path) -> None:
    text = '[types]\nPing = "Knock"\n[fields]\n"Ping.text" = "message"\n'
    (folder / "renames.toml").write_text(text, encoding="utf-8")
    generate(folder, renames=["renames.toml"])
    code = (
        "from acp_bindings.v1 import *; print(encode(Knock(id=1, message='a')), WIRE_TYPES['Ping'])"
    )
    env = {**os.environ, "PYTHONPATH": str(folder / "generated/src")}
    run = subprocess.run(
        [sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True
    )
    assert run.stdout == "{'id': 1, 'text': 'a'} Knock\n"


def test_no_path_of_the_machine_and_no_time_gets_out(folder: Path) -> None:
    generate(folder)
    for name, text in disk(folder / "generated").items():
        assert str(folder) not in text, name
        assert str(Path.home()) not in text, name


def test_the_layout_package_is_the_package_alone(folder: Path) -> None:
    (folder / "mine.py").write_text("mine\n", encoding="utf-8")
    generate(folder, layout="package", package="vendored", out=".")
    inside = disk(folder / "vendored")
    assert {"__init__.py", "py.typed", "v1/__init__.py", "acpgen.lock.json"} <= inside.keys()
    assert not {"pyproject.toml", "README.md"} & inside.keys()
    assert not {"LICENSE", "NOTICE"} & {path.name for path in folder.iterdir()}
    assert not check(folder, layout="package", package="vendored", out=".").drifted
    assert (folder / "mine.py").exists()


def test_an_interrupt_while_rendering_changes_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    generate(folder)
    before = disk(folder)
    schema(folder, {**PING, "New": record()})
    from acpgen.emit import pool

    def interrupt(_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(pool, "_models", interrupt)
    with pytest.raises(KeyboardInterrupt):
        generate(folder)
    after = disk(folder)
    assert {**after, "schemas/v1/schema.json": ""} == {**before, "schemas/v1/schema.json": ""}


def test_two_runs_at_once_take_turns(folder: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from acpgen import generate as g; "
        "from acpgen.config import load; g.generate(load(Path(sys.argv[1])), jobs=1)"
    )
    command = [sys.executable, "-c", code, str(folder)]
    here = str(Path(__file__).parents[2])
    runs = [
        subprocess.Popen(command, cwd=here, stderr=subprocess.PIPE, text=True) for _ in range(2)
    ]
    assert [run.communicate()[1] for run in runs] == ["", ""]
    assert [run.returncode for run in runs] == [0, 0]
    assert not check(folder).drifted
