"""What each row of v1_v2.json comes to as findings, by hand.

A pattern is `KIND OLD -> NEW` with `*` for anything (see `tests.contract.diffs`), `note TOPIC` for a note, or
`no PATTERN` where a row says that something stays. Rows are named by their own first columns.
"""

from __future__ import annotations

# In the unstable schema of v1 the idle state has both fields already, beside those of the answer.
STOP_REASON = "field.[mr]*ed PromptResponse.stopReason -> *"

METHODS: dict[str, tuple[str, ...]] = {
    "initialize -> initialize": (
        "field.renamed InitializeRequest.clientCapabilities -> InitializeRequest.capabilities",
        "field.renamed InitializeResponse.agentCapabilities -> InitializeResponse.capabilities",
        "field.renamed InitializeRequest.clientInfo -> InitializeRequest.info",
        "field.renamed InitializeResponse.agentInfo -> InitializeResponse.info",
        "field.required InitializeRequest.clientInfo -> InitializeRequest.info",
        "field.required InitializeResponse.agentInfo -> InitializeResponse.info",
    ),
    "authenticate -> auth/login": (
        "method.renamed authenticate -> auth/login",
        "gate.added authenticate -> auth/login",
    ),
    "logout -> auth/logout": (
        "method.renamed logout -> auth/logout",
        "gate.changed logout -> auth/logout",
    ),
    "session/new -> session/new": (
        "field.optional NewSessionRequest.mcpServers -> *",
        "field.removed NewSessionResponse.modes -> ",
        "field.added  -> NewSessionResponse.availableCommands",
    ),
    "session/load -> None": ("method.removed session/load -> ",),
    "session/resume -> session/resume": (
        "field.added  -> ResumeSessionRequest.replayFrom",
        "capability.absorbed agent: sessionCapabilities.resume -> agent: session",
        "note session state",
    ),
    "session/list -> session/list": (
        "capability.absorbed agent: sessionCapabilities.list -> agent: session",
    ),
    "session/close -> session/close": (
        "capability.absorbed agent: sessionCapabilities.close -> agent: session",
    ),
    "session/delete -> session/delete": (
        "capability.moved agent: sessionCapabilities.delete -> agent: session.delete",
    ),
    "session/prompt -> session/prompt": (
        STOP_REASON,
        "field.added  -> PromptResponse.messageId",
        "note turn end",
    ),
    "session/cancel -> session/cancel": ("note turn end", "note permission on cancel"),
    "session/set_mode -> None": ("method.removed session/set_mode -> ",),
    "session/set_config_option -> session/set_config_option": (
        "variant.tag_required SetSessionConfigOptionRequest:value_id -> *:id",
        "type.open SetSessionConfigOptionRequest -> *",
        "gate.added session/set_config_option /type -> *",
    ),
    "session/request_permission -> session/request_permission": (
        "field.moved RequestPermissionRequest.toolCall -> *",
        "field.added  -> RequestPermissionRequest.subject",
        "field.added  -> RequestPermissionRequest.title",
        "field.bounds RequestPermissionRequest.options -> *",
    ),
    "session/update -> session/update": (
        "variant.added  -> SessionUpdate:*",
        "variant.removed SessionUpdate:* -> ",
        "type.open SessionUpdate -> SessionUpdate",
    ),
    "elicitation/create -> elicitation/create": (
        "type.changed *Elicitation*orm* -> *",
        "field.required ElicitationSchema.type -> *",
        "field.required ElicitationSchema.properties -> *",
    ),
    "elicitation/complete -> elicitation/complete": (
        "no method.* elicitation/complete -> *",
        "no field.* CompleteElicitationNotification.* -> *",
        "no gate.* elicitation/complete -> *",
    ),
    "$/cancel_request -> $/cancel_request": (
        "no method.* $/cancel_request -> *",
        "no field.* CancelRequestNotification.* -> *",
        "no gate.* $/cancel_request -> *",
    ),
    "fs/read_text_file -> None": ("method.removed fs/read_text_file -> ",),
    "fs/write_text_file -> None": ("method.removed fs/write_text_file -> ",),
    "terminal/create -> None": ("method.removed terminal/create -> ",),
    "terminal/output -> None": ("method.removed terminal/output -> ",),
    "terminal/release -> None": ("method.removed terminal/release -> ",),
    "terminal/wait_for_exit -> None": ("method.removed terminal/wait_for_exit -> ",),
    "terminal/kill -> None": ("method.removed terminal/kill -> ",),
    "None -> tool_call/cancel": ("method.added  -> tool_call/cancel",),
    "None -> terminal/cancel": ("method.added  -> terminal/cancel",),
    "auth/status -> auth/status": (
        "no method.* auth/status -> *",
        "no gate.* auth/status -> *",
        "no field.* AuthStatus* -> *",
    ),
    "auth/status_update -> auth/status_update": (
        "no method.* auth/status_update -> *",
        "no field.* AuthStatusUpdateNotification.* -> *",
    ),
    "providers/list -> providers/list": (
        "no method.* providers/list -> *",
        "no field.* ListProviders*.* -> *",
    ),
    "providers/set -> providers/set": ("field.bounds SetProviderRequest.baseUrl -> *",),
    "providers/disable -> providers/disable": (
        "no method.* providers/disable -> *",
        "no field.* DisableProvider*.* -> *",
    ),
    "session/fork -> session/fork": (
        "capability.moved agent: sessionCapabilities.fork -> agent: session.fork",
        "field.removed ForkSessionResponse.modes -> ",
        "field.added  -> ForkSessionResponse.availableCommands",
    ),
    "session/archive -> session/archive": (
        "capability.moved agent: sessionCapabilities.archive -> agent: session.archive",
    ),
    "session/unarchive -> session/unarchive": (
        "capability.moved agent: sessionCapabilities.archive -> agent: session.archive",
    ),
    "session/status -> session/status": (
        "capability.moved agent: sessionCapabilities.status -> agent: session.status",
        "field.added  -> SessionStatusResponse.state",
    ),
    "session/set_title -> session/set_title": (
        "capability.moved agent: sessionCapabilities.title -> agent: session.title",
    ),
    "mcp/message (request, client side) -> mcp/message (request, client side)": (
        "no method.* mcp/message -> *",
        "no field.* MessageMcp*.* -> *",
    ),
    "mcp/message (notification, agent side) -> mcp/message (notification, agent side)": (
        "no method.* mcp/message -> *",
        "no gate.* mcp/message* -> *",
    ),
    "proxy/initialize -> proxy/initialize": ("no method.* proxy/initialize -> *",),
    "proxy/successor -> proxy/successor": ("no method.* proxy/successor -> *",),
    "session/options -> session/options": (
        "field.removed SessionOptionsResponse.modes -> ",
        "field.added  -> SessionOptionsResponse.availableCommands",
        # what is asked there now, `agent: session`, is above the method's own gate: it always holds
        "gate.[rc][eh]*ed session/options /sessionId -> *",
        "no gate.added session/options /sessionId -> *",
    ),
}

UPDATES: dict[str, tuple[str, ...]] = {
    "user_message_chunk -> user_message_chunk": ("field.required ContentChunk.messageId -> *",),
    "agent_message_chunk -> agent_message_chunk": ("field.required ContentChunk.messageId -> *",),
    "agent_thought_chunk -> agent_thought_chunk": ("field.required ContentChunk.messageId -> *",),
    "None -> user_message": ("variant.added  -> SessionUpdate:user_message",),
    "None -> agent_message": ("variant.added  -> SessionUpdate:agent_message",),
    "None -> agent_thought": ("variant.added  -> SessionUpdate:agent_thought",),
    "None -> state_update": ("variant.added  -> SessionUpdate:state_update",),
    "tool_call -> None": ("variant.removed SessionUpdate:tool_call -> ",),
    "tool_call_update -> tool_call_update": (
        "update.semantics tool_call_update -> tool_call_update",
        "field.added  -> ToolCallUpdate.capabilities",
        "value.added  -> ToolCallStatus:paused",
        "value.added  -> ToolCallStatus:cancelled",
        "type.open ToolCallStatus -> *",
        "type.open ToolKind -> *",
    ),
    "None -> tool_call_content_chunk": ("variant.added  -> SessionUpdate:tool_call_content_chunk",),
    "None -> terminal_update": ("variant.added  -> SessionUpdate:terminal_update",),
    "None -> terminal_output_chunk": ("variant.added  -> SessionUpdate:terminal_output_chunk",),
    "plan -> plan_update": ("variant.removed SessionUpdate:plan -> ",),
    "plan_update (unstable, needs client plan) -> plan_update": (
        "capability.removed client: plan -> ",
        "gate.removed plan_update -> plan_update",
        "method.stability plan_update -> plan_update",
    ),
    "plan_removed (unstable, needs client plan) -> plan_removed (unstable)": (
        "gate.removed plan_removed -> plan_removed",
    ),
    "current_mode_update -> None": ("variant.removed SessionUpdate:current_mode_update -> ",),
    "available_commands_update -> available_commands_update": (
        "variant.tag_required AvailableCommand* -> AvailableCommand:command",
        "variant.tag_required AvailableCommandInput:* -> AvailableCommandInput:text",
    ),
    "config_option_update -> config_option_update": (
        "field.renamed SessionConfigOption.id -> SessionConfigOption.configId",
        "gate.removed config_option_update /configOptions* -> *",
    ),
    "session_info_update -> session_info_update": (
        "field.bounds SessionInfoUpdate.updatedAt -> *",
        "field.presence SessionInfoUpdate._meta -> *",
    ),
    "usage_update -> usage_update": ("field.presence UsageUpdate.cost -> *",),
    "notice -> notice": (
        "capability.removed client: session.notices -> ",
        "gate.removed notice -> notice",
    ),
    "compaction_update -> compaction_update": (
        "capability.removed client: session.compaction -> ",
        "gate.removed compaction_update -> compaction_update",
    ),
    "compaction_summary_chunk -> compaction_summary_chunk": (
        "gate.removed compaction_summary_chunk -> compaction_summary_chunk",
    ),
    "subagent_update (unstable) -> subagent_update (unstable)": (
        "capability.removed client: subagents -> ",
        "gate.removed subagent_update -> subagent_update",
    ),
    "session_message (unstable) -> session_message (unstable)": (
        "gate.removed session_message -> session_message",
    ),
    "session_message_chunk (unstable) -> session_message_chunk (unstable)": (
        "gate.removed session_message_chunk -> session_message_chunk",
    ),
}

CAPABILITIES: dict[str, tuple[str, ...]] = {
    "agent: agentCapabilities -> capabilities": (
        "field.renamed InitializeResponse.agentCapabilities -> InitializeResponse.capabilities",
    ),
    "client: clientCapabilities -> capabilities": (
        "field.renamed InitializeRequest.clientCapabilities -> InitializeRequest.capabilities",
    ),
    "agent: (implicit: every agent has sessions) -> session": (
        "gate.added session/new -> session/new",
        "gate.added session/prompt -> session/prompt",
        "gate.added session/cancel -> session/cancel",
        "gate.added session/update -> session/update",
    ),
    "agent: (stdio mandatory, no marker) -> session.mcp.stdio": (
        "capability.added  -> agent: session.mcp.stdio",
        "note stdio MCP",
    ),
    "agent: auth.logout -> (authMethods non-empty)": (
        "capability.removed agent: auth.logout -> ",
        "gate.changed logout -> auth/logout",
    ),
    "agent: auth.status -> auth.status": ("no capability.* agent: auth.status -> *",),
    "agent: providers -> providers": ("no capability.* agent: providers -> *",),
    "agent: auth -> auth": ("field.nullable AgentCapabilities.auth -> *",),
    "client: auth.terminal -> auth.terminal": (
        "capability.kind client: auth.terminal -> client: auth.terminal",
    ),
    "client: elicitation.form -> elicitation.form": (
        "no capability.* client: elicitation.form -> *",
    ),
    "client: elicitation.url -> elicitation.url": ("no capability.* client: elicitation.url -> *",),
}
"""Rows that are more than a path and what became of it; the others follow from their columns."""

FIELDS: dict[str, tuple[str, ...]] = {
    "initialize params: clientCapabilities": (
        "field.renamed InitializeRequest.clientCapabilities -> InitializeRequest.capabilities",
    ),
    "initialize params: clientInfo (optional)": (
        "field.renamed InitializeRequest.clientInfo -> InitializeRequest.info",
        "field.required InitializeRequest.clientInfo -> InitializeRequest.info",
    ),
    "initialize result: agentCapabilities": (
        "field.renamed InitializeResponse.agentCapabilities -> InitializeResponse.capabilities",
    ),
    "initialize result: agentInfo (optional)": (
        "field.renamed InitializeResponse.agentInfo -> InitializeResponse.info",
        "field.required InitializeResponse.agentInfo -> InitializeResponse.info",
    ),
    "AuthMethod*: id": (
        "field.renamed AuthMethodAgent.id -> AuthMethodAgent.methodId",
        "field.renamed AuthMethodTerminal.id -> AuthMethodTerminal.methodId",
    ),
    "AuthMethodAgent: type optional (absent = agent)": (
        "variant.tag_required AuthMethod:agent -> AuthMethod:agent",
    ),
    "AuthMethodTerminal: env: object map": ("field.type AuthMethodTerminal.env -> *",),
    "SessionConfigOption: id": (
        "field.renamed SessionConfigOption.id -> SessionConfigOption.configId",
    ),
    "SessionConfigSelectGroup: group": (
        "field.renamed SessionConfigSelectGroup.group -> SessionConfigSelectGroup.groupId",
    ),
    "SetSessionConfigOptionRequest: type optional, default id": (
        "variant.tag_required SetSessionConfigOptionRequest:value_id -> *:id",
    ),
    "AvailableCommand: flat {name, description, input}": (
        "variant.tag_required AvailableCommand* -> AvailableCommand:command",
    ),
    "AvailableCommand.input: {hint}": (
        "variant.tag_required AvailableCommandInput:* -> AvailableCommandInput:text",
    ),
    "McpServer stdio: no type": ("variant.tag_required McpServer:stdio -> McpServer:stdio",),
    "McpServerStdio: args, env required": (
        "field.optional McpServerStdio.args -> *",
        "field.optional McpServerStdio.env -> *",
    ),
    "McpServerHttp: headers required": ("field.optional McpServerHttp.headers -> *",),
    "McpServerSse: present": (
        "variant.removed McpServer:sse -> ",
        "type.removed McpServerSse -> ",
    ),
    "session/new params: mcpServers required": (
        "field.optional NewSessionRequest.mcpServers -> *",
    ),
    "session/load params: mcpServers required": (
        "method.removed session/load -> ",
        "type.removed LoadSessionRequest -> ",
    ),
    "session setup results: modes": (
        "field.removed NewSessionResponse.modes -> ",
        "field.removed ResumeSessionResponse.modes -> ",
    ),
    "session setup results: (none)": (
        "field.added  -> NewSessionResponse.availableCommands",
        "field.added  -> ResumeSessionResponse.availableCommands",
    ),
    "session setup results: configOptions may be null": (
        "field.non_nullable NewSessionResponse.configOptions -> *",
        "field.non_nullable ResumeSessionResponse.configOptions -> *",
    ),
    "session/prompt result: stopReason": (
        STOP_REASON,
        "field.added  -> PromptResponse.messageId",
    ),
    "session/prompt result: usage (unstable)": ("field.[mr]*ed PromptResponse.usage -> *",),
    "session/prompt params: prompt may be empty": ("field.bounds PromptRequest.prompt -> *",),
    "RequestPermissionRequest: toolCall (required)": (
        "field.moved RequestPermissionRequest.toolCall -> ToolCallPermissionSubject.toolCall",
        "field.added  -> RequestPermissionRequest.subject",
    ),
    "RequestPermissionRequest: (none)": (
        "field.added  -> RequestPermissionRequest.title",
        "field.added  -> RequestPermissionRequest.description",
    ),
    "Diff: path, oldText, newText": (
        "field.removed Diff.path -> ",
        "field.removed Diff.oldText -> ",
        "field.removed Diff.newText -> ",
        "field.added  -> Diff.changes",
        "field.added  -> Diff.patch",
    ),
    "ContentChunk.messageId: optional, nullable": ("field.required ContentChunk.messageId -> *",),
    "ResourceLink: (none)": ("field.added  -> ResourceLink.icons",),
    "Annotations.priority: unbounded": ("field.bounds Annotations.priority -> *",),
    "TerminalExitStatus.exitCode: uint32": ("field.bounds TerminalExitStatus.exitCode -> *",),
    "ResourceLink.size: int64": ("field.bounds ResourceLink.size -> *",),
    "ToolCallLocation.line: >= 0": ("field.bounds ToolCallLocation.line -> *",),
    "JSON-RPC request id: string | int64 | null": ("variant.removed RequestId:Null -> ",),
    "SessionInfo.additionalDirectories: default-on-error + skip invalid": (
        "field.tolerance SessionInfo.additionalDirectories -> *",
    ),
    "ListSessionsResponse.nextCursor: string|null default-on-error": (
        "field.tolerance ListSessionsResponse.nextCursor -> *",
    ),
    "paths (cwd, additionalDirectories, command, DiffPathChange …): string": (
        "type.added  -> AbsolutePath",
    ),
}

SEMANTICS: dict[str, tuple[str, ...]] = {
    "modes": ("note modes", "method.removed session/set_mode -> "),
    "updates": ("note updates", "update.semantics tool_call_update -> *"),
    "enums and unions": ("note enums and unions", "type.open ContentBlock -> *"),
}
"""Rows that are findings beside the note of their topic."""
