"""Which versions may take which public names away."""

from __future__ import annotations

import pytest

from acpgen.dist import names
from acpgen.dist.previous import Previous
from acpgen.manifest import Manifest
from acpgen.problem import ProblemError

NAMES = {"v1": {"Kept": "k", "Gone": "g"}, "v2_unstable": {"Kept": "k", "Gone": "g"}}


def without(surface: str) -> Manifest:
    return Manifest(names={**NAMES, surface: {"Kept": "k"}}, files={"a": "2"})


def named(package: str) -> Manifest:
    return Manifest({"package": package}, names=NAMES, files={f"src/{package}/a": "1"})


def before(version: str, manifest: Manifest | None = None) -> Previous:
    own = manifest or Manifest(names=NAMES, files={"a": "1"})
    return Previous("old.whl", "acp-bindings", version, own)


@pytest.mark.parametrize(
    ("surface", "old", "new"),
    [
        ("v1", "2.4.0", "2.4.0.post1"),
        ("v1", "2.4.0", "2.4.1"),
        ("v1", "2.4.0", "2.4.1.post1"),
        ("v1", "2.4.0a1", "2.4.0a1.post1"),
        ("v2_unstable", "2.4.0", "2.4.0.post1"),
        ("v2_unstable", "2.4.0.post1", "2.4.0.post2"),
    ],
)
def test_a_version_that_does_not_say_so_is_refused(surface: str, old: str, new: str) -> None:
    with pytest.raises(ProblemError) as caught:
        names.judged(before(old), without(surface), new)
    (problem,) = caught.value.problems
    assert problem.where == f"{surface}.Gone"
    assert new in problem.what
    assert problem.hint


@pytest.mark.parametrize(
    ("surface", "old", "new"),
    [
        ("v1", "2.4.0", "2.5.0"),
        ("v1", "2.4.0", "3.0.0"),
        ("v1", "2.4.0", "1!2.4.0"),
        ("v1", "2.4.0a1", "2.4.0a2"),
        ("v1", "2.4.0rc1", "2.4.0"),
        ("v2_unstable", "2.4.0", "2.4.1"),
        ("v2_unstable", "2.4.0.post2", "2.4.1"),
    ],
)
def test_a_version_that_says_so_may_take_a_name(surface: str, old: str, new: str) -> None:
    found = names.judged(before(old), without(surface), new)
    assert found.removed == (f"{surface}.Gone",)


def test_the_hint_names_a_version_that_would_do() -> None:
    with pytest.raises(ProblemError) as caught:
        names.judged(before("2.4.0"), without("v1"), "2.4.1")
    (problem,) = caught.value.problems
    assert 'version = "2.5.0"' in problem.hint
    names.judged(before("2.4.0"), without("v1"), "2.5.0")


def test_a_rename_that_keeps_the_old_name_takes_nothing() -> None:
    now = Manifest(
        names={**NAMES, "v1": {"Kept": "k", "New": "g", "More": "m"}},
        aliases={"v1": {"Gone": "New"}},
        files={"a": "2"},
    )
    found = names.judged(before("2.4.0"), now, "2.4.0.post1")
    assert found == names.Changes(("v1.More", "v1.New"), ("v1.Gone -> New",), ())


def test_an_alias_that_goes_is_a_name_that_goes() -> None:
    old = Manifest(names={"v1": {"New": "g"}}, aliases={"v1": {"Old": "New"}})
    now = Manifest(names={"v1": {"New": "g"}}, files={"a": "2"})
    with pytest.raises(ProblemError, match=r"v1\.Old"):
        names.judged(before("2.4.0", old), now, "2.4.1")


def test_a_surface_that_goes_is_one_item() -> None:
    now = Manifest(names={"v2_unstable": NAMES["v2_unstable"]}, files={"a": "2"})
    with pytest.raises(ProblemError) as caught:
        names.judged(before("2.4.0"), now, "2.4.1")
    assert [problem.where for problem in caught.value.problems] == ["v1.*"]
    assert names.judged(before("2.4.0"), now, "2.5.0").removed == ("v1.*",)


def test_a_version_only_goes_up() -> None:
    same = Manifest(names=NAMES, files={"a": "1"})
    for old, new in (("2.4.0", "2.3.0"), ("2.4.0.post1", "2.4.0"), ("2.4.0", "2.4.0rc1")):
        with pytest.raises(ProblemError, match="is older than"):
            names.judged(before(old), same, new)


def test_one_version_has_one_content() -> None:
    changed = Manifest(names=NAMES, files={"a": "2"})
    for old, revision in (("2.4.0", 1), ("2.4.0.post1", 2)):
        with pytest.raises(ProblemError) as caught:
            names.judged(before(old), changed, old)
        assert f"revision = {revision} " in caught.value.problems[0].hint
    same = Manifest(names=NAMES, files={"a": "1"})
    assert names.judged(before("2.4.0"), same, "2.4.0") == names.Changes()


def test_another_name_of_the_distribution_is_said() -> None:
    assert names.notices(before("1.0"), Manifest(), "acp-bindings") == []
    (notice,) = names.notices(before("1.0"), Manifest(), "mine")
    assert notice == "old.whl is a release of acp-bindings, this is mine"


@pytest.mark.parametrize("new", ["2.4.0", "2.4.0.post1", "2.4.1"])
def test_another_import_name_takes_every_name_away(new: str) -> None:
    old = before("2.4.0", named("team_acp"))
    with pytest.raises(ProblemError) as caught:
        names.judged(old, named("other_acp"), new)
    (problem,) = caught.value.problems
    if new != "2.4.0":  # which nothing but the same content may have
        assert "every name of team_acp is gone" in problem.what
        assert 'keep package = "team_acp"' in problem.hint
    assert problem.where == "old.whl"
    assert names.judged(old, named("team_acp"), new).removed == ()


def test_a_version_that_says_so_may_have_another_import_name() -> None:
    old = before("2.4.0", named("team_acp"))
    found = names.judged(old, named("other_acp"), "2.5.0")
    assert found.removed == ("v1.*", "v2_unstable.*")
    assert found.added == ("v1.Gone", "v1.Kept", "v2_unstable.Gone", "v2_unstable.Kept")
    (notice,) = names.notices(old, named("other_acp"), "acp-bindings")
    assert notice == "old.whl: the package was team_acp, it is other_acp now"
