// Many agents at once, each with a workspace, a cage and a keeper of its own: what they take of the machine, and that nothing
// of it is left when they end (I28).

import { readdirSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { TortureRig } from "./rig/torture-rig.ts";

/** What a daemon may keep open of agents that were there: its log, its pool, its caches. */
const spareHandles = 20;

type Taken = {
  readonly keepers: number;
  readonly megabytes: number;
  readonly handles: number;
  readonly mounts: number;
};

export async function liveWorkspaces(args: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({ args: [...args], options: { agents: { type: "string", default: "100" } } });
  const count = Number(values.agents);
  console.log(`live-workspaces: ${count} agents at once`);
  const files = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`src/${at}.txt`, `${at}\n`]));
  const rig = await TortureRig.open(files, `live-workspaces-${process.pid}`);
  try {
    await rig.ask("project.add", { root: rig.sample.root, name: "live" });
    const before = look(rig);
    const startMs = performance.now();
    const runs: string[] = [];
    for (let at = 0; at < count; at++) {
      const steps = [{ write: { path: `own/${at}.txt`, content: "mine\n" } }, { run: `: ${rig.mark}; cat src/7.txt` }];
      const script = JSON.stringify({ task: `n${at}`, steps: [...steps, { ask: "and now?" }] });
      runs.push((await rig.ask("run.submit", { project: "live", runner: "script", script })).run);
    }
    for (const run of runs) await until(rig, run, "awaiting-input");
    const readyMs = performance.now() - startMs;
    const during = look(rig);
    console.log(`all at work after ${(readyMs / 1000).toFixed(1)} s: ${toText(during)}`);
    await rig.ask("run.stop-all", { project: "live" });
    for (const run of runs) await until(rig, run, "terminated");
    const left = await rig.leftovers(count);
    const after = look(rig);
    console.log(`before: ${toText(before)}; after: ${toText(after)}`);
    const wrong = [
      ...left.map((what) => `left over: ${what}`),
      ...(during.keepers < count ? [`only ${during.keepers} keepers lived`] : []),
      ...(after.mounts === before.mounts ? [] : ["the machine has other mounts than before"]),
      ...(after.handles <= before.handles + spareHandles ? [] : ["the daemon keeps files open"]),
    ];
    for (const each of wrong) console.log(`WRONG: ${each}`);
    console.log(`${count} agents, ${wrong.length} wrong`);
    return wrong.length === 0;
  } finally {
    await rig.close();
  }
}

async function until(rig: TortureRig, run: string, state: "awaiting-input" | "terminated"): Promise<void> {
  for (;;) {
    const answer = await rig.ask("run.wait", { run, states: [state, "failed"], waitMs: 20_000 });
    if (answer.run.state === "failed") throw new Error(`${run} failed: ${answer.run.because}`);
    if (answer.reached) return;
  }
}

function look(rig: TortureRig): Taken {
  const { pid } = rig.daemon;
  const keepers = rig.keepers().filter(({ agent }) => agent !== null);
  const pids = [pid ?? 0, ...keepers.map((each) => each.pid)];
  const kilobytes = pids.map(ownKilobytes).reduce((sum, each) => sum + each, 0);
  return {
    keepers: keepers.length,
    megabytes: Math.round(kilobytes / 1024),
    handles: readdirSync(`/proc/${pid}/fd`).length,
    mounts: readFileSync("/proc/self/mounts", "utf8").split("\n").length,
  };
}

/** Memory that is a process's share, with what it has in common with others divided among them. */
function ownKilobytes(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

function toText({ keepers, megabytes, handles, mounts }: Taken): string {
  return `${keepers} keepers, ${megabytes} MB with the daemon's, ${handles} files open in the daemon, ${mounts} mounts outside`;
}
