// A client of ACP v1 for an agent that `acpgen new` made, on the official TypeScript SDK.
// usage: node scaffold_client_v1.mjs CWD AGENT_CMD...     ACP_UNSTABLE=1: session/options too; one JSON line per check, a summary last
import fs from "node:fs";
import path from "node:path";
import * as acp from "@agentclientprotocol/sdk";
import { rec, summary, spawnAgent, webStreams, sleep, timeout } from "./lib_client.mjs";

const [cwd, ...command] = process.argv.slice(2);
const A = acp.methods.agent, C = acp.methods.client;
const updates = [], questions = [];
let answer = "allow";
const of = (kind) => updates.filter((u) => u.sessionUpdate === kind);
const text = () => of("agent_message_chunk").map((u) => u.content.text).join("");
const seen = async (holds) => { while (!holds()) await sleep(5); };

async function connected(work) {
  const proc = spawnAgent(command);
  const app = acp.client({ name: "scaffold-client" })
    .onNotification(C.session.update, (c) => { updates.push(c.params.update); })
    .onRequest(C.session.requestPermission, (c) => {
      questions.push(c.params);
      return { outcome: { outcome: "selected", optionId: answer } };
    });
  await app.connectWith(acp.ndJsonStream(...webStreams(proc)), async (cx) => {
    const ask = (method, params) => timeout(cx.request(method, params), 15000, method);
    const check = async (name, test) => {
      try { const found = await test(); rec(name, found === true, found); }
      catch (e) { rec(name, "fail", `${e?.code ?? ""} ${e?.message ?? e}`); }
    };
    const init = await ask(A.initialize, { protocolVersion: 1, clientInfo: { name: "scaffold-client", version: "1" }, clientCapabilities: { session: { configOptions: { boolean: {} } } } });
    await work({ cx, ask, check, init, proc });
  });
  return proc;
}

let sid, ids, said;
const prompt = async (ask, words) => {
  updates.length = 0;
  return (await ask(A.session.prompt, { sessionId: sid, prompt: [{ type: "text", text: words }] })).stopReason;
};

const values = (result) => result.configOptions.map((o) => o.currentValue);

await connected(async ({ cx, ask, check, init, proc }) => {
  const sessionCapabilities = init.agentCapabilities.sessionCapabilities;
  await check("initialize", async () => init.protocolVersion === 1 && init.agentCapabilities.loadSession === true && !!sessionCapabilities.list);
  if (process.env.ACP_UNSTABLE === "1") {
    await check("session/options", async () => {
      const found = await ask("session/options", { cwd });
      const none = (await ask(A.session.list, { cwd })).sessions.length === 0;
      return none && values(found).join() === "plain,true" && updates.length === 0;
    });
    await check("session/new with configOptions", async () => {
      const made = await ask(A.session.new, { cwd, mcpServers: [], configOptions: [{ configId: "style", value: "loud" }, { configId: "gone", value: "x" }, { configId: "thoughts", type: "boolean", value: false }] });
      await ask(A.session.delete, { sessionId: made.sessionId });
      return values(made).join() === "loud,false";
    });
    updates.length = 0;
  }
  await check("session/new", async () => {
    sid = (await ask(A.session.new, { cwd, mcpServers: [] })).sessionId;
    await seen(() => of("available_commands_update").length === 1);
    return of("available_commands_update")[0].availableCommands.some((c) => c.name === "files");
  });
  await check("streaming", async () => {
    const reason = await prompt(ask, "say this back to me");
    return reason === "end_turn" && text() === "You said: say this back to me" && of("agent_message_chunk").length > 2 && of("agent_thought_chunk").length > 0;
  });
  await check("tool call", async () => {
    const reason = await prompt(ask, "/files");
    return reason === "end_turn" && of("tool_call")[0].kind === "read" && of("tool_call_update").at(-1).status === "completed";
  });
  await check("permission allowed", async () => {
    const reason = await prompt(ask, "/write note.txt hello");
    return reason === "end_turn" && questions.length === 1 && of("plan").length > 0 && fs.readFileSync(path.join(cwd, "note.txt"), "utf8") === "hello\n";
  });
  await check("permission rejected", async () => {
    answer = "reject";
    await prompt(ask, "/write note.txt other");
    return questions.length === 2 && of("tool_call_update").at(-1).status === "failed" && fs.readFileSync(path.join(cwd, "note.txt"), "utf8") === "hello\n";
  });
  await check("set_config_option", async () => {
    const found = await ask(A.session.setConfigOption, { sessionId: sid, configId: "style", value: "loud" });
    return values(found)[0] === "loud";
  });
  await check("cancel", async () => {
    const running = prompt(ask, "/wait 60");
    await seen(() => text() === "waiting ");
    await cx.notify(A.session.cancel, { sessionId: sid });
    return (await running) === "cancelled";
  });
  await check("last words", async () => {
    const reason = await prompt(ask, "remember me");
    said = text(); ids = of("agent_message_chunk").map((u) => u.messageId);
    return reason === "end_turn" && said === "You said: REMEMBER ME";
  });
  proc.kill("SIGKILL");
  await new Promise((done) => proc.on("exit", done));
}).catch(() => {});

const proc = await connected(async ({ ask, check }) => {
  await check("list after the kill", async () => {
    const [found] = (await ask(A.session.list, { cwd })).sessions;
    return found.sessionId === sid && found.title === "say this back to me" && !!found.updatedAt;
  });
  await check("load replays after the kill", async () => {
    updates.length = 0;
    const loaded = await ask(A.session.load, { sessionId: sid, cwd, mcpServers: [] });
    const last = of("agent_message_chunk").at(-1);
    const first = of("user_message_chunk")[0];
    return values(loaded)[0] === "loud" && first.content.text === "say this back to me" && last.content.text === said && ids.includes(last.messageId) && of("tool_call").length >= 3;
  });
  await check("prompt after the kill", async () => (await prompt(ask, "still here")) === "end_turn" && text() === "You said: STILL HERE");
  await check("resume", async () => {
    updates.length = 0;
    await ask(A.session.resume, { sessionId: sid, cwd, mcpServers: [] });
    return of("user_message_chunk").length === 0;
  });
  await check("close", async () => { await ask(A.session.close, { sessionId: sid }); return true; });
  await check("delete", async () => {
    await ask(A.session.delete, { sessionId: sid });
    return (await ask(A.session.list, { cwd })).sessions.length === 0;
  });
});
proc.stdin.end();
process.exit(summary({ peer: "ts-scaffold-v1" }));
