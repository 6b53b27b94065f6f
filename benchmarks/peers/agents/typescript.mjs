// The agent on the official TypeScript SDK.
import { Readable, Writable } from "node:stream";
import * as acp from "@agentclientprotocol/sdk";

const methods = acp.methods.agent;
const update = acp.methods.client.session.update;

async function prompt(context) {
  const { sessionId } = context.params;
  const { text } = context.params.prompt[0];
  const [command, number] = text.split(" ");
  const send = (value) => context.client.notify(update, { sessionId, update: value });
  const say = (words) =>
    send({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: words } });
  if (command === "flood") {
    for (let index = 0, count = Number(number); index < count; index++) {
      const sent = say(`token ${index} of the answer, with some more words `);
      // Waiting for each would be slower, for none would keep all of them in memory.
      if ((index & 255) === 255) await sent;
    }
  } else if (command === "large") {
    await send({
      sessionUpdate: "tool_call_update",
      toolCallId: "t",
      status: "completed",
      content: [
        { type: "content", content: { type: "text", text: "x".repeat(Number(number)) } },
      ],
    });
  } else {
    await say(text);
  }
  return { stopReason: "end_turn" };
}

await acp
  .agent()
  .onRequest(methods.initialize, () => ({ protocolVersion: 1, agentCapabilities: {} }))
  .onRequest(methods.session.new, () => ({ sessionId: "s1" }))
  .onRequest(methods.session.prompt, prompt)
  .connect(acp.ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)))
  .closed;
process.exit(0);
