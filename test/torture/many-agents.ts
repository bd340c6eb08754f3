// Many agents contend for a few files while their keepers and the daemon are killed. Afterwards every run has ended, and the
// log shows no moment at which two held the same thing, nor a write that was taken from somebody who had lost it (I01, I03).

import { parseArgs } from "node:util";
import { Prng } from "../../src/base/prng.ts";
import { checkLog } from "./rig/check-log.ts";
import { killAtRandom, TortureRig } from "./rig/torture-rig.ts";

const fileCount = 30;

export async function manyAgents(args: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      agents: { type: "string", default: "200" },
      "at-once": { type: "string", default: "16" },
      kills: { type: "string", default: "80" },
      seed: { type: "string", default: String(Date.now() % 1e6) },
    },
  });
  const { agents, kills, seed } = values;
  console.log(`many-agents: ${agents} agents, ${values["at-once"]} at once, up to ${kills} kills, seed ${seed}`);
  const paths = Array.from({ length: fileCount }, (_, at) => `part-${at % 5}/${at}.txt`);
  const mark = `many-agents-${seed}-${process.pid}`;
  const rig = await TortureRig.open(Object.fromEntries(paths.map((path) => [path, "nobody\n"])), mark);
  try {
    await rig.ask("project.add", { root: rig.sample.root, name: "many" });
    const rules = { maxConcurrent: Number(values["at-once"]) };
    await rig.ask("policy.set", { name: "some", scope: { project: "many" }, rules });
    return await contend(rig, paths, new Prng(Number(seed)), { agents: Number(agents), kills: Number(kills) });
  } finally {
    await rig.close();
  }
}

async function contend(
  rig: TortureRig,
  paths: readonly string[],
  chance: Prng,
  { agents, kills }: { readonly agents: number; readonly kills: number },
): Promise<boolean> {
  const over = new AbortController();
  const killing = killAtRandom(rig, chance.stream("kills"), { kills, pauseMs: [100, 1500], signal: over.signal });
  const runs: string[] = [];
  for (let at = 0; at < agents; at++) {
    const script = scriptOf(`n${at}`, rig.mark, paths, chance.stream(`run ${at}`));
    runs.push((await rig.ask("run.submit", { project: "many", runner: "script", script, key: `n${at}` })).run);
  }
  await rig.untilOver(runs, async (active) => {
    // What met somebody else's change in the same place is not what is asked here.
    for (const { id } of active.filter(({ state }) => state === "review"))
      await rig.ask("run.reject", { run: id, message: "" }).catch(() => undefined);
  });
  over.abort();
  const killed = await killing;
  console.log(`killed: ${killed.daemon} daemons, ${killed.keeper} keepers, ${killed.command} processes of commands`);
  const { wrong, grants, writes } = checkLog(await rig.log());
  const left = await rig.leftovers();
  for (const each of [...wrong, ...left.map((what) => `left over: ${what}`)]) console.log(`WRONG: ${each}`);
  const states = await Promise.all(runs.map(async (run) => (await rig.ask("run.get", { run })).run.state));
  const done = states.filter((state) => state === "done").length;
  console.log(
    `${runs.length} agents, ${done} done, ${grants} grants, ${writes} writes, ${wrong.length + left.length} wrong`,
  );
  return wrong.length + left.length === 0;
}

/** Writes here and there, by the door and by commands, with and without asking first. */
function scriptOf(name: string, mark: string, paths: readonly string[], chance: Prng): string {
  const step = (): object => {
    const path = chance.pick(paths);
    const content = `${name}\n`;
    const kind = chance.below(5);
    if (kind === 0) return { claim: chance.chance(0.3) ? `dir:${path.split("/")[0]}` : `file:${path}` };
    if (kind === 1) return { run: `: ${mark}; sleep 0.${chance.below(4)}; echo ${name} > ${path}` };
    if (kind === 2) return { patch: [{ write: { path, content } }, { write: { path: `${path}.${name}`, content } }] };
    return { write: { path, content } };
  };
  return JSON.stringify({ task: name, steps: Array.from({ length: chance.between(2, 5) }, step) });
}
