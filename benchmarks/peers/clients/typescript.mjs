// The client on the official TypeScript SDK.
import { spawn } from "node:child_process";
import { Readable, Writable } from "node:stream";
import * as acp from "@agentclientprotocol/sdk";

const [trips, chunks, characters] = process.argv.slice(2, 5).map(Number);
const [program, ...rest] = process.argv.slice(5);
const methods = acp.methods.agent;
const agent = spawn(program, rest, { stdio: ["pipe", "pipe", "inherit"] });
const received = { chunks: 0, characters: 0 };

function update({ params: { update: value } }) {
  if (value.sessionUpdate === "agent_message_chunk") received.chunks++;
  else for (const item of value.content) received.characters += item.content.text.length;
}

function check(name, expected) {
  if (received[name] !== expected) throw new Error(`${received[name]} ${name}, not ${expected}`);
}

const stream = acp.ndJsonStream(Writable.toWeb(agent.stdin), Readable.toWeb(agent.stdout));
const figures = {};
await acp
  .client()
  .onNotification(acp.methods.client.session.update, update)
  .connectWith(stream, async (connection) => {
    await connection.request(methods.initialize, { protocolVersion: 1, clientCapabilities: {} });
    const { sessionId } = await connection.request(methods.session.new, {
      cwd: "/tmp",
      mcpServers: [],
    });
    // Milliseconds that the prompt took.
    const prompt = async (text) => {
      const started = performance.now();
      const blocks = [{ type: "text", text }];
      await connection.request(methods.session.prompt, { sessionId, prompt: blocks });
      return performance.now() - started;
    };
    await prompt("warm up");
    const started = performance.now();
    for (let trip = 0; trip < trips; trip++) await prompt("hi");
    figures.trips = (trips / (performance.now() - started)) * 1000;
    check("chunks", trips + 1);
    figures.chunks = (chunks / (await prompt(`flood ${chunks}`))) * 1000;
    check("chunks", trips + 1 + chunks);
    figures.large = await prompt(`large ${characters}`);
    check("characters", characters);
  });
agent.stdin.end();
console.log(JSON.stringify(figures));
process.exit(0);
