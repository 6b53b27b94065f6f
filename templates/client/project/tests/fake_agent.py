"""A small agent in plain JSON, for the tests: `fake_agent.py VERSION [STATE_FILE]`.

It does what the text of a prompt names. It knows nothing of the bindings, so that it can be wrong.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

VERSION = int(sys.argv[1])
STATE = Path(sys.argv[2]) if len(sys.argv) > 2 else None
OPTIONS = [
    {"optionId": "a", "name": "Allow", "kind": "allow_once"},
    {"optionId": "r", "name": "Reject", "kind": "reject_once"},
]
FORM = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "age": {"type": "integer", "minimum": 1}},
    "required": ["name"],
}


class Agent:
    def __init__(self) -> None:
        self.count = 0
        self.cancelled = False
        self.capabilities: Any = None
        self.model = "small"
        self.fast = True
        self.history: dict[str, list[str]] = {}
        if STATE is not None and STATE.exists():
            self.history = json.loads(STATE.read_text(encoding="utf-8"))

    # messages

    def send(self, **message: Any) -> None:
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        sys.stdout.flush()

    def update(self, session: str, kind: str, /, **values: Any) -> None:
        update = {"sessionUpdate": kind, **values}
        self.send(method="session/update", params={"sessionId": session, "update": update})

    def say(self, session: str, text: str, kind: str = "agent_message_chunk") -> None:
        self.update(session, kind, messageId="m1", content={"type": "text", "text": text})

    def read(self) -> dict[str, Any]:
        line = sys.stdin.readline()
        if not line:
            sys.exit(0)
        message: dict[str, Any] = json.loads(line)
        if message.get("method") == "session/cancel":
            self.cancelled = True
        return message

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        self.count += 1
        self.send(id=self.count, method=method, params=params)
        while True:
            message = self.read()
            if message.get("id") == self.count and "method" not in message:
                return message

    # requests

    def serve(self) -> None:
        while True:
            message = self.read()
            if "id" not in message or "method" not in message:
                continue
            name = message["method"].replace("/", "_")
            handler = getattr(self, name, None)
            if handler is None:
                self.send(id=message["id"], error={"code": -32601, "message": "unknown"})
                continue
            result = handler(message["params"])
            if "sessionId" in message["params"] and result is None:
                error = {"code": -32002, "message": "no such session"}
                self.send(id=message["id"], error=error)
                continue
            self.send(id=message["id"], result=result)
            if message["method"] == "session/prompt" and VERSION == 2:
                session = message["params"]["sessionId"]
                self.update(session, "state_update", state="running")
                stopped = self.carry_out(message["params"])
                self.update(session, "state_update", state="idle", stopReason=stopped)

    def initialize(self, params: dict[str, Any]) -> dict[str, Any]:
        info = {"name": "fake", "version": "1"}
        login = [{"id": "key", "methodId": "key", "type": "agent", "name": "A key"}]
        if VERSION == 2:
            self.capabilities = params["capabilities"]
            own: Any = {"session": {"delete": {}, "options": {}}}
            return {
                "protocolVersion": 2,
                "info": info,
                "capabilities": own,
                "authMethods": login,
            }
        self.capabilities = params.get("clientCapabilities")
        own = {
            "loadSession": True,
            "sessionCapabilities": {"list": {}, "delete": {}, "options": {}},
        }
        return {
            "protocolVersion": VERSION,
            "agentInfo": info,
            "agentCapabilities": own,
            "authMethods": login,
        }

    def options(self) -> list[dict[str, Any]]:
        key = "id" if VERSION == 1 else "configId"
        values = [{"value": name, "name": name.title()} for name in ("small", "large")]
        model = {"type": "select", "currentValue": self.model, "options": values}
        fast = {"type": "boolean", "currentValue": self.fast}
        return [{key: "model", "name": "Model", **model}, {key: "fast", "name": "Fast", **fast}]

    def begin(self, params: dict[str, Any]) -> None:
        """A session is set up: options begin anew, with what the client asks for."""
        self.model, self.fast = "small", True
        for entry in params.get("configOptions") or []:
            if entry["configId"] == "model":
                self.model = entry["value"]
            elif entry["configId"] == "fast":
                self.fast = entry["value"]

    def session_new(self, params: dict[str, Any]) -> dict[str, Any]:
        session = f"s{len(self.history) + 1}"
        self.history[session] = []
        self.begin(params)
        return {"sessionId": session, "configOptions": self.options()}

    def session_options(self, params: dict[str, Any]) -> dict[str, Any]:
        now = (self.model, self.fast)
        self.begin(params)
        found = self.options()
        self.model, self.fast = now
        return {"configOptions": found}

    def session_list(self, params: dict[str, Any]) -> dict[str, Any]:
        names = list(self.history)
        start = int(params.get("cursor") or 0)
        page = [{"sessionId": name, "cwd": "/", "title": f"T {name}"} for name in names[start:]][:1]
        more = {"nextCursor": str(start + 1)} if start + 1 < len(names) else {}
        return {"sessions": page, **more}

    def session_load(self, params: dict[str, Any]) -> dict[str, Any] | None:
        session = params["sessionId"]
        if session not in self.history:
            return None
        for said in self.history[session]:
            content = {"type": "text", "text": said}
            self.update(session, "user_message_chunk", messageId=said, content=content)
        self.begin(params)
        return {"configOptions": self.options()}

    session_resume = session_load

    def session_delete(self, params: dict[str, Any]) -> dict[str, Any] | None:
        return None if self.history.pop(params["sessionId"], None) is None else {}

    def session_set_config_option(self, params: dict[str, Any]) -> dict[str, Any]:
        if params["configId"] == "model":
            self.model = params["value"]
        return {"configOptions": self.options()}

    def authenticate(self, _params: dict[str, Any]) -> dict[str, Any]:
        return {}

    auth_login = authenticate

    def session_prompt(self, params: dict[str, Any]) -> dict[str, Any]:
        self.history[params["sessionId"]].append(params["prompt"][0]["text"])
        if STATE is not None:
            STATE.write_text(json.dumps(self.history), encoding="utf-8")
        if VERSION == 2:
            return {"messageId": "u1"}
        return {"stopReason": self.carry_out(params)}

    # prompts

    def carry_out(self, params: dict[str, Any]) -> str:
        name, _, argument = params["prompt"][0]["text"].partition(" ")
        self.cancelled = False
        handler = getattr(self, f"do_{name}", None)
        if handler is None:
            self.say(params["sessionId"], params["prompt"][0]["text"])
            return "end_turn"
        return handler(params["sessionId"], argument) or "end_turn"

    def do_stop(self, _session: str, reason: str) -> str:
        return reason

    def do_stream(self, session: str, _argument: str) -> None:
        self.say(session, "hm", "agent_thought_chunk")
        for piece in ("one ", "two ", "three"):
            self.say(session, piece)
        call = {"toolCallId": "t", "title": "Read it", "kind": "read", "status": "in_progress"}
        self.update(session, "tool_call" if VERSION == 1 else "tool_call_update", **call)
        content = [{"type": "content", "content": {"type": "text", "text": "what it says"}}]
        done = {"toolCallId": "t", "status": "completed", "content": content}
        self.update(session, "tool_call_update", **done)
        entries = [{"content": "a step", "priority": "high", "status": "completed"}]
        if VERSION == 1:
            self.update(session, "plan", entries=entries)
        else:
            plan = {"type": "items", "planId": "p", "entries": entries}
            self.update(session, "plan_update", plan=plan)
        self.update(session, "usage_update", used=5, size=10)

    def do_permission(self, session: str, argument: str) -> None:
        options = [] if argument == "none" else OPTIONS
        call = {"toolCallId": "t", "title": "Delete it"}
        subject = {"type": "tool_call", "toolCall": call}
        about: Any = {"title": "Delete it?", "subject": subject}
        if VERSION == 1:
            about = {"toolCall": call}
        answer = self.ask("session/request_permission", sessionId=session, options=options, **about)
        self.say(session, json.dumps(answer.get("result") or answer.get("error")))

    def do_late(self, session: str, _argument: str) -> str:
        """Asks as if it had not read yet that it was cancelled."""
        self.do_wait(session, "")
        self.do_permission(session, "")
        return "cancelled"

    def do_form(self, session: str, _argument: str) -> None:
        form = {"mode": "form", "message": "Who?", "requestedSchema": FORM}
        answer = self.ask("elicitation/create", sessionId=session, **form)
        self.say(session, json.dumps(answer.get("result") or answer.get("error")))

    def do_capabilities(self, session: str, _argument: str) -> None:
        self.say(session, json.dumps(self.capabilities))

    def do_call(self, session: str, argument: str) -> None:
        """A request to the client: its method, and its params as JSON."""
        method, _, params = argument.partition(" ")
        answer = self.ask(method, **{"sessionId": session, **json.loads(params)})
        self.say(session, json.dumps(answer.get("result", answer.get("error"))))

    def do_wait(self, session: str, _argument: str) -> str:
        self.say(session, "waiting")
        while not self.cancelled:
            self.read()
        return "cancelled"

    def do_hang(self, session: str, _argument: str) -> None:
        self.say(session, "hanging")
        while True:
            self.read()

    # what goes wrong

    def do_raw(self, session: str, argument: str) -> None:
        self.send(
            method="session/update", params={"sessionId": session, "update": json.loads(argument)}
        )

    def do_garbage(self, session: str, _argument: str) -> None:
        for line in ("Loaded credentials.", "", "{", "[1]", '{"jsonrpc": "2.0"}', "\x1b[2J"):
            sys.stdout.write(line + "\n")
        self.say(session, "after the garbage")

    def do_long(self, session: str, argument: str) -> None:
        sys.stdout.write("x" * int(argument) + "\n")
        self.say(session, "after the long line")

    def do_big(self, session: str, argument: str) -> None:
        text = "x\n" * int(argument)
        content = [{"type": "content", "content": {"type": "text", "text": text}}]
        self.update(session, "tool_call_update", toolCallId="b", title="Big", content=content)
        self.say(session, "after the big one")

    def do_exit(self, session: str, argument: str) -> None:
        self.say(session, "bye")
        sys.stderr.write("it \x1b[31mbroke\n")
        sys.stderr.flush()
        sys.exit(int(argument))


if __name__ == "__main__":
    if VERSION < 0:  # says nothing at all
        sys.stdin.read()
    Agent().serve()
