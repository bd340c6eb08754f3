// Runs and units that need a person for what does not happen by itself: a budget that is spent, a model that turns everybody away, a run
// that gets nowhere, a process that nobody can prove dead.

import type { Client } from "../../src/client/client.ts";

/** An agent of the Agent Client Protocol that asks its model once and ends no turn, or says that its model turns it away. */
const agent = `
import { createInterface } from "node:readline";
const [relay, token, how] = process.argv.slice(2);
const say = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
const ask = () =>
  fetch(relay + "/v1/messages", {
    method: "POST",
    headers: { "x-api-key": token, "content-type": "application/json" },
    body: JSON.stringify({ model: "claude-sonnet-4-5", max_tokens: 1000, messages: [{ role: "user", content: "Hi" }] }),
  });
createInterface({ input: process.stdin }).on("line", async (line) => {
  const { id, method } = JSON.parse(line);
  if (method === "initialize") say({ id, result: { protocolVersion: 1, agentCapabilities: {} } });
  else if (method === "session/new") say({ id, result: { sessionId: "s1" } });
  else if (method !== "session/prompt") return;
  else if (how === "limited") say({ id, error: { code: 429, message: "rate limit: slow down" } });
  else await ask();
});
`;

/** Makes a runner whose model is asked at most for nothing: whoever it is sent to, no request leaves the daemon. */
async function defineRunner(client: Client, name: string): Promise<string> {
  await client.call("secret.set", { name: "NOBODYS_KEY", value: "sk-nobodys-000000" });
  await client.call("runner.set", {
    ...{ name, command: ["node", "{home}/agent.mjs", "{relay}", "{token}", name], format: "anthropic" },
    ...{ credential: "NOBODYS_KEY", baseUrl: "http://127.0.0.1:9", files: [{ path: "agent.mjs", text: agent }] },
  });
  return `acp:${name}`;
}

/** A run that has spent all that the policy `thrift` lets one run spend, $0.01. */
export async function submitSpent(client: Client, project: string, title: string): Promise<string> {
  const runner = await defineRunner(client, "spender");
  await client.call("policy.set", { name: "thrift", scope: { runner }, rules: { maxRunCostMicros: 10_000 } });
  const { run } = await client.call("run.submit", { project, title, runner });
  await until(client, { run, types: ["model.refused"] });
  return run;
}

/** A run that has spent all that its profile `brief` lets it spend, $0.01. */
export async function submitHeld(client: Client, project: string, title: string): Promise<string> {
  const runner = await defineRunner(client, "spender");
  await client.call("profile.set", { name: "brief", settings: { runner, maxCostMicros: 10_000 } });
  const { run } = await client.call("run.submit", { project, title, profile: "brief" });
  await until(client, { run, types: ["model.refused"] });
  return run;
}

/** A run whose model turns it away for an hour. */
export async function submitDelayed(client: Client, project: string, title: string): Promise<string> {
  const runner = await defineRunner(client, "limited");
  await client.call("policy.set", { name: "patient", scope: { runner }, rules: { retryWaitMs: 3_600_000 } });
  const { run } = await client.call("run.submit", { project, title, runner });
  await client.waitForRun(run, { states: ["parked"] });
  return run;
}

/** A run that has given no sign of work for a second. A policy may have paused it for that. */
export async function submitStuck(
  client: Client,
  project: string,
  { title, onSilent }: { readonly title: string; readonly onSilent: "tell" | "pause" },
): Promise<string> {
  const profile = `silent-${onSilent}`;
  await client.call("policy.set", { name: profile, scope: { profile }, rules: { stuckAfterMs: 1000, onSilent } });
  await client.call("profile.set", { name: profile, settings: { runner: "script" } });
  const script = JSON.stringify({ task: "waits", steps: [{ run: "sleep 1000" }] });
  const { run } = await client.call("run.submit", { project, title, profile, script });
  await until(client, { run, types: ["run.stuck"] });
  return run;
}

/** A process whose holder has gone. */
export async function closeUnit(client: Client, project: string, unit: string): Promise<void> {
  const { seq } = await client.call("status", {});
  await client.call("claim.make", { project, units: [unit], as: "noor", ttlMs: 100 });
  await until(client, { after: seq, types: ["family.ended"] });
}

async function until(client: Client, sought: Parameters<Client["events"]>[0]): Promise<void> {
  for await (const _ of client.events({ after: 0, ...sought })) return;
}
