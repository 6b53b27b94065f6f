"""The copied facts about gates, as things to test: one `Fact` for each gate that they state."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
LIVE = ("stable", "unstable", "rfd")

STATES = {
    "authMethods_non_empty": "auth_methods",
    "session_advertised_modes": "session_modes",
    "session_advertised_config_options": "session_config_options",
    "tool_call_advertises_cancel": "tool_call_cancel",
    "terminal_advertises_cancel": "terminal_cancel",
    "acp_mcp_server_declared": "acp_mcp_server",
    "inner_mcp_request_active": "inner_mcp_request",
    "component_received_proxy_initialize": "proxy_component",
    "agent supports that filter value": "archive_filter",
    "agent supports that value type": "config_value_type",
    "agent supports that cursor type": "replay_cursor",
    "agent supports that custom block type": "content_type",
    "client advertised that mode (extension)": "elicitation_mode",
    "client advertised support for that state": "session_state",
    "both sides use the unstable v2 surface": "unstable_peer",
    "agent advertised an extension-specific transport marker (any key the extension defines, "
    "e.g. under session.mcp._meta)": "mcp_transport",
}
"""What the facts call a state -> our name for it."""


@dataclass(frozen=True)
class Fact:
    """One gate. part: method, params, result or update. gate: as the facts have it; None: baseline.

    side, kind: of the row; for an update those of session/update, and name is the kind of update.
    """

    version: str
    part: str
    name: str
    side: str
    kind: str
    stability: str
    gate: Any
    pointer: str = ""
    when: Any = None
    checked_by: str = ""
    error: Any = None

    @property
    def key(self) -> str:
        """How docs/gates.md names it."""
        place = f" {self.pointer}" if self.pointer else ""
        when = f" {json.dumps(self.when)}" if self.when is not None else ""
        return (
            f"{self.version} {self.part} {self.name} ({self.kind} to the {self.side}){place}{when}"
        )

    def __str__(self) -> str:
        return self.key


@cache
def gates() -> Mapping[str, Any]:
    found: Mapping[str, Any] = json.loads((HERE / "gates.json").read_text(encoding="utf-8"))
    return found


def facts() -> Iterator[Fact]:
    """Every gate that is stable, unstable or of a proposal, baselines included."""
    for version, facts_ in gates()["versions"].items():
        for method in facts_["methods"]:
            if method["stability"] in (*LIVE, "extension"):
                yield from _of_method(version, method)
        for update in facts_["update_variant_gates"]:
            common = (version, "update", update["discriminator"], "client", "notification")
            yield Fact(*common, update["stability"], update["gate"])
            for gate in update.get("payload_gates", ()):
                yield _placed(common, update["stability"], gate)


def _of_method(version: str, method: Mapping[str, Any]) -> Iterator[Fact]:
    def common(part: str) -> tuple[str, ...]:
        return version, part, method["method"], method["implemented_by"], method["kind"]

    error = (method["violation_error"] or {}).get("code")
    yield Fact(*common("method"), method["stability"], method["gate"], error=error)
    for part, key in (("params", "param_gates"), ("result", "result_gates")):
        for gate in method[key] or ():
            yield _placed(common(part), method["stability"], gate)


def _placed(common: tuple[str, ...], stability: str, gate: Mapping[str, Any]) -> Fact:
    return Fact(
        *common[:5],
        gate.get("stability", stability),
        gate["require"],
        gate["pointer"],
        gate["when"],
        gate["checked_by"] or "",
        (gate.get("error") or {}).get("code"),
    )


def capabilities(gate: Any) -> list[tuple[str, str, str]]:
    """(side, path, truth) of every capability in a gate."""
    if not isinstance(gate, Mapping):
        return []
    if "cap" in gate:
        return [(gate["of"], gate["cap"], gate["truth"])]
    parts = [*gate.get("any_of", ()), *gate.get("all_of", ())]
    parts += [gate["not"]] if "not" in gate else []
    return [item for part in parts for item in capabilities(part)]
