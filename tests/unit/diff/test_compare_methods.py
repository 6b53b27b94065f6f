"""Methods, gates, capabilities and kinds of update of two small protocols."""

from __future__ import annotations

from typing import Any

from acpgen.spec.ir import Spec
from tests.unit.diff.small import STRING, Defs, changes, record, ref, request, said, spec, tagged

FLAG = {"type": "boolean"}


def protocol(capabilities: Defs, toml: str = "", **more: Any) -> Spec:
    """`initialize` with the agent's capabilities, and what else there is."""
    defs = {
        "Hello": request("initialize", record()),
        "HelloResponse": request("initialize", {**record(), "properties": capabilities}),
        **more,
    }
    root = '[roots]\nagent = "caps"\nclient = "caps"\n'
    return spec(defs, 1, root + toml)


def method(name: str, requires: str = "", **more: Any) -> str:
    head = f'[[method]]\nname = "{name}"\nside = "agent"\nkind = "request"\nsummary = "S."\n'
    gate = f'requires = "{requires}"\n' if requires else ""
    return head + gate + "".join(f"{key} = {value}\n" for key, value in more.items())


def objects(**properties: Any) -> Defs:
    return {"type": "object", "properties": properties}


ASK = {"Ask": request("ask", record("a")), "AskResponse": request("ask", record("b"))}


def test_methods_come_and_go() -> None:
    more = {**ASK, "Beg": request("beg", record())}
    assert said(ASK, more) == ["method.added beg", "type.added Beg"]
    assert said(more, ASK) == ["method.removed beg", "type.removed Beg"]


def test_a_method_that_goes_the_other_way_moved() -> None:
    other = {key: {**item, "x-side": "client"} for key, item in ASK.items()}
    (found,) = changes(ASK, other)
    assert (found.kind, found.detail["was"], found.detail["now"]) == (
        "method.moved",
        "agent",
        "client",
    )
    assert found.writers == {"agent", "client"}


def test_a_request_that_became_a_notification_is_of_another_kind() -> None:
    old = {"Ask": request("ask", record())}
    new = {"AskNotification": request("ask", record())}
    assert said(old, new) == ["method.kind ask", "type.renamed Ask -> AskNotification"]


def test_params_of_another_type_that_was_there_before_are_other_params() -> None:
    old = {**ASK, "Other": record("c"), "T": record(x=ref("Ask"), y=ref("Other"))}
    new = {
        "Ask": record("a"),
        "AskResponse": ASK["AskResponse"],
        "Other": request("ask", record("c")),
        "T": old["T"],
    }
    (found,) = changes(old, new)
    assert (found.kind, found.subject) == ("method.params", "ask")
    assert (found.detail["was"], found.detail["now"]) == ("Ask", "Other")


def test_each_replacing_the_other_in_its_version_is_a_rename() -> None:
    old = spec({"Ask": request("ask", record())}, 1, method("ask", replaced_by='["beg"]'))
    new = spec({"Beg": request("beg", record())}, 2, method("beg", replaced_by='["ask"]'))
    found = changes(old, new)
    assert [(item.kind, item.subject) for item in found] == [
        ("method.renamed", "ask"),
        ("type.renamed", "Ask"),
    ]
    assert found[0].evidence.startswith("methods.toml: ")


def test_a_method_whose_work_another_does_that_was_there_is_removed() -> None:
    both = {"Load": request("load", record()), "Resume": request("resume", record())}
    old = spec(both, 1, method("load", replaced_by='["resume"]') + method("resume"))
    rows = method("resume", replaced_by='["resume", "load"]')
    new = spec({"Resume": both["Resume"]}, 2, rows)
    found = changes(old, new)
    assert [item.kind for item in found] == ["method.removed", "type.removed"]
    assert found[0].detail["replaced_by"] == ["resume"]


# Capabilities


def test_a_capability_that_counts_differently_is_one_change() -> None:
    old = protocol({"caps": objects(image=FLAG)})
    new = protocol({"caps": objects(image={"type": ["object", "null"]})})
    (found,) = changes(old, new)
    assert (found.kind, found.subject) == ("capability.kind", "agent: image")
    assert (found.detail["was_kind"], found.detail["now_kind"]) == ("boolean", "object")


def test_a_capability_moves_where_one_gate_asks_for_it_on_both_sides() -> None:
    old = protocol({"caps": objects(image=FLAG)}, method("ask", "agent: image"), **ASK)
    caps = objects(prompt=objects(image=FLAG))
    new = protocol({"caps": caps}, method("ask", "agent: prompt.image"), **ASK)
    found = [item for item in changes(old, new) if item.area != "type"]
    assert [(item.kind, item.subject, item.new.name) for item in found] == [
        ("capability.moved", "agent: image", "agent: prompt.image"),
        ("capability.added", "agent: prompt", "agent: prompt"),
    ]
    assert found[0].evidence == "gate of ask"
    assert found[0].uses == ("ask",)


def test_a_group_goes_where_its_capabilities_went_and_absorbs_the_rest() -> None:
    more = {**ASK, "List": request("list", record()), "Drop": request("drop", record())}
    old = protocol(
        {"caps": objects(group=objects(list=FLAG, drop=FLAG))},
        method("ask") + method("list", "agent: group.list") + method("drop", "agent: group.drop"),
        **more,
    )
    new = protocol(
        {"caps": objects(session=objects(drop=FLAG))},
        method("ask", "agent: session")
        + method("list", "agent: session")
        + method("drop", "agent: session.drop"),
        **more,
    )
    found = [item for item in changes(old, new) if item.area in ("capability", "gate")]
    assert [(item.kind, item.subject, item.new.name) for item in found] == [
        ("capability.moved", "agent: group", "agent: session"),
        ("capability.moved", "agent: group.drop", "agent: session.drop"),
        ("capability.absorbed", "agent: group.list", "agent: session"),
        ("gate.added", "ask", "ask"),
    ]
    back = [item for item in changes(new, old) if item.area in ("capability", "gate")]
    assert [(item.kind, item.subject, item.new.name) for item in back] == [
        ("capability.moved", "agent: session", "agent: group"),
        ("capability.split", "agent: session", "agent: group.list"),
        ("capability.moved", "agent: session.drop", "agent: group.drop"),
        ("gate.removed", "ask", "ask"),
    ]


def test_gates_that_ask_for_something_else_changed() -> None:
    caps = {"caps": objects(a=FLAG, b=FLAG)}
    old = protocol(caps, method("ask", "agent: a"), **ASK)
    new = protocol(caps, method("ask", "any(agent: a, agent: b)"), **ASK)
    (found,) = changes(old, new)
    assert (found.kind, found.detail["now"]) == ("gate.changed", "any(agent: a, agent: b)")


def test_a_gate_that_comes_with_a_new_field_is_not_told_apart_from_it() -> None:
    check = '[[check]]\nmethods = ["ask"]\nat = "/extra"\nwhen = { present = true }\nrequires = "agent: a"\n'
    caps = {"caps": objects(a=FLAG)}
    old = protocol(caps, method("ask"), **ASK)
    more = {**ASK, "Ask": request("ask", record("a", "extra"))}
    new = protocol(caps, method("ask") + check, **more)
    assert said(old, new) == ["field.added Ask.extra"]
    # with the field there before, the gate is what is new
    before = protocol(caps, method("ask"), **more)
    assert said(before, new) == ["gate.added ask /extra -> ask"]


# Updates


def updates(*kinds: str, semantics: str = "append") -> Spec:
    update = {**tagged("kind", *kinds), "discriminator": {"propertyName": "kind"}}
    defs = {
        "Update": request("session/update", record(update=ref("SessionUpdate")), "client"),
        "Ask": request("ask", record()),
        "SessionUpdate": update,
    }
    defs["UpdateNotification"] = defs.pop("Update")
    toml = "".join(
        f'[[update]]\nkind = "{kind}"\nsemantics = "{semantics}"\nsummary = "S."\n'
        for kind in kinds
    )
    return spec(defs, 1, toml)


def test_the_semantics_of_an_update_are_compared_and_its_kind_is_its_use() -> None:
    old, new = updates("a", "b"), updates("a", "b", semantics="replace")
    found = changes(old, new)
    assert [(item.kind, item.subject) for item in found] == [
        ("update.semantics", "a"),
        ("update.semantics", "b"),
    ]
    assert found[0].uses == ("a",)
    assert found[0].writers == {"agent"}


def test_a_new_kind_of_update_is_a_variant_and_written_by_the_agent() -> None:
    (found,) = changes(updates("a"), updates("a", "b"))
    assert (found.kind, found.subject, found.uses) == (
        "variant.added",
        "SessionUpdate:b",
        ("b",),
    )
    assert found.writers == {"agent"}


# Direction


def test_who_writes_a_type_follows_from_the_messages_that_hold_it() -> None:
    def defs(extra: Defs) -> Defs:
        return {
            "Ask": request("ask", record(x=ref("In"), y=ref("Both"))),
            "AskResponse": request("ask", record(x=ref("Out"), y=ref("Both"))),
            "In": record(**extra),
            "Out": record(**extra),
            "Both": record(**extra),
            "Nobody": record(**extra),
        }

    found = changes(defs({}), defs({"n": STRING}))
    assert {item.subject: (set(item.writers), item.uses) for item in found} == {
        "In.n": ({"client"}, ("ask",)),
        "Out.n": ({"agent"}, ("ask",)),
        "Both.n": ({"agent", "client"}, ("ask",)),
        "Nobody.n": (set(), ()),
    }


def test_a_proxy_writes_only_what_no_message_of_the_peers_holds() -> None:
    def defs(extra: Defs) -> Defs:
        return {
            "Ask": request("ask", record(x=ref("In"))),
            "AskResponse": request("ask", record(x=ref("Out"))),
            "Pass": request("proxy/ask", record(x=ref("In"), y=ref("Own")), "proxy"),
            "PassResponse": request("proxy/ask", record(x=ref("Out")), "proxy"),
            "In": record(**extra),
            "Out": record(**extra),
            "Own": record(**extra),
        }

    found = changes(defs({}), defs({"n": STRING}))
    assert {item.subject: (set(item.writers), item.uses) for item in found} == {
        "In.n": ({"client"}, ("ask", "proxy/ask")),
        "Out.n": ({"agent"}, ("ask", "proxy/ask")),
        "Own.n": ({"agent", "client"}, ("proxy/ask",)),
    }
