// A client of ACP v2 for an agent that `acpgen new` made, on the official TypeScript SDK.
// usage: node scaffold_client_v2.mjs CWD AGENT_CMD...     ACP_UNSTABLE=1: session/options too; one JSON line per check, a summary last
import fs from "node:fs";
import path from "node:path";
import * as acp from "@agentclientprotocol/sdk/experimental/v2";
import { rec, summary, spawnAgent, webStreams, sleep, timeout } from "./lib_client.mjs";

const [cwd, ...command] = process.argv.slice(2);
const A = acp.methods.agent, C = acp.methods.client;
const updates = [], questions = [];
let answer = "allow";
const of = (kind) => updates.filter((u) => u.sessionUpdate === kind);
const states = () => of("state_update").map((u) => u.state).join();
const text = () => of("agent_message_chunk").map((u) => u.content.text).join("");
const seen = async (holds) => { while (!holds()) await sleep(5); };
const values = (result) => result.configOptions.map((o) => o.currentValue);

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
    const init = await ask(A.initialize, { protocolVersion: 2, info: { name: "scaffold-client", version: "1" }, capabilities: {} });
    await work({ cx, ask, check, init, proc });
  });
  return proc;
}

let sid, messageId, said, answerId;
const start = async (ask, words) => {
  updates.length = 0;
  ({ messageId } = await ask(A.session.prompt, { sessionId: sid, prompt: [{ type: "text", text: words }] }));
};
const prompt = async (ask, words) => {
  await start(ask, words);
  await seen(() => of("state_update").some((u) => u.state === "idle"));
  return of("state_update").at(-1).stopReason;
};

await connected(async ({ cx, ask, check, init, proc }) => {
  await check("initialize", async () => init.protocolVersion === 2 && !!init.capabilities.session);
  if (process.env.ACP_UNSTABLE === "1") {
    await check("session/options", async () => {
      const found = await ask("session/options", { cwd });
      const none = (await ask(A.session.list, { cwd })).sessions.length === 0;
      return none && values(found).join() === "plain,true" && found.availableCommands.length > 0 && updates.length === 0;
    });
    await check("session/new with configOptions", async () => {
      const made = await ask(A.session.new, { cwd, configOptions: [{ configId: "style", type: "id", value: "loud" }, { configId: "gone", type: "id", value: "x" }, { configId: "thoughts", type: "boolean", value: false }] });
      await ask(A.session.delete, { sessionId: made.sessionId });
      return values(made).join() === "loud,false";
    });
  }
  await check("session/new", async () => {
    const made = await ask(A.session.new, { cwd });
    sid = made.sessionId;
    return made.availableCommands.some((c) => c.name === "files") && values(made)[0] === "plain";
  });
  await check("streaming", async () => {
    const reason = await prompt(ask, "say this back to me");
    const echoed = of("user_message")[0];
    return reason === "end_turn" && states() === "running,idle" && echoed.messageId === messageId && text() === "You said: say this back to me" && of("agent_message_chunk").length > 2;
  });
  await check("tool call", async () => {
    const reason = await prompt(ask, "/files");
    const calls = of("tool_call_update");
    return reason === "end_turn" && calls[0].kind === "read" && calls.at(-1).status === "completed";
  });
  await check("permission allowed", async () => {
    const reason = await prompt(ask, "/write note.txt hello");
    return reason === "end_turn" && questions.length === 1 && states() === "running,requires_action,running,idle" && fs.readFileSync(path.join(cwd, "note.txt"), "utf8") === "hello\n";
  });
  await check("permission rejected", async () => {
    answer = "reject";
    await prompt(ask, "/write note.txt other");
    return questions.length === 2 && of("tool_call_update").at(-1).status === "failed" && fs.readFileSync(path.join(cwd, "note.txt"), "utf8") === "hello\n";
  });
  await check("set_config_option", async () => {
    const found = await ask(A.session.setConfigOption, { sessionId: sid, configId: "style", type: "id", value: "loud" });
    return values(found)[0] === "loud";
  });
  await check("cancel", async () => {
    await start(ask, "/wait 60");
    const held = ask(A.session.prompt, { sessionId: sid, prompt: [{ type: "text", text: "held" }] }).then(() => 0, (e) => e.code);
    await seen(() => text() === "waiting ");
    await cx.notify(A.session.cancel, { sessionId: sid });
    await seen(() => states() === "running,idle");
    return of("state_update").at(-1).stopReason === "cancelled" && (await held) === -32800;
  });
  await check("tool_call/cancel", async () => {
    await start(ask, "/wait 60");
    await seen(() => text() === "waiting ");
    await ask(A.toolCall.cancel, { sessionId: sid, toolCallId: of("tool_call_update")[0].toolCallId });
    await seen(() => states() === "running,idle");
    return of("tool_call_update").at(-1).status === "cancelled" && of("state_update").at(-1).stopReason === "end_turn";
  });
  await check("last words", async () => {
    const reason = await prompt(ask, "remember me");
    said = text(); answerId = of("agent_message_chunk")[0].messageId;
    return reason === "end_turn" && said === "You said: REMEMBER ME";
  });
  proc.kill("SIGKILL");
  await new Promise((done) => proc.on("exit", done));
}).catch(() => {});

const kept = messageId;
const proc = await connected(async ({ ask, check }) => {
  await check("list after the kill", async () => {
    const [found] = (await ask(A.session.list, { cwd })).sessions;
    return found.sessionId === sid && found.title === "say this back to me" && !!found.updatedAt;
  });
  await check("resume replays after the kill", async () => {
    updates.length = 0;
    const resumed = await ask(A.session.resume, { sessionId: sid, cwd, replayFrom: { type: "start" } });
    const user = of("user_message").at(-1), agent = of("agent_message").at(-1);
    const order = updates.at(-1).state === "idle" && of("state_update").length === 1;
    return values(resumed)[0] === "loud" && order && user.messageId === kept && agent.messageId === answerId && agent.content[0].text === said;
  });
  await check("prompt after the kill", async () => (await prompt(ask, "still here")) === "end_turn" && text() === "You said: STILL HERE");
  await check("resume without replay", async () => {
    updates.length = 0;
    await ask(A.session.resume, { sessionId: sid, cwd });
    return updates.length === 1 && updates[0].state === "idle";
  });
  await check("close", async () => { await ask(A.session.close, { sessionId: sid }); return true; });
  await check("delete", async () => {
    await ask(A.session.delete, { sessionId: sid });
    return (await ask(A.session.list, { cwd })).sessions.length === 0;
  });
});
proc.stdin.end();
process.exit(summary({ peer: "ts-scaffold-v2" }));
