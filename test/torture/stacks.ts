// Many copies of a stack of five services side by side: every port is one copy's own, all are healthy and each talks to its own
// neighbours; removed, nothing of them is left.

import { parseArgs } from "node:util";
import { outerHost } from "../../src/protocol/keeper/outer-host.ts";
import type { AgentView } from "../../src/protocol/wire/agent.ts";
import { leftOf, removeAll, untilRest } from "./rig/living.ts";
import { TortureRig } from "./rig/torture-rig.ts";

/** Answers with its name and what the one behind it answers. */
const server = `
const { PORT, NEXT, SIGNALBOX_AGENT, SIGNALBOX_SERVICE } = process.env;
require("http").createServer(async (asked, answer) => {
  const behind = NEXT === undefined ? SIGNALBOX_AGENT : await fetch("http://127.0.0.1:" + NEXT).then((a) => a.text());
  answer.end(SIGNALBOX_SERVICE + " " + behind);
}).listen(Number(PORT), "127.0.0.1");
`;

const check = "ports: [http], health: { http: /, interval: 2s, timeout: 2s, start_period: 5m }";
const stack = `
template: stack
external:
  db: { command: node server.js, ${check} }
  cache: { command: node server.js, ${check} }
services:
  api: { command: node server.js, depends_on: [db, cache], env: { NEXT: "\${db.port}" }, ${check} }
  web: { command: node server.js, depends_on: [api], env: { NEXT: "\${api.port}" }, ${check} }
  worker: { command: sleep 100000, depends_on: [cache] }
`;

export async function stacks(args: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({ args: [...args], options: { copies: { type: "string", default: "20" } } });
  const copies = Number(values.copies);
  console.log(`stacks: ${copies} copies of a stack of five services`);
  const rig = await TortureRig.open({ "server.js": server }, `stacks-${process.pid}`);
  try {
    await rig.ask("project.add", { root: rig.sample.root, name: "stacks" });
    const startMs = performance.now();
    const made: AgentView[] = [];
    for (let at = 0; at < copies; at++)
      made.push((await rig.ask("agent.create", { project: "stacks", template: stack, file: "stack.yaml" })).agent);
    const agents = await Promise.all(made.map(({ id }) => untilRest(rig, id)));
    console.log(`all at rest after ${((performance.now() - startMs) / 1000).toFixed(1)} s`);
    const wrong = (await Promise.all(agents.map(wrongIn))).flat();
    const ports = agents.flatMap(
      (agent) => agent?.services.flatMap((each) => each.ports.map(({ port }) => port)) ?? [],
    );
    if (new Set(ports).size !== ports.length) wrong.push("some port was given to two");
    await removeAll(rig);
    wrong.push(...(await leftOf(rig, copies)));
    for (const each of wrong) console.log(`WRONG: ${each}`);
    console.log(`${copies} stacks, ${ports.length} ports, ${wrong.length} wrong`);
    return wrong.length === 0;
  } finally {
    await rig.close();
  }
}

async function wrongIn(agent: AgentView | null): Promise<string[]> {
  if (agent?.state !== "running") return [`an agent is ${agent?.state ?? "gone"}: ${agent?.because}`];
  const unwell = agent.services.filter(({ state, healthy }) => state !== "up" || healthy === false);
  const port = agent.services.find(({ name }) => name === "web")?.ports[0]?.port;
  const said = await fetch(`http://${outerHost}:${port}/`).then(
    (answer) => answer.text(),
    (error: unknown) => String(error),
  );
  return [
    ...unwell.map(({ name, state }) => `${name} of ${agent.name} is ${state}`),
    ...(said === `web api db ${agent.name}` ? [] : [`${agent.name} is answered by "${said}"`]),
  ];
}
