"""What stands in the details of a change is what `change.DETAIL` says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from acpgen import inputs
from acpgen.config import load as load_config
from acpgen.diff.change import ACTIONS, DETAIL
from acpgen.diff.compare import compare
from acpgen.generate import build_specs
from acpgen.spec.ir import Spec
from tests.unit.diff import fixtures
from tests.unit.diff.small import Defs, record, request, spec

ASK: Defs = {"Ask": request("ask", record("x"))}
HEAD = '[[method]]\nname = "ask"\nside = "agent"\nkind = "request"\nsummary = "S."\n'
CHECK = (
    '[[check]]\nmethods = ["ask"]\nat = "/x"\nwhen = { starts_with = "a" }\nrule = "non_empty"\n'
)
STATE = '[[state]]\nname = "s"\nsummary = "S."\nknown_by = "author"\ndefault = true\n'
PATCH = '[[patch]]\ntype = "Ask"\nfields = ["x"]\n'


def _ask(**x: Any) -> Defs:
    return {"Ask": request("ask", {**record(), "properties": {"x": x}})}


def _needed(**x: Any) -> Defs:
    return {"Ask": request("ask", record(x=x))}


def _pairs(folder: Path) -> list[tuple[Spec, Spec, Any]]:
    """The surfaces of ACP, the fixtures of every rule, and what none of them has."""
    config = load_config(folder, {})
    surfaces = {item.surface: item for item in build_specs(config, inputs.read(config))[0]}
    acp = [(surfaces["v1"], surfaces[name]) for name in ("v2", "v1_unstable")]
    rules = [fixtures.pair(path.name) for path in fixtures.FOLDER.iterdir() if path.is_dir()]
    kinds = spec(_ask(type="string", default="a")), spec(_ask(type="integer", default=1))
    names = spec(_ask(type="object")), spec(_ask(type="object", required=["q"]))
    codes = [
        spec(ASK, toml=f'{HEAD}requires = "state: s"\n{more}{STATE}{CHECK}error = {code}\n')
        for more, code in (("", -32602), ('error = -32000\nneeds = ["session"]\n', -32603))
    ]
    gates = [
        spec(ASK, toml=f'{HEAD}{STATE}{CHECK}requires = "{gate}"\n')
        for gate in ("state: s", "not(state: s)")
    ]
    patches = (
        spec(_ask(type=["string", "null"], default="a")),
        spec(_ask(type=["string", "null"]), toml=PATCH),
    )
    needed = spec(_needed(type=["string", "null"])), spec(_ask(type=["string", "null"]), toml=PATCH)
    more: list[Any] = [*acp, kinds, names, codes, gates, patches, needed]
    return [*rules, *((old, new, ()) for old, new in more)]


def test_details_have_the_names_that_are_documented_and_all_of_them_occur(
    tmp_path: Path,
) -> None:
    used: dict[str, set[str]] = {}
    for old, new, rows in _pairs(tmp_path):
        for turned in ((old, new), (new, old)):
            for item in compare(*turned, rows):
                used.setdefault(item.kind, set()).update(item.detail)
    stray = {kind: names - set(DETAIL.get(kind, ())) for kind, names in used.items()}
    assert {kind: names for kind, names in stray.items() if names} == {}
    unused = {kind: set(names) - used.get(kind, set()) for kind, names in DETAIL.items()}
    assert {kind: names for kind, names in unused.items() if names} == {}
    assert set(DETAIL) <= {*ACTIONS, *ACTIONS.values()}
