// Services that do their worst: one forks without end, one floods, one takes no signal, one eats memory, one ends at once. Each is
// there twice: in an agent of its own, and beside others in one agent with a service that does its work. Two do their work, then,
// the second one in an agent by itself: they are never ended, never unwell, and always answer.

import { parseArgs } from "node:util";
import { setTimeout as sleep } from "node:timers/promises";
import { outerHost } from "../../src/protocol/keeper/outer-host.ts";
import type { AgentView } from "../../src/protocol/wire/agent.ts";
import { leftOf, removeAll, untilRest } from "./rig/living.ts";
import { TortureRig } from "./rig/torture-rig.ts";

const server = `
require("http").createServer((asked, answer) => answer.end(String(process.pid)))
  .listen(Number(process.env.PORT), "127.0.0.1");
`;
const good = `
template: good
services:
  web: { command: node server.js, ports: [http], health: { http: /, interval: 1s, timeout: 800ms, retries: 5 } }
`;
const bad: Readonly<Record<string, string>> = {
  forks: "{ command: 'f() { f | f & f; }; f', limits: { processes: 60 }, restart: { delay: 200ms, limit: 1000 } }",
  floods: "{ command: yes flooding, logs: { max_size: 1MiB, keep: 2 } }",
  stubborn: `{ command: "trap '' TERM INT HUP; while :; do sleep 1; done", stop: { grace: 1s } }`,
  eats: "{ command: 'tail /dev/zero', limits: { memory: 64MiB }, restart: { delay: 200ms, limit: 1000 } }",
  ends: "{ command: exit 7, restart: { delay: 10ms, limit: 3 } }",
};

export async function badNeighbours(args: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({ args: [...args], options: { seconds: { type: "string", default: "60" } } });
  console.log(`bad-neighbours: ${Object.keys(bad).join(", ")} beside one that works, for ${values.seconds} s`);
  const rig = await TortureRig.open({ "server.js": server }, `bad-neighbours-${process.pid}`);
  try {
    await rig.ask("project.add", { root: rig.sample.root, name: "street" });
    const create = async (template: string): Promise<AgentView> =>
      (await rig.ask("agent.create", { project: "street", template, file: "stack.yaml" })).agent;
    const working = await untilRest(rig, (await create(good)).id);
    if (working?.state !== "running") throw new Error(`the good one does not come up: ${working?.because}`);
    for (const [name, service] of Object.entries(bad)) await create(`template: ${name}\nservices:\n  it: ${service}\n`);
    const all = Object.entries(bad).map(([name, service]) => `  ${name}: ${service}\n`);
    const { id } = await create(`${good.replace("good", "siblings")}${all.join("")}`);
    const sibling = await untilWell(rig, id);
    const untilMs = performance.now() + 1000 * Number(values.seconds);
    const watched = await Promise.all([watch(rig, working, untilMs, true), watch(rig, sibling, untilMs, false)]);
    const asked = watched.reduce((sum, each) => sum + each.asked, 0);
    const wrong = watched.flatMap((each) => each.wrong);
    const { agents } = await rig.ask("agent.list", {});
    console.log(agents.map(({ name, state, services }) => `${name} ${state}, life ${services[0]?.life}`).join("; "));
    await removeAll(rig);
    wrong.push(...(await leftOf(rig, agents.length)));
    for (const each of wrong) console.log(`WRONG: ${each}`);
    console.log(`${asked} questions were answered, ${wrong.length} wrong`);
    return wrong.length === 0;
  } finally {
    await rig.close();
  }
}

/** Its first service answers, whatever the others do. */
async function untilWell(rig: TortureRig, agent: string): Promise<AgentView> {
  for (;;) {
    const { agent: found } = await rig.ask("agent.get", { agent });
    if (found.services[0]?.healthy === true) return found;
    await sleep(50);
  }
}

/** Asks a good one until the time is over. */
async function watch(
  rig: TortureRig,
  agent: AgentView,
  untilMs: number,
  isAlone: boolean,
): Promise<{ asked: number; wrong: string[] }> {
  const port = agent.services[0]?.ports[0]?.port;
  const ask = (): Promise<string> =>
    fetch(`http://${outerHost}:${port}/`, { signal: AbortSignal.timeout(20_000) }).then(
      (answer) => answer.text(),
      (error: unknown) => `nobody: ${String(error)}`,
    );
  const first = await ask();
  const wrong = new Set<string>();
  let asked = 0;
  while (performance.now() < untilMs) {
    const said = await ask();
    asked++;
    if (said !== first) wrong.add(`answered by ${said} and not by ${first}`);
    await sleep(50);
  }
  const now = (await rig.ask("agent.get", { agent: agent.id })).agent;
  const [web] = now.services;
  if (web?.life !== 1 || web.healthy !== true || (isAlone && now.state !== "running"))
    wrong.add(`it is in life ${web?.life}, ${web?.healthy === true ? "well" : "not well"}, its agent ${now.state}`);
  return { asked, wrong: [...wrong] };
}
