"""Capability paths of two surfaces, and which is whose successor.

By equal path; by renames.toml; below a successor by equal name; and by the same gate: what one method, place or kind of
update asks for on both sides. Where several paths came into one that stands above them, it absorbed them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from acpgen.diff.pairing.advertised import Capability, Path, capabilities
from acpgen.diff.pairing.gates import GatePair
from acpgen.diff.pairing.pairs import Pairs
from acpgen.runtime.expressions import Expression, ExpressionError
from acpgen.runtime.expressions import parse as parse_expression

_DEEP = 8  # steps by which a group follows what it holds


@dataclass
class CapabilityPairs:
    """moved: old path -> (new path, evidence), equal paths included. absorbed, split: a path that went into one above its
    successor's place, or came out of it: path -> (path on the other side, evidence).
    """

    pairs: Pairs
    gates: list[GatePair]
    old: dict[Path, Capability] = field(default_factory=dict)
    new: dict[Path, Capability] = field(default_factory=dict)
    moved: dict[Path, tuple[Path, str]] = field(default_factory=dict)
    back: dict[Path, Path] = field(default_factory=dict)
    absorbed: dict[Path, tuple[Path, str]] = field(default_factory=dict)
    split: dict[Path, tuple[Path, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.old, self.new = capabilities(self.pairs.old.spec), capabilities(self.pairs.new.spec)
        for row in self.pairs.rows:
            if row.table == "capabilities":
                self._join(_path(row.old), _path(row.new), row.evidence)
        for path in self.old:
            self._join(path, path, "")
        self._below_pairs()
        votes = list(self._votes())
        self._by_gates(votes)
        self._below_pairs()
        self._parents()
        self._below_pairs()
        self.absorbed = dict(_absorbed(votes, self.moved, self.back))
        turned = [(after, before, why) for before, after, why in votes]
        there = {after: (before, "") for before, (after, _) in self.moved.items()}
        behind = {before: after for before, (after, _) in self.moved.items()}
        self.split = dict(_absorbed(turned, there, behind))
        self.pointers = (
            {one.item.pointer: one for one in self.old.values()},
            {one.item.pointer: one for one in self.new.values()},
        )

    def _join(self, before: Path, after: Path, why: str) -> None:
        there = before in self.old and after in self.new
        if there and before not in self.moved and after not in self.back:
            self.moved[before] = (after, why)
            self.back[after] = before

    def _below_pairs(self) -> None:
        """What has the same name below a path and below its successor."""
        for path in self.old:
            above, _, name = path[1].rpartition(".")
            if above and (found := self.moved.get((path[0], above))) is not None:
                side, after = found[0]
                self._join(path, (side, f"{after}.{name}"), f"below {side}: {after}")

    def _votes(self) -> Iterator[tuple[Path, Path, str]]:
        """(path, path, the place) where a gate asks for one capability on both sides."""
        for gate in self.gates:
            before, after = _only(gate.bare_was), _only(gate.bare_now)
            if before is not None and after is not None and before[0] == after[0]:
                yield before, after, gate.subject

    def _by_gates(self, votes: list[tuple[Path, Path, str]]) -> None:
        """The same gate is evidence where each side's path is asked for by nothing that asks for another one."""
        lefts: dict[Path, set[Path]] = {}
        rights: dict[Path, set[Path]] = {}
        for before, after, _ in votes:
            lefts.setdefault(before, set()).add(after)
            rights.setdefault(after, set()).add(before)
        gates = [(gate.bare_was, gate.bare_now) for gate in self.gates]
        news = {path for was, now in gates if not was for path in [_only(now)] if path}
        olds = {path for was, now in gates if not now for path in [_only(was)] if path}
        for before, after, where in votes:
            alone = lefts[before] == {after} and rights[after] == {before}
            if alone and after not in news and before not in olds:
                self._join(before, after, f"gate of {where}")

    def _parents(self) -> None:
        """A path that holds what another one held, by the same names, is its successor."""
        for _ in range(_DEEP):
            lefts: dict[Path, set[Path]] = {}
            rights: dict[Path, set[Path]] = {}
            why: dict[tuple[Path, Path], str] = {}
            for (side, path), ((to, after), _) in self.moved.items():
                above, _, name = path.rpartition(".")
                there, _, last = after.rpartition(".")
                if above and there and name == last:
                    lefts.setdefault((side, above), set()).add((to, there))
                    rights.setdefault((to, there), set()).add((side, above))
                    why.setdefault(((side, above), (to, there)), name)
            before = len(self.moved)
            for left, found in lefts.items():
                right = next(iter(found))
                if len(found) == 1 and rights[right] == {left}:
                    self._join(left, right, f"both hold {why[left, right]}")
            if len(self.moved) == before:
                return

    # Gates that follow

    def follows(self, was: str, now: str) -> bool:
        """The new gate asks for the successors of what the old one asked for."""
        try:
            left, right = parse_expression(was), parse_expression(now)
        except ExpressionError:
            return False
        return self._follows(left, right)

    def _follows(self, left: Expression, right: Expression) -> bool:
        if left.op != right.op or len(left.parts) != len(right.parts):
            return False
        if left.op == "capability":
            before, after = (left.side, ".".join(left.path)), (right.side, ".".join(right.path))
            if left._replace(path=right.path) != right:
                return False
            if before == after and before not in self.moved:
                return True
            found = self.moved.get(before) or self.absorbed.get(before)
            return (found is not None and found[0] == after) or (
                after in self.split and self.split[after][0] == before
            )
        if left.op in ("any", "all"):
            rest = list(right.parts)
            for part in left.parts:
                same = next((item for item in rest if self._follows(part, item)), None)
                if same is None:
                    return False
                rest.remove(same)
            return True
        if left.parts:
            return all(map(self._follows, left.parts, right.parts))
        return left == right


def _path(text: str) -> Path:
    side, _, path = text.partition(": ")
    return side, path


def _only(text: str) -> Path | None:
    """The path of a gate that asks for one capability and nothing else."""
    if not text:
        return None
    try:
        found = parse_expression(text)
    except ExpressionError:
        return None
    return (found.side, ".".join(found.path)) if found.op == "capability" else None


def _absorbed(
    votes: list[tuple[Path, Path, str]],
    moved: Mapping[Path, tuple[Path, str]],
    back: Mapping[Path, Path],
) -> Iterator[tuple[Path, tuple[Path, str]]]:
    """The paths without a successor whose gates now ask for the successor of what held them."""
    targets: dict[Path, set[Path]] = {}
    for before, after, _ in votes:
        targets.setdefault(before, set()).add(after)
    for before, after, where in votes:
        if before in moved or len(targets[before]) != 1:
            continue
        above = before[1].rpartition(".")[0]
        if above and back.get(after) == (before[0], above):
            yield before, (after, f"gate of {where}")
