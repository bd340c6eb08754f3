// A run that does very much, in a face world, beside another one that does as much: reads, writes, commands, messages, requests to
// its model, and now and then it stands still.

import type { Input } from "../../../src/core/inputs.ts";
import { runOf } from "../../../src/core/state.ts";
import { FaceNode } from "./face-node.ts";
import type { FaceWorld } from "./face-world.ts";

/** Files that it writes in turn, so that it holds many units. */
const files = 40;
const model = "claude-opus-4-5";

export type LongRun = {
  readonly run: string;
  /** What it says takes a number too, and is no step. */ readonly steps: number;
};

/** Begins one and lets it make so many calls, or lets one that has begun make so many more. */
export async function playLongRun(
  world: FaceWorld,
  {
    calls,
    run: known,
    title = "Very many steps",
  }: { readonly calls: number; readonly run?: string; readonly title?: string },
): Promise<LongRun> {
  const node = new FaceNode(world);
  const run = known ?? (await begin(world, node, title));
  const other = known === undefined ? await begin(world, node, "Works beside it") : null;
  const first = runOf(world.engine.state, run).callsDone;
  for (let step = 0; step < calls; step++) {
    const at = first + step;
    if (at % 5 === 0) await node.write(run, { [`src/${run}/part-${(at / 5) % files}.ts`]: `${at}\n` });
    else await read(world, node, run, at % 101 === 100);
    if (other !== null) await read(world, node, other);
    if (at % 50 === 7) await pay(world, run, at);
    if (at % 40 === 9) await say(world, node, run, `I have made ${at} calls.`);
  }
  return { run, steps: calls };
}

/** The node's heartbeat, until it is ended: runs that nobody drives keep what they hold. */
export function keepAlive(world: FaceWorld): () => void {
  const beat = (): void => {
    const families = [...world.engine.state.table.families.keys()];
    void world.submit({ type: "node.beat", node: "local", families });
  };
  const timer = setInterval(beat, 2000);
  return () => clearInterval(timer);
}

async function begin(world: FaceWorld, node: FaceNode, title: string): Promise<string> {
  const { projects } = await world.http.call("project.list", {});
  if (projects.length === 0) await world.http.call("project.add", { root: world.folder, name: "demo" });
  const { run } = await world.http.call("run.submit", { project: "demo", title, runner: "mcp" });
  await node.start(run);
  return run;
}

async function read(world: FaceWorld, node: FaceNode, run: string, fails = false): Promise<void> {
  const about = { run, family: node.familyOf(run), call: runOf(world.engine.state, run).callsDone } as const;
  await give(world, { type: "call.begin", ...about, tool: "read", units: [], bytes: 0, other: null });
  const outcome = { ok: !fails, exit: null, summary: "src/app.ts", changed: [], works: [], output: null };
  await give(world, { type: "call.finish", ...about, ...outcome });
}

async function say(world: FaceWorld, node: FaceNode, run: string, text: string): Promise<void> {
  const call = runOf(world.engine.state, run).callsDone;
  await give(world, { type: "run.say", run, family: node.familyOf(run), call, text });
}

async function pay(world: FaceWorld, run: string, at: number): Promise<void> {
  const tokens = { inputTokens: 1000 + at, outputTokens: 200 };
  const credential = "ANTHROPIC_API_KEY";
  const asked = { type: "model.request", run, key: `k${at}`, provider: "anthropic", model, credential } as const;
  const answer = await give(world, { ...asked, ...tokens });
  const request = answer?.of === "id" ? answer.id : "";
  const cached = { cacheReadTokens: 0, cacheWriteTokens: 0 };
  const end = { extent: "whole", status: 200, artifact: null, model: null } as const;
  await give(world, { type: "model.answer", request, ...tokens, ...cached, ...end });
}

async function give(world: FaceWorld, input: Input) {
  const outcome = await world.submit(input);
  if (!outcome.ok) throw new Error(`${input.type} was refused: ${JSON.stringify(outcome.refusal)}`);
  return outcome.value;
}
