from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from acpgen.diff.rules import RULES
from tests.unit.support import project, record
from tests.unit.test_cli import SLOW_PARTS, command, environment, run

ABOUT = {"x-method": "ask", "x-side": "agent"}
TEXT = {"type": "string"}


def schemas(required: bool) -> dict[str, object]:
    """A request to the agent, whose field `a` may be required."""
    ask = {"type": "object", "properties": {"a": TEXT}, "required": ["a"] if required else []}
    return {"AskRequest": {**ask, **ABOUT}, "AskResponse": {**record(b=TEXT), **ABOUT}}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two releases, `old` and `new`; a newly required field between them breaks the client."""
    project(tmp_path)
    for name, required in (("old", False), ("new", True)):
        path = tmp_path / name / "schema" / "v1" / "schema.json"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps({"$defs": schemas(required)}), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def found(*args: str) -> dict[str, object]:
    report = json.loads(run("diff", "old", "new", "--json", *args)[0])
    assert isinstance(report, dict)
    return report


def rows(*args: str) -> list[dict[str, object]]:
    sections: list[dict[str, list[dict[str, list[dict[str, object]]]]]]
    sections = found(*args)["sections"]  # type: ignore[assignment]
    return [row for section in sections for group in section["groups"] for row in group["rows"]]


def test_text_begins_with_counts_and_names_who_has_to_do_what(folder: Path) -> None:
    out, err = run("diff", "old", "new")
    lines = [line.rstrip() for line in out.splitlines()]
    assert lines[0] == "v1 of old -> v1 of new  1 finding"
    assert "  for the client   1          0       0" in lines
    mark = rows()[0]["fingerprint"]
    at = lines.index(f"breaking   `a` of ask params became required [{mark}]")
    assert lines[at + 1 : at + 3] == [
        "  agent: You need not ask whether it is there.",
        "  client: Write it always: a message without it is invalid.",
    ]
    assert all(line.startswith("note: ungated") for line in err.splitlines())


def test_equal_sides_have_no_differences(folder: Path) -> None:
    out, _ = run("diff", "old", "old", "--fail-on", "compatible")
    assert out == "v1 of old -> v1 of old: no differences\n"


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (("--fail-on", "breaking"), 1),
        (("--fail-on", "compatible"), 1),
        ((), 0),
        (("--fail-on", "breaking", "--side", "client"), 1),
        (("--fail-on", "risky", "--side", "agent"), 0),
        (("--fail-on", "compatible", "--side", "agent"), 1),
        (("--fail-on", "compatible", "--area", "method"), 0),
    ],
)
def test_fail_on_exits_1_where_something_shown_is_that_bad(
    folder: Path, args: tuple[str, ...], code: int
) -> None:
    run("diff", "old", "new", *args, code=code)


@pytest.mark.parametrize(
    ("args", "count"),
    [
        ((), 1),
        (("--side", "client", "--severity", "breaking"), 1),
        (("--side", "agent", "--severity", "breaking"), 0),
        (("--side", "agent", "--severity", "breaking", "--severity", "compatible"), 1),
        (("--area", "field", "--area", "method"), 1),
        (("--area", "method"), 0),
        (("--text", "ASK PARAMS"), 1),
        (("--text", "required  ask"), 1),
        (("--text", "ask something"), 0),
    ],
)
def test_filters_choose_findings(folder: Path, args: tuple[str, ...], count: int) -> None:
    assert len(rows(*args)) == count


def test_a_selection_says_of_how_many(folder: Path) -> None:
    out, _ = run("diff", "old", "new", "--area", "field")
    assert out.startswith("v1 of old -> v1 of new  1 finding of 1\n")
    out, _ = run("diff", "old", "new", "--area", "method")
    assert out == "v1 of old -> v1 of new  0 findings of 1\n"


def test_one_side_reads_its_own_sentences_alone(folder: Path) -> None:
    out, _ = run("diff", "old", "new", "--side", "client")
    assert "client: Write it always" in out
    assert "agent:" not in out


def test_a_waived_finding_is_shown_as_waived_and_does_not_fail(folder: Path) -> None:
    mark = str(rows()[0]["fingerprint"])
    text = f'[[waiver]]\nfingerprint = "{mark}"\nreason = "We always write it."\n'
    (folder / "waivers.toml").write_text(text, encoding="utf-8")
    out, _ = run("diff", "old", "new", "--waivers", "waivers.toml", "--fail-on", "compatible")
    assert f"waived     `a` of ask params became required [{mark}]" in out
    assert "  waived: We always write it." in out
    assert "1 finding, 1 waived" in out


def test_the_configuration_may_name_waivers(folder: Path) -> None:
    (folder / "w.toml").write_text(
        '[[waiver]]\nfingerprint = "0123456789ab"\nreason = "Gone."\n', encoding="utf-8"
    )
    with (folder / "acpgen.toml").open("a", encoding="utf-8") as file:
        file.write('waivers = "w.toml"\n')
    _, err = run("diff", "old", "new")
    assert "note: w.toml#waiver/0: waives 0123456789ab, which is no finding here: remove it" in err


def test_a_guide_is_for_one_author(folder: Path) -> None:
    out, _ = run("diff", "old", "new", "--guide", "client")
    assert out.startswith("From v1 of old to v1 of new: a guide for the client's author\n")
    assert "[ ] must   `a` of ask params became required" in out
    out, _ = run("diff", "old", "new", "--guide", "client", "--format", "md")
    assert out.startswith("# From v1 of old to v1 of new")
    guide = json.loads(run("diff", "old", "new", "--guide", "client", "--json")[0])
    assert [step["id"] for step in guide["steps"]] == ["rest"]
    out, _ = run("diff", "old", "old", "--guide", "agent")
    assert "Nothing to do." in out


@pytest.mark.parametrize(
    ("form", "start"), [("md", "#"), ("json", "{"), ("html", "<!DOCTYPE html>")]
)
def test_every_format_goes_to_a_file_whole(folder: Path, form: str, start: str) -> None:
    out, _ = run("diff", "old", "new", "--format", form, "--output", "out.txt")
    assert out == ""
    text = (folder / "out.txt").read_text(encoding="utf-8")
    assert text.lower().startswith(start.lower()) and text.endswith("\n")
    assert run("diff", "old", "new", "--format", form)[0] == text
    assert sorted(path.name for path in folder.iterdir() if path.name.startswith(".out")) == []


def test_several_surfaces_are_several_reports(folder: Path) -> None:
    for name in ("old", "new"):
        path = folder / name / "schema" / "v2" / "schema.json"
        path.parent.mkdir()
        path.write_text(json.dumps({"$defs": schemas(name == "new")}), encoding="utf-8")
    assert [pair["new"] for pair in found()["pairs"]] == ["v1 of new", "v2 of new"]  # type: ignore[attr-defined]
    out, _ = run("diff", "old", "new")
    assert "v2 of old -> v2 of new  1 finding" in out
    _, err = run("diff", "old", "new", "--format", "html", code=2)
    assert "one page shows one pair of surfaces" in err and "A#v1" in err
    assert (
        len(json.loads(run("diff", "old", "new", "--guide", "agent", "--json")[0])["guides"]) == 2
    )


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("diff", "old"), "two sides are needed"),
        (("diff", "v1", "v2_unstabel"), "did you mean v2-unstable?"),
        (("diff", "old", "new", "--side", "server"), "--side: 'server' is none of agent, client"),
        (("diff", "old", "new", "--severity", "bad"), "is none of breaking, risky, compatible"),
        (("diff", "old", "new", "--area", "x"), "--area: 'x' is none of method,"),
        (("diff", "old", "new", "--fail-on", "x"), "--fail-on: 'x' is none of breaking"),
        (("diff", "old", "new", "--format", "pdf"), "--format: 'pdf' is none of text, md, json"),
        (("diff", "old", "new", "--guide", "agent", "--text", "a"), "do not go with it"),
        (
            ("diff", "old", "new", "--guide", "agent", "--format", "html"),
            "there is no guide as a page",
        ),
        (("diff", "old", "new", "--output", "x"), "goes with --format md, json or html"),
        (("diff", "old", "new", "--json", "--output", "no/x"), "there is no folder no"),
        (("diff", "old", "new", "--json", "--output", "old"), "--output: old is a folder"),
        (("diff", "old", "new", "--json", "--output", "."), "--output: . is a folder"),
        (("diff", "old", "new", "--json", "--output", "/no/x"), "there is no folder /no"),
        (("diff", "old", "new", "--json", "--format", "md"), "--json and --format md exclude"),
        (("diff", "old", "new", "--waivers", "none.toml"), "none.toml does not exist"),
        (("diff", "old", "new", "--overlay", "a", "--no-overlays"), "exclude each other"),
        (("diff", "--rules", "--format", "html"), "there are no rules as html"),
    ],
)
def test_bad_input_exits_2_and_says_what_to_do(
    folder: Path, args: tuple[str, ...], words: str
) -> None:
    out, err = run(*args, code=2)
    assert out == ""
    assert words in err


def test_every_wrong_word_is_told_at_once(folder: Path) -> None:
    _, err = run("diff", "old", "new", "--side", "x", "--area", "y", "--format", "z", code=2)
    assert err.count("error: ") == 3


def test_a_failed_write_leaves_the_file_as_it_was(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "out.json").write_text("mine", encoding="utf-8")

    def fail(_self: Path, _target: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    _, err = run("diff", "old", "new", "--json", "--output", "out.json", code=2)
    assert "No space left" in err
    assert (folder / "out.json").read_text(encoding="utf-8") == "mine"
    assert [path.name for path in folder.iterdir() if path.name.startswith(".out")] == []


def test_the_rules_are_listed_and_none_is_left_out(folder: Path) -> None:
    listed = json.loads(run("diff", "--rules", "--json")[0])
    assert [row["id"] for row in listed] == [row.id for row in RULES]
    removed = next(row for row in listed if row["id"] == "method-removed")
    assert (removed["writer"]["role"], removed["writer"]["severity"]) == ("caller", "breaking")
    out, _ = run("diff", "--rules")
    assert "method-removed  method.removed\n" in out
    assert "no consequence" in out


def test_help_loads_no_slow_part() -> None:
    code = (
        "import sys; from acpgen.cli import app\n"
        "try: app(['diff', '--help'])\n"
        "except SystemExit: pass\n"
        f"print([name for name in {SLOW_PARTS} if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment(), check=True
    )
    assert done.stderr.strip() == "[]"


@pytest.mark.slow
def test_two_hash_seeds_give_the_same_bytes() -> None:
    texts = {
        subprocess.run(
            command("diff", "v1", "v2", *args),
            capture_output=True,
            text=True,
            env={**environment(), "PYTHONHASHSEED": seed},
            check=True,
        ).stdout
        for seed in ("1", "2")
        for args in (("--json",),)
    }
    assert len(texts) == 1


@pytest.mark.parametrize(("columns", "wide"), [("150", True), ("50", False)])
def test_a_wide_terminal_gets_a_table_and_a_narrow_one_blocks(
    folder: Path, monkeypatch: pytest.MonkeyPatch, columns: str, wide: bool
) -> None:
    from acpgen import console_diff

    monkeypatch.setattr(console_diff, "_pipe", lambda: False)
    monkeypatch.setenv("COLUMNS", columns)
    out, _ = run("diff", "old", "new")
    lines = out.splitlines()
    assert max(map(len, lines)) <= int(columns)
    assert any("for the agent" in line and "fingerprint" in line for line in lines) == wide
    # Nothing is cut off: every word of the longest sentence is there, whatever the width.
    words = "Write it always: a message without it is invalid.".split()
    assert set(words) <= set(out.split())


def test_a_narrow_terminal_lists_the_methods_one_by_one(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from acpgen import console_diff

    monkeypatch.setattr(console_diff, "_pipe", lambda: False)
    monkeypatch.setenv("COLUMNS", "70")
    out, _ = run("diff", "old", "new")
    assert any(line.startswith("ask -> ask (client to agent): ") for line in out.splitlines())


def test_names_from_a_schema_do_not_act_on_the_screen(folder: Path) -> None:
    name = "a\x1b[2J\x00\n\u202eb"
    schema = {
        "AskRequest": {**record(**{name: TEXT}), **ABOUT},
        "AskResponse": {**record(), **ABOUT},
    }
    path = folder / "new/schema/v1/schema.json"
    path.write_text(json.dumps({"$defs": schema}), encoding="utf-8")
    for args in ((), ("--guide", "client")):
        out, err = run("diff", "old", "new", *args)
        assert "a\\u001b[2J\\u0000\\u000a\\u202eb" in out
        assert not set("\x1b\x00\u202e") & set(out + err)


def test_a_reader_that_goes_away_is_no_finding(folder: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    for args in (("old", "new"), ("old", "new", "--json"), ("old", "new", "--fail-on", "breaking")):
        done = subprocess.run(
            [*command("diff"), *args],
            env=environment(),
            stdout=write,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
        assert done.returncode == 141
        assert "Traceback" not in done.stderr and "BrokenPipe" not in done.stderr
    os.close(write)


def test_a_pattern_that_only_bindings_mind_stops_neither_diff_nor_show(folder: Path) -> None:
    code = record(code={**TEXT, "pattern": "^(?!X)[A-Z]{3}$"})
    path = folder / "new/schema/v1/schema.json"
    text = json.dumps({"$defs": {**schemas(True), "Code": code}})
    path.write_text(text, encoding="utf-8")
    out, err = run("diff", "old", "new")
    assert "v1 of old -> v1 of new  2 findings" in out
    assert "note: v1#/$defs/Code: the pattern '^(?!X)[A-Z]{3}$' is no regular expression" in err
    out, err = run("show", "Code", "--source", "new")
    assert "Code  record" in out
    assert "note: v1#/$defs/Code: the pattern" in err
    _, err = run("generate", "--source", "new", "--allow-ungated", "--jobs", "1", code=2)
    assert "error: v1#/$defs/Code: the pattern" in err
