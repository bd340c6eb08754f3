// Plays random inputs on the core. A step is a handful of small numbers; what they mean is worked out from the state at
// that moment, so that most inputs make sense and shrinking a failure leaves a short story.

import fc from "fast-check";
import { compareText } from "../../src/base/canonical.ts";
import type { Input } from "../../src/core/inputs.ts";
import type { CallTool, Run } from "../../src/core/run/run-state.ts";
import { runOf } from "../../src/core/state.ts";
import type { Chosen } from "../../src/core/workspace/workspace-state.ts";
import { type CoreWorld, toBegin, toClaim, toLanded, toRefreshed, toSubmit } from "./core-world.ts";

export type PlayStep = readonly [verb: number, a: number, b: number, c: number];

export const playSteps = (maxLength: number): fc.Arbitrary<PlayStep[]> =>
  fc.array(fc.tuple(fc.nat(999), fc.nat(255), fc.nat(255), fc.nat(255)), { maxLength, size: "max" });

const units = [
  "file:a",
  "file:b",
  "file:c",
  "dir:src",
  "file:src/x",
  "file:src/y",
  "dir:src/lib",
  "file:src/lib/z",
  "dir:",
  "process:test",
  "process:own",
] as const;
const tools: readonly CallTool[] = [
  "write",
  "write",
  "claim",
  "process",
  "process",
  "edit",
  "run",
  "wait-run",
  "wait-run",
];
/** What a command leaves behind wherever it likes. */
const byproducts = ["src/x", "a", "src/lib/z"] as const;
const jumps = [0, 1, 500, 2_000, 5_000, 5_000, 9_000, 9_000, 9_000, 20_000, 31_000, 61_000, 31 * 60_000] as const;

export function setUp(world: CoreWorld): void {
  const processes = { test: { argv: ["test"], scope: "project" }, own: { argv: ["own"], scope: "agent" } } as const;
  world.project({ processes });
  world.project({ processes });
  const settings = { runner: "claude", maxTurns: 2, maxCostMicros: 200 };
  world.ok({ type: "profile.set", profile: { name: "bounded", settings }, ensure: false });
}

/** Turns a step into an input and gives it. Whatever is refused is refused; what must hold is checked by the world. */
export function playStep(world: CoreWorld, [verb, a, b, c]: PlayStep): void {
  const total = verbs.reduce((sum, [weight]) => sum + weight, 0);
  let at = verb % total;
  for (const [weight, act] of verbs) {
    if (at < weight) {
      const input = act(world, a, b, c);
      if (input !== undefined) world.give(input, c % 5 === 0 ? "system" : "person:eva");
      return;
    }
    at -= weight;
  }
}

type Verb = (world: CoreWorld, a: number, b: number, c: number) => Input | undefined;

const verbs: readonly (readonly [weight: number, verb: Verb])[] = [
  [
    60,
    ({ state }, a, b, c) =>
      toClaim(state, ["ann", "bob", "cat", "dan", null][a % 5] ?? null, someUnits(b, c), {
        priority: c % 4,
        project: projectOf(a),
        mode: c % 9 === 0 ? "try" : "wait",
        waitMs: b % 7 === 0 ? 1000 * c : null,
        key: b % 6 === 0 ? `k${c % 3}` : null,
        ttlMs: a % 4 === 0 ? 5_000 : 60_000,
      }),
  ],
  [
    40,
    ({ state }, a, b) =>
      withPick([...state.table.claims.keys()], a, (claim) => ({
        type: "lease.release",
        claim,
        units: b % 3 === 0 ? [pickOf(units, b)] : null,
      })),
  ],
  [
    10,
    ({ state }, a, b) =>
      withPick([...state.table.claims.keys()], a, (claim) => ({
        type: "lease.renew",
        claim,
        ttlMs: b % 2 === 0 ? null : 7_000,
      })),
  ],
  [10, ({ state }, a) => withPick(allQueued(state.table.projects), a, (claim) => ({ type: "claim.cancel", claim }))],
  [60, submit],
  [
    60,
    (world, a) => withRun(world, a, ["starting"], (run) => ({ type: "run.driven", run: run.id, family: run.family })),
  ],
  [90, begin],
  [80, finishCall],
  [20, look],
  [
    70,
    (world, a, b) =>
      withPick(
        world.pending().filter((act) => act.type === "refresh"),
        a,
        ({ claim, family }) => refreshed(world, claim, family, b),
      ),
  ],
  [25, (world, a) => withRun(world, a, [], (run) => ({ type: "run.pause", run: run.id }))],
  [30, (world, a) => withRun(world, a, ["paused"], (run) => ({ type: "run.resume", run: run.id }))],
  [
    30,
    (world, a, b) =>
      withRun(world, a, b % 5 === 0 ? [] : ["running"], (run) => ({
        type: "run.finish",
        run: run.id,
        family: run.family,
        ok: b % 6 !== 0,
        message: "",
      })),
  ],
  [30, outcome],
  [10, intend],
  [8, mainline],
  [
    30,
    (world, a, b) =>
      withRun(world, a, ["failed", "rejected", "terminated", "done"], (run) => ({
        type: "run.stopped",
        run: run.id,
        works: b % 3 === 0 ? world.works(run.id, ["src/x"]) : [],
      })),
  ],
  [50, beat],
  [
    20,
    (world, a) =>
      withPick(
        [...world.state.runs.values()].filter((run) => run.lost),
        a,
        (run) => ({ type: "run.back", run: run.id }),
      ),
  ],
  [50, (world, a) => ((world.nowMs += pickOf(jumps, a)), { type: "tick" })],
  [30, speak],
  [8, terminate],
  [20, again],
  [25, judge],
  [10, policy],
  [5, (_, a, b) => ({ type: "unit.clear", project: projectOf(a), unit: pickOf(units, b) })],
  [
    20,
    (world, a, b, c) =>
      withRun(world, a, ["running", "blocked", "paused"], (run) => ({
        type: "run.release",
        run: run.id,
        family: run.family,
        units: b % 3 === 0 ? null : [pickOf(units, c)],
        setAside: b % 2 === 0,
      })),
  ],
  [5, (world) => ({ type: "engine.open", version: "1", wallMs: world.nowMs })],
  [3, ({ state }, a) => withPick([...state.tasks.keys()], a, (task) => ({ type: "task.cancel", task }))],
  [12, task],
  [3, (_, a, b) => ({ type: "project.change", project: projectOf(a), foldCase: b % 2 === 0 })],
  [25, ask],
  [20, answerModel],
  [6, raise],
  [2, () => ({ type: "model.forget", node: "local" })],
  [4, price],
  // What was said before is said again: late, twice, or by someone who was overtaken.
  [30, (world, a, b) => world.inputs.at(-1 - ((a * 256 + b) % Math.min(40, world.inputs.length)))?.given.input],
];

function submit({ state }: CoreWorld, a: number, b: number, c: number): Input {
  const runs = [...state.runs.keys()];
  const parent = a % 3 === 0 ? (runs[b % Math.max(1, runs.length)] ?? null) : null;
  return toSubmit(state, {
    project: parent === null ? projectOf(a) : (state.runs.get(parent)?.project ?? projectOf(a)),
    plan: b % 2 === 0 ? someUnits(b >> 1, c) : [],
    priority: c % 3,
    dependsOn: c % 5 === 0 && runs.length > 0 ? [pickOf(runs, b)] : [],
    acceptance: b % 4 === 0 ? ["true"] : null,
    parent,
    sub: parent !== null && c % 4 !== 0,
    tags: [`t${c % 2}`],
    runner: c % 7 === 0 ? "claude" : "script",
    profile: c % 7 === 0 ? "bounded" : null,
    key: c % 11 === 0 ? `k${b % 2}` : null,
    scope: c % 6 === 0 ? someScope(b) : null,
    task: c % 9 === 0 ? ([...state.tasks.keys()][a % Math.max(1, state.tasks.size)] ?? null) : null,
  });
}

function task({ state }: CoreWorld, a: number, b: number, c: number): Input | undefined {
  const attachment = { kind: "note", name: `n${c % 3}`, text: `${b}` } as const;
  if (b % 4 === 0) {
    const words = { title: "wanted", description: "", acceptance: null, scope: c % 2 === 0 ? someScope(c) : null };
    const key = c % 3 === 0 ? `k${a % 2}` : null;
    return { type: "task.add", project: projectOf(a), ...words, attachments: [attachment], key };
  }
  return withPick([...state.tasks.keys()], a, (id) => {
    if (b % 4 === 1) return { type: "task.change", task: id, words: { scope: c % 3 === 0 ? null : someScope(c) } };
    if (b % 4 === 2) return { type: "task.attach", task: id, attachment };
    return c % 2 === 0 ? { type: "task.detach", task: id, name: `n${c % 3}` } : { type: "task.remove", task: id };
  });
}

function someScope(at: number): string[] {
  return [pickOf(["", "src", "lib", "src/x", "../out"], at), "docs"];
}

const models = ["plain-1", "plain-2", "homemade"] as const;

function ask(world: CoreWorld, a: number, b: number, c: number): Input | undefined {
  return withRun(world, a, c % 6 === 0 ? [] : ["running", "starting"], (run) => {
    const about = { key: `k${b % 4}`, provider: "openai", model: pickOf(models, b), credential: `store:K${c % 2}` };
    return { type: "model.request", run: run.id, ...about, turn: c % 2 === 0, inputTokens: c, outputTokens: b };
  });
}

function answerModel({ state }: CoreWorld, a: number, b: number, c: number): Input | undefined {
  return withPick([...state.spending.requests.values()], a, ({ id }) => {
    const extent = pickOf(["whole", "partial", "none"] as const, b);
    const usage = { inputTokens: c, outputTokens: b, cacheReadTokens: a, cacheWriteTokens: 0 };
    const model = c % 3 === 0 ? pickOf(models, c) : null;
    return { type: "model.answer", request: id, ...usage, model, extent, status: 200, artifact: null };
  });
}

function raise(world: CoreWorld, a: number, b: number, c: number): Input | undefined {
  const bounded = [...world.state.runs.values()].filter(({ settings }) => settings !== null);
  return withPick(c % 4 === 0 ? [...world.state.runs.values()] : bounded, a, ({ id }) =>
    b % 2 === 0
      ? { type: "run.raise", run: id, limit: "maxTurns", value: c % 9 }
      : { type: "run.raise", run: id, limit: "maxCostMicros", value: 4 * c },
  );
}

function price({ state }: CoreWorld, a: number, b: number): Input | undefined {
  if (b % 4 === 0) return withPick([...state.spending.prices.keys()], a, (model) => ({ type: "price.remove", model }));
  const inputMicros = a * 100_000;
  const cache = { cacheReadMicros: a, cacheWriteMicros: 2 * inputMicros };
  return {
    type: "price.set",
    price: { model: pickOf(["plain", "plain-2"], b), inputMicros, outputMicros: b, ...cache },
  };
}

function begin(world: CoreWorld, a: number, b: number, c: number): Input | undefined {
  return withRun(world, a, c % 6 === 0 ? [] : ["running", "starting"], (run) => {
    const tool = pickOf(tools, b);
    const other = tool === "wait-run" ? pickOf([...world.state.runs.keys()], c) : null;
    const process = c % 4 === 0 ? "process:own" : "process:test";
    const wanted = tool === "process" ? [process] : tool === "run" || tool === "wait-run" ? [] : someUnits(b, c);
    return toBegin(world.state, run.id, tool, wanted, { other, bytes: b });
  });
}

function look(world: CoreWorld, a: number, b: number, c: number): Input | undefined {
  return withRun(world, a, c % 6 === 0 ? [] : ["running"], (run) => {
    const about = { run: run.id, family: run.family, call: run.callsDone, ok: b % 9 !== 0, summary: "" };
    return { type: "call.pass", ...about, tool: "read", reads: [{ path: "a", entry: `100644:${b % 3}` }] };
  });
}

function finishCall(world: CoreWorld, a: number, b: number): Input | undefined {
  const started = [...world.state.runs.values()].filter((run) => run.call?.started === true);
  return withPick(started, a, (run) => {
    const files = run.call?.units.filter((unit) => unit.startsWith("file:")).map((unit) => unit.slice(5)) ?? [];
    const dirty = run.call?.tool === "write" ? files : [];
    const changed = dirty.map((path) => ({ path, bytes: b }));
    // A command changes what it likes; and now and then what was changed is as before.
    const found = run.call?.tool === "run" ? [...byproducts].slice(0, b % 4) : dirty;
    const works = world
      .works(run.id, found)
      .map((work) => (b % 8 === 0 ? { ...work, work: work.base } : work))
      .toSorted((one, other) => compareText(one.path, other.path));
    const body = { ok: b % 9 !== 0, exit: null, summary: "", changed, works, output: null };
    return { type: "call.finish", run: run.id, family: run.family, call: run.call?.number ?? 0, ...body };
  });
}

function outcome(world: CoreWorld, a: number, b: number): Input | undefined {
  const acts = world.pending().filter((act) => act.type === "validate" || act.type === "land");
  return withPick(acts, a, (act) => {
    const message = "it did not work";
    const name = { run: act.run, act: b % 3 === 0 ? act.id : undefined };
    if (act.type === "validate") return { type: "run.validated", ...name, ok: b % 4 !== 0, message };
    const run = runOf(world.state, act.run);
    if (b % 7 === 0) return { type: "run.landed", ...name, how: "back", message };
    if (b % 5 !== 0) return { ...toLanded(run, world.state.seq), ...name };
    const conflicts = (run.approved ?? []).slice(0, 1).map(({ path }) => ({ path, theirs: "100644:theirs" }));
    return { type: "run.landed", ...name, how: "conflict", conflicts };
  });
}

function intend(world: CoreWorld, a: number): Input | undefined {
  const acts = world.pending().filter((act) => act.type === "land");
  return withPick(acts, a, ({ run, id }) => {
    const { entries, commit, tested, merged } = toLanded(runOf(world.state, run), world.state.seq);
    return { type: "landing.intend", run, act: id, parent: "m0", candidate: commit, entries, tested, merged };
  });
}

function mainline({ state }: CoreWorld, a: number, b: number, c: number): Input | undefined {
  const project = projectOf(a);
  const from = state.projects.get(project)?.mainline ?? "m0";
  if (b % 3 === 0) return { type: "mainline.move", project, from: c % 4 === 0 ? "m0" : from, to: `x${c}` };
  if (b % 3 === 1) {
    const not = c % 2 === 0 ? null : { why: "it is checked out", how: "git merge" };
    return { type: "mainline.publish", project, commit: from, not };
  }
  return withPick([...state.trash.keys()], c, (id) => ({ type: "trash.purge", ids: [id] }));
}

/** A refresh that finds others' work on paths that the run has changed: merged, or in the same place. */
function refreshed({ state }: CoreWorld, claim: string, family: string, b: number): Input {
  const root = state.runs.get(state.runOfFamily.get(family) ?? "");
  const [first] = root === undefined ? [] : root.workspace.dirty.values();
  const report = { ...toRefreshed(claim), commit: `x${b}` };
  if (first === undefined || b % 4 > 1) return report;
  if (b % 4 === 0) return { ...report, conflicts: [first] };
  return { ...report, works: [{ path: first.path, base: `100644:x${b}`, work: `100644:merged${b}` }] };
}

function beat({ state }: CoreWorld, a: number): Input {
  const families = [...state.table.families.values()].filter((family) => family.life === "live");
  const chosen = families.filter((_, at) => a % 3 === 0 || (a >> (at % 8)) % 2 === 0);
  return { type: "node.beat", node: "local", families: chosen.map((family) => family.id) };
}

function speak(world: CoreWorld, a: number, b: number): Input | undefined {
  const asked = [...world.state.runs.values()].filter((run) => run.question !== null);
  if (b % 3 === 0) return withPick(asked, a, (run) => ({ type: "run.answer", run: run.id, text: "yes" }));
  return withRun(world, a, ["running"], ({ id, family, callsDone }) => {
    const type = b % 3 === 1 ? "run.ask" : "run.say";
    return { type, run: id, family, call: callsDone, text: "well" };
  });
}

function terminate(world: CoreWorld, a: number, b: number): Input | undefined {
  if (b % 9 === 0) return { type: "run.terminate", select: { by: "tag", tag: "t1", project: null }, because: "enough" };
  return withRun(world, a, [], (run) => ({
    type: "run.terminate",
    select: { by: "run", run: run.id },
    because: "enough",
  }));
}

function again(world: CoreWorld, a: number, b: number): Input | undefined {
  const over = [...world.state.runs.values()].filter((run) => run.endedAtMs !== null);
  return withPick(over, a, (run) => {
    if (run.state === "done" && b % 3 === 0) return { type: "run.continue", run: run.id, message: "more" };
    return { type: b % 3 === 1 ? "run.retry" : "run.remove", run: run.id };
  });
}

function someOf(run: Run, c: number): Chosen[] {
  const works = [...run.workspace.dirty.values()].filter((_, at) => (c >> (at % 6)) % 2 === 0);
  return works.map(({ path, base, work }) => ({ path, base, work, entry: c % 5 === 0 ? "100644:a hunk" : work }));
}

function judge(world: CoreWorld, a: number, b: number, c: number): Input | undefined {
  return withRun(world, a, ["review"], (run) => {
    if (b % 3 === 0) return { type: "run.approve", run: run.id, approved: c % 3 === 0 ? someOf(run, c) : null };
    return { type: b % 3 === 1 ? "run.reject" : "run.return", run: run.id, message: "hm" };
  });
}

function policy(_: CoreWorld, a: number, b: number, c: number): Input {
  const name = `policy-${a % 4}`;
  if (b % 5 === 0) return { type: "policy.remove", name };
  const choices = [
    { maxConcurrent: 1 + (c % 3) },
    { approvalRequired: true, holdPatienceMs: c % 2 === 0 ? 30_000 : null },
    { maxTimeMs: 10_000 * (1 + (c % 10)) },
    { claiming: "explicit", deniedPaths: ["src/lib/**"], maxFiles: 3 },
    { maxRunCostMicros: 10 * c, maxDayCostMicros: 100 * b },
    { maxTreeCostMicros: 20 * c, maxTotalCostMicros: 1000 * b },
  ] as const;
  const scope = c % 3 === 0 ? {} : c % 3 === 1 ? { project: projectOf(c) } : { runner: "script" };
  return {
    type: "policy.set",
    policy: { name, priority: c % 2, enabled: c % 8 !== 0, scope, rules: pickOf(choices, a) },
  };
}

function projectOf(a: number): string {
  return a % 6 === 0 ? "p_2" : "p_1";
}

function someUnits(b: number, c: number): string[] {
  const count = 1 + (b % 3);
  return Array.from({ length: count }, (_, at) => pickOf(units, b + c * (at + 1)));
}

function allQueued(projects: ReadonlyMap<string, { readonly queue: readonly { readonly id: string }[] }>): string[] {
  return [...projects.values()].flatMap((project) => project.queue.map((claim) => claim.id));
}

function withRun(world: CoreWorld, a: number, states: readonly string[], make: (run: Run) => Input): Input | undefined {
  const runs = [...world.state.runs.values()].filter((run) => states.length === 0 || states.includes(run.state));
  return withPick(runs, a, make);
}

function withPick<T>(items: readonly T[], a: number, make: (item: T) => Input): Input | undefined {
  return items.length === 0 ? undefined : make(pickOf(items, a));
}

function pickOf<T>(items: readonly T[], at: number): T {
  const item = items[at % items.length];
  if (item === undefined) throw new RangeError("there is nothing to pick from");
  return item;
}
