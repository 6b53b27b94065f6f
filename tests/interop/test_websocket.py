"""The official Python SDK's WebSocket transport, plugged in as it is, without an adapter."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from acp_bindings import v1, v2
from acp_bindings.runtime.errors import ConnectionClosed, RpcError
from acp_bindings.runtime.serve import serve

from tests.behaviour.ends import run
from tests.interop import agent_v1, agent_v2

websockets_server = pytest.importorskip("websockets.asyncio.server", reason="nox -s interop")
sdk = pytest.importorskip("acp.ws.client", reason="nox -s interop")


class Client1(v1.Client):
    """Keeps the text of the agent's messages."""

    def __init__(self) -> None:
        super().__init__()
        self.text = ""

    async def on_agent_message_chunk(self, session_id: str, update: v1.AgentMessageChunk) -> None:
        if isinstance(update.content, v1.TextContentBlock):
            self.text += update.content.text

    async def session_request_permission(
        self, params: v1.RequestPermissionRequest, agent: v1.AgentPeer
    ) -> v1.RequestPermissionResponse:
        outcome = v1.SelectedRequestPermissionOutcome(option_id=params.options[0].option_id)
        return v1.RequestPermissionResponse(outcome=outcome)


def test_the_sdks_websocket_transport_on_both_ends() -> None:
    async def serve_socket(socket: Any) -> None:
        # The server's end of the SDK binds its own agent; its client's transport fits here too.
        transport = sdk._WebSocketTransport(socket)
        await serve(transport, agent_v1.HarnessAgent(), agent_v2.HarnessAgent())

    async def scenario() -> None:
        async with websockets_server.serve(serve_socket, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            url = f"ws://127.0.0.1:{port}/acp"
            client = Client1()
            agent = await v1.connect(await sdk.create_websocket_stream(url), client)
            async with agent:
                new = await agent.session_new(v1.NewSessionRequest(cwd="/w", mcp_servers=[]))

                async def prompt(text: str) -> str:
                    client.text = ""
                    block = v1.TextContentBlock(text=text)
                    request = v1.PromptRequest(session_id=new.session_id, prompt=[block])
                    answer = await agent.session_prompt(request)
                    assert answer.stop_reason == "end_turn"
                    return client.text

                assert await prompt("h:echo é\u2028😀") == "é\u2028😀"
                assert await prompt("h:permission") == "permission:selected:allow"
                assert (await prompt("h:flood 500")).endswith("chunk 499flood-done")
                with pytest.raises(RpcError) as caught:
                    await agent.ext_request("_no/such")
                assert caught.value.code == -32601
                waiting = asyncio.create_task(prompt("h:wait"))
                await asyncio.sleep(0.05)
            with pytest.raises(ConnectionClosed):
                await waiting
            both: Any = await v1.connect(
                await sdk.create_websocket_stream(url), v1.Client(), v2.Client()
            )
            async with both:
                assert isinstance(both, v2.AgentPeer)
                assert await both.session_new(v2.NewSessionRequest(cwd="/w"))

    run(scenario())
