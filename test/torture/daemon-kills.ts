// The daemon is killed again and again under living services and terminals that flood: no process ends, no byte is lost to who looks
// or to the recordings, everybody is attached again, and when it is over nothing is left.

import { parseArgs } from "node:util";
import { Prng } from "../../src/base/prng.ts";
import { setTimeout as sleep } from "node:timers/promises";
import { lookAt } from "../../src/keeper/os/processes.ts";
import { processesWith } from "../support/processes-with.ts";
import { leftOf, removeAll, untilRest } from "./rig/living.ts";
import { FloodViewer, flood, recordedLines } from "./rig/flood.ts";
import { counting, Follower } from "./rig/followed-services.ts";
import { TortureRig } from "./rig/torture-rig.ts";

const instancesMax = 25;
const terminalsPerRun = 5;

export async function daemonKills(args: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      kills: { type: "string", default: "100" },
      processes: { type: "string", default: "50" },
      terminals: { type: "string", default: "20" },
      seed: { type: "string", default: String(Date.now() % 1e6) },
    },
  });
  const [kills, processes, terminals] = [values.kills, values.processes, values.terminals].map(Number);
  console.log(`daemon-kills: ${kills} kills, ${processes} processes, ${terminals} terminals, seed ${values.seed}`);
  const mark = `daemon-kills-${process.pid}`;
  const rig = await TortureRig.open({ "a.txt": "a\n" }, mark);
  try {
    await rig.ask("project.add", { root: rig.sample.root, name: "kills" });
    const { agent, loud } = await serve(rig, processes ?? 0);
    const viewers = await look(rig, agent, terminals ?? 0);
    const follower = new Follower(rig.daemon.home, agent, loud);
    await Promise.all([...viewers, follower].map((each) => each.sees(1)));
    const before = processesOf(mark);
    const backMs = await kill(rig, viewers, new Prng(Number(values.seed)), kills ?? 0);
    // It may have been away through several of them.
    await follower.sees(follower.last + 2);
    const after = processesOf(mark);
    const dead = [...before].filter((pid) => !after.has(pid));
    const wrong = dead.map((pid) => `process ${pid} has ended`);
    wrong.push(...follower.wrong);
    await follower.close();
    wrong.push(...(await endAll(rig, viewers)));
    const now = await untilRest(rig, agent);
    for (const { name, life, state } of now?.services ?? [])
      if (life !== 1 || state !== "up") wrong.push(`${name} is ${state} in life ${life}`);
    const lines = viewers.reduce((sum, { last }) => sum + last, follower.lines);
    await removeAll(rig);
    await rig.ask("run.stop-all", { project: "kills" });
    wrong.push(...(await leftOf(rig, viewers.length)));
    for (const each of wrong) console.log(`WRONG: ${each}`);
    const median = backMs.toSorted((a, b) => a - b)[Math.floor(backMs.length / 2)] ?? 0;
    console.log(
      `from a kill until everybody was shown more: median ${median.toFixed(0)} ms, at most ${Math.max(...backMs).toFixed(0)} ms`,
    );
    console.log(`${kills} kills, ${before.size} processes, ${dead.length} dead, ${lines} lines, ${wrong.length} wrong`);
    return wrong.length === 0;
  } finally {
    await rig.close();
  }
}

type Served = { readonly agent: string; readonly loud: readonly string[] };

/** An agent with so many services: every other one does nothing, and the others count. */
async function serve(rig: TortureRig, count: number): Promise<Served> {
  const silent = ["sh", "-c", "while :; do sleep 1000; done"];
  const loud = Math.ceil(count / 2);
  const groups = [
    ...groupsOf("loud", loud, [...counting, rig.mark]),
    ...groupsOf("silent", count - loud, [...silent, rig.mark]),
  ];
  const template = `template: many\nservices:\n${groups.join("")}`;
  const { agent } = await rig.ask("agent.create", { project: "kills", template, file: "many.yaml" });
  const rested = await untilRest(rig, agent.id);
  if (rested?.state !== "running") throw new Error(`the agent is ${rested?.state}: ${rested?.because}`);
  const names = rested.services.map(({ name }) => name);
  return { agent: agent.id, loud: names.filter((name) => name.startsWith("loud")) };
}

function groupsOf(name: string, count: number, command: readonly string[]): string[] {
  return Array.from({ length: Math.ceil(count / instancesMax) }, (_, at) => {
    const instances = Math.min(instancesMax, count - at * instancesMax);
    return `  ${name}${at}: { command: ${JSON.stringify(command)}, instances: ${instances} }\n`;
  });
}

/** Terminals that flood, every other one in the living agent and the others in the cages of some runs, and one at each who is shown everything. */
async function look(rig: TortureRig, agent: string, count: number): Promise<FloodViewer[]> {
  const viewers: FloodViewer[] = [];
  const open = async (where: { readonly run: string } | { readonly agent: string }): Promise<void> => {
    const { terminal } = await rig.ask("terminal.open", { ...where, argv: [...flood, rig.mark] });
    viewers.push(new FloodViewer(rig.daemon.home, terminal));
  };
  for (let at = 0; at < Math.floor(count / 2); at++) await open({ agent });
  for (let run = "", at = 0; viewers.length < count; at++) {
    if (at % terminalsPerRun === 0) {
      const script = JSON.stringify({ task: "terminals", steps: [{ ask: "may I end?" }] });
      ({ run } = await rig.ask("run.submit", { project: "kills", runner: "script", script }));
      await rig.ask("run.wait", { run, states: ["awaiting-input"], waitMs: 20_000 });
    }
    await open({ run });
  }
  return viewers;
}

/** Says how long it took each time until everybody was shown more. */
async function kill(rig: TortureRig, viewers: readonly FloodViewer[], chance: Prng, kills: number): Promise<number[]> {
  const tookMs: number[] = [];
  for (let at = 0; at < kills; at++) {
    await sleep(chance.between(0, 300));
    const startMs = performance.now();
    await rig.killDaemon();
    await Promise.all(viewers.map((viewer) => viewer.sees(viewer.last + 1)));
    tookMs.push(performance.now() - startMs);
  }
  return tookMs;
}

/** Lets all terminals come to their ends, and compares what was shown and what is recorded with what was said. */
async function endAll(rig: TortureRig, viewers: readonly FloodViewer[]): Promise<string[]> {
  const found: string[] = [];
  for (const viewer of viewers) {
    await viewer.finish();
    const { wrong, last, terminal } = viewer;
    const recorded = await recordedLines(rig, terminal);
    found.push(...wrong);
    if (recorded.wrong !== null) found.push(`the recording of ${terminal}: ${recorded.wrong}`);
    if (recorded.last !== last) found.push(`${terminal} was shown up to ${last} and recorded up to ${recorded.last}`);
  }
  return found;
}

/** Without their children: a shell that starts something is there twice for a moment. */
function processesOf(mark: string): Set<number> {
  const found = new Set(processesWith(mark));
  return new Set([...found].filter((pid) => !found.has(lookAt(pid)?.parent ?? 0)));
}
