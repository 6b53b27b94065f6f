from __future__ import annotations

import pytest

from acpgen.runtime.expressions import ExpressionError, parse

FORMS = [
    "agent: session.mcp.http",
    'agent: nes.events.document.didChange.syncKind = "incremental"',
    "any(agent: loadSession, agent: sessionCapabilities.resume)",
    "all(agent: session, not(state: own_session), any(never, client: terminal))",
    "never",
    "state: auth_methods",
]


@pytest.mark.parametrize("text", FORMS)
def test_an_expression_is_written_as_it_is_read(text: str) -> None:
    assert str(parse(text)) == text
    spaced = text.replace("(", " ( ").replace(":", " : ").replace(",", "  ,")
    assert parse(spaced) == parse(text)


def test_the_leaves_of_an_expression() -> None:
    assert [str(leaf) for leaf in parse(FORMS[3]).leaves()] == [
        "agent: session",
        "state: own_session",
        "client: terminal",
    ]


@pytest.mark.parametrize(
    ("text", "position", "message"),
    [
        ("", 0, "a side, `state`, `any`"),
        ("proxy: a", 0, "`proxy` is neither a side"),
        ("agent session", 6, "`:` was expected"),
        ("agent: a..b", 7, "wire names joined by dots"),
        ("any(agent: a", 12, "`)` was expected"),
        ("any()", 4, "a side, `state`, `any`"),
        ("not(never, never)", 0, "`not` takes one"),
        ("never never", 6, "nothing more"),
        ("agent: a = b", 11, "a string in double quotes"),
        ("state: ", 7, "the name of a state"),
    ],
)
def test_what_is_no_expression(text: str, position: int, message: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        parse(text)
    assert message in str(caught.value)
    assert caught.value.position == position
    assert f"character {position + 1} of `{text}`" in str(caught.value)
