// What happens in a recorded history: a few days in the life of two projects, so that every kind of event occurs.

import { entryOf } from "../src/core/landing/entry.ts";
import type { Failure } from "../src/core/run/failure.ts";
import type { OwnRunner } from "../src/core/runner/own-runner.ts";
import { keepAgents } from "./history-agents.ts";
import { raiseALimit, spendOnModels } from "./history-models.ts";
import { keepServices } from "./history-services.ts";
import { hashOf, type HistoryRecorder } from "./history-recorder.ts";

const ownRunner: OwnRunner = {
  ...{ name: "acp:mine", command: ["my-agent", "--acp"], credential: "MY_KEY", auth: null, env: { MODE: "quiet" } },
  ...{ baseUrl: "https://models.example/v1", files: [{ path: ".my/settings", text: "x" }] },
  format: "openai-chat",
};

export function tellHistory(world: HistoryRecorder): void {
  world.give({ type: "engine.open", version: "0.1.0", wallMs: 1_780_000_000_000 }, "system");
  const project = world.project("shop", { test: { argv: ["npm", "test"], scope: "project" } });
  setPolicies(world);
  landPlainly(world, project);
  contend(world, project);
  askAndMessage(world, project);
  sweepAndLand(world, project);
  goBack(world, project);
  waitForAnother(world, project);
  loseAndReturn(world, project);
  yieldAHold(world, project);
  spendOnModels(world, project);
  holdFromOutside(world, project);
  endEarly(world, project);
  tidyUp(world);
  reachOut(world, project);
  getStuck(world, project);
  failAndGoOn(world, project);
  keepAgents(world, project);
  keepServices(world, project);
  leaveThingsOpen(world, project);
  wantThings(world, project);
  raiseALimit(world, project);
}

/** A task is made, changed, run by somebody who starts another, cancelled; one that nobody runs is removed. */
function wantThings(world: HistoryRecorder, project: string): void {
  const words = { title: "limit requests", description: "", acceptance: ["true"], scope: ["limits"] };
  const note = { kind: "note", name: "why", text: "It was too much." } as const;
  const attachments = [note, { kind: "file", name: "a.md", blob: "0f".repeat(32), bytes: 7 }] as const;
  const task = world.task({ type: "task.add", project, ...words, attachments, key: "limits" });
  world.give({ type: "task.change", task, words: { acceptance: null, scope: ["limits", "docs/limits.md"] } });
  const attachment = { kind: "link", name: "issue", url: "https://example.org/7" } as const;
  world.give({ type: "task.attach", task, attachment });
  world.give({ type: "task.detach", task, name: "why" });
  const run = world.submit(project, { task });
  world.start(run);
  world.submit(project, { parent: run });
  world.give({ type: "task.cancel", task });
  const other = world.task({ type: "task.add", project, ...words, scope: null, attachments: [], key: null });
  world.give({ type: "task.change", task: other, words: { title: "nothing" } });
  world.give({ type: "task.remove", task: other });
}

/** An assistant that reads the same again and again is told so, and interrupted when it says nothing; nobody looks at its failure. */
function beNudged(world: HistoryRecorder, project: string): void {
  const policy = { name: "firm", priority: 0, enabled: true, scope: {} };
  const rules = { stuckAfterMs: 5000, onSilent: "nudge", escalateAfterMs: 1000 } as const;
  world.give({ type: "policy.set", policy: { ...policy, rules } });
  const run = world.submit(project);
  world.start(run);
  world.give({ type: "run.hear", run, life: 1, upTo: 1, told: 0, owes: 0, items: [] }, `agent:${run}`);
  world.pass(5000);
  world.give({ type: "run.finish", run, family: world.familyOf(run), ok: false, message: "it broke" }, `agent:${run}`);
  world.pass(1000);
  world.give({ type: "policy.remove", name: "firm" });
}

/** A run reads the same again and again, until a person has seen it. */
function getStuck(world: HistoryRecorder, project: string): void {
  const run = world.submit(project);
  world.start(run);
  const call = { type: "call.begin", run, family: world.familyOf(run), bytes: 0, other: null } as const;
  for (let number = 0; number < 8; number++) {
    world.give({ ...call, call: number, tool: "read", units: [], print: "0f3a5c7e9b1d2468" }, `agent:${run}`);
    world.finish(run, {});
  }
  world.give({ type: "run.see", run, undo: false });
  world.give({ type: "run.see", run, undo: true });
  world.give({ type: "run.see", run, undo: false });
  world.give({ type: "warning.see", warning: "disk", undo: false });
  world.give({ type: "warning.see", warning: "disk", undo: true });
  const spares = [
    { what: "dependencies", count: 3 },
    { what: "scratch", count: 1 },
  ] as const;
  world.give({ type: "room.note", freeBytes: 3_000_000_000, freedBytes: 1_200_000_000, spares, runs: [run] });
  beNudged(world, project);
  world.refuse(
    { ...call, call: 8, tool: "write", units: ["file:secrets/key"], print: "1d24680f3a5c7e9b" },
    `agent:${run}`,
  );
  world.complete(run);
  world.give({ type: "run.stopped", run, works: [] }, "system");
  world.give({ type: "outputs.forget", run, because: "age", files: 12, bytes: 3_400_000 }, "system");
}

/** An assistant is kept waiting, and another takes over; that one is refused. */
function failAndGoOn(world: HistoryRecorder, project: string): void {
  const settings = { runner: "claude", fallbacks: ["codex"] };
  world.give({ type: "profile.set", profile: { name: "two", settings }, ensure: false });
  const run = world.submit(project, { profile: "two", runner: "claude" });
  world.start(run);
  const fail = (runner: string, kind: Failure["class"], life: number): void => {
    const failure = { class: kind, runner, life, retryAfterMs: 2000, said: "I have begun." };
    const message = `${runner}: ${kind}`;
    world.give({ type: "run.finish", run, family: world.familyOf(run), ok: false, message, failure }, `agent:${run}`);
  };
  fail("claude", "rate-limit", 1);
  world.pass(2000);
  fail("claude", "auth", 2);
  fail("codex", "refused", 3);
}

/** A run installs packages, and is kept from the rest. */
function reachOut(world: HistoryRecorder, project: string): void {
  world.give({ type: "project.change", project, image: { name: "docker.io/library/node:24" } });
  const image = { dockerfile: "Dockerfile" };
  const run = world.submit(project, { egress: "list", image, runner: "command", command: ["npm", "ci"] });
  world.start(run);
  const registry = { run, host: "registry.npmjs.org", port: 443 };
  world.give({ type: "egress.try", ...registry, address: "104.16.0.35", refused: null }, "system");
  const other = { run, host: "gist.github.com", port: 443, address: null };
  world.give({ type: "egress.try", ...other, refused: "not-listed" }, "system");
  const passed = { connections: 3, refusals: 0, bytesOut: 2048, bytesIn: 524_288 };
  world.give({ type: "egress.sum", ...registry, ...passed }, "system");
  lookInside(world, run);
  world.complete(run);
}

/** Two people look at what the run does, and one types. */
function lookInside(world: HistoryRecorder, run: string): void {
  const answer = world.give({ type: "terminal.open", run, argv: [], cols: 120, rows: 40 });
  const terminal = answer.of === "id" ? answer.id : "";
  const act = { type: "terminal.keyboard", terminal } as const;
  const [ann, bea] = [
    { viewer: "v-ann", name: "ann" },
    { viewer: "v-bea", name: "bea" },
  ];
  world.give({ ...act, act: "ask", ...ann });
  world.give({ ...act, act: "ask", ...bea });
  world.give({ ...act, act: "give", ...ann });
  world.give({ ...act, act: "free", ...bea });
  const end = { exit: 0, why: "ended", bytes: 4096, message: null } as const;
  world.give({ type: "terminal.rename", terminal, window: "tests" });
  world.give({ type: "terminal.end", terminal, ...end }, "system");
  const other = world.give({ type: "terminal.open", run, argv: ["top"], cols: 80, rows: 24 });
  const old = other.of === "id" ? other.id : "";
  world.give({ type: "terminal.end", terminal: old, ...end }, "system");
  world.give({ type: "terminal.forget", terminal: old, because: "age" }, "system");
}

function setPolicies(world: HistoryRecorder): void {
  const set = (name: string, rules: object, scope = {}): void => {
    world.give({ type: "policy.set", policy: { name, priority: 1, enabled: true, scope, rules } });
  };
  set("limits", { maxTimeMs: 86_400_000, deniedPaths: ["secrets/**"], maxConcurrent: 4 });
  set("careful", { approvalRequired: true, holdPatienceMs: 60_000 }, { profile: "careful" });
  set("short-lived", { maxFiles: 3 });
  world.give({ type: "policy.remove", name: "short-lived" });
  const settings = { runner: "script", maxTurns: 40, deniedTools: ["start_run"], prompt: ["Be brief."] };
  world.give({ type: "profile.set", profile: { name: "careful", settings }, ensure: false });
  world.give({ type: "profile.set", profile: { name: "short-lived", settings: {} }, ensure: true });
  world.give({ type: "profile.remove", name: "short-lived" });
  world.give({ type: "runner.set", runner: { ...ownRunner, name: "acp:kept" } });
  world.give({ type: "runner.set", runner: ownRunner });
  for (const model of ["gpt-5-mini", null, "gpt-5-nano"])
    world.give({ type: "preset.set", runner: "codex", preset: "cheap", model });
  world.give({ type: "runner.remove", name: ownRunner.name });
}

/** A planned run that claims more as it goes, is refused a path, runs a process, lands, goes on and is removed. */
function landPlainly(world: HistoryRecorder, project: string): void {
  const run = world.submit(project, { plan: ["file:src/a.ts"], tags: ["demo"], key: "first", acceptance: ["true"] });
  world.start(run);
  world.write(run, "src/a.ts");
  world.write(run, "src/new.ts");
  const call = { type: "call.begin", run, family: world.familyOf(run), call: 2, tool: "write", other: null } as const;
  world.refuse({ ...call, units: ["file:secrets/key"], bytes: 10 }, `agent:${run}`);
  world.begin(run, "process", ["process:test"]);
  const undone = { path: "src/new.ts", base: null, work: null };
  world.finish(run, { exit: 0, output: "sha256-of-output", works: [undone] });
  world.give({ type: "node.beat", node: "local", families: [world.familyOf(run)] }, "system");
  world.complete(run);
  const tested = { exit: 0, summary: "1 test passed", output: `${run}/validate-1/output` };
  world.give({ type: "run.validated", run, ok: true, message: "", tested }, "system");
  world.overtake(run);
  world.land(run);
  world.give({ type: "run.continue", run, message: "and document it" });
  world.give({ type: "run.place", run, works: [], commit: hashOf("placed"), fresh: true }, "system");
  world.start(run);
  world.write(run, "docs/limits.md");
  world.complete(run);
  world.give({ type: "run.validated", run, ok: true, message: "" }, "system");
  world.land(run);
  world.give({ type: "run.remove", run });
}

/** Two runs want one file: the second waits in its call, parks, and goes on when the first has landed. */
function contend(world: HistoryRecorder, project: string): void {
  const first = world.submit(project, { plan: ["dir:src"] });
  world.start(first);
  world.write(first, "src/b.ts");
  const second = world.submit(project, { priority: 5 });
  world.start(second);
  world.begin(second, "write", ["file:src/b.ts"]);
  world.pass(25_000);
  world.give(
    { type: "node.beat", node: "local", families: [first, second].map((run) => world.familyOf(run)) },
    "system",
  );
  world.complete(first);
  world.land(first);
  world.refresh(second);
  world.finish(second, { changed: [{ path: "src/b.ts", bytes: 7 }], works: [world.workOn(second, "src/b.ts")] });
  const release = { type: "run.release", run: second, family: world.familyOf(second) } as const;
  world.give({ ...release, units: ["file:src/b.ts"], setAside: true }, `agent:${second}`);
  world.complete(second);
  world.land(second);
}

/** A run talks, asks, is paused and resumed, goes to review, comes back with a message and is approved. */
function askAndMessage(world: HistoryRecorder, project: string): void {
  const run = world.submit(project, { profile: "careful" });
  world.start(run);
  const speak = { run, family: world.familyOf(run) };
  world.give({ type: "run.say", ...speak, call: 0, text: "I will start with the tests." }, `agent:${run}`);
  world.give({ type: "run.ask", ...speak, call: 1, text: "Which database?" }, `agent:${run}`);
  world.give({ type: "run.answer", run, text: "SQLite" });
  const leave = { tool: "execute", what: "rm old.db" };
  world.give({ type: "run.ask", ...speak, call: 2, text: "May it do that?", leave }, `agent:${run}`);
  const question = world.questionOf(run);
  world.refuse({ type: "run.answer", run, text: "perhaps", question });
  world.give({ type: "run.answer", run, text: "deny: it is still read", question });
  const session = { is: "session", session: "s-1", model: "large" } as const;
  const message = { is: "message", text: "I use SQLite.", parent: null } as const;
  world.give(
    { type: "run.hear", run, life: 1, upTo: 200, told: 0, owes: 1, items: [session, message] },
    `agent:${run}`,
  );
  world.give({ type: "run.steer", run, message: "keep the old table", interrupt: true });
  world.write(run, "src/db.ts");
  world.give({ type: "run.pause", run });
  world.give({ type: "run.resume", run });
  world.complete(run);
  world.give({ type: "run.return", run, message: "please add an index" });
  world.write(run, "src/index.sql");
  world.complete(run);
  world.give({ type: "run.approve", run, approved: null });
  world.land(run);
}

/** A run is paused and taken back to a step, and another one goes on from a later one. */
function goBack(world: HistoryRecorder, project: string): void {
  const run = world.submit(project, {});
  world.start(run);
  world.begin(run, "read", []);
  const reads = [{ path: "README.md", entry: entryOf("100644", hashOf("readme")) }];
  world.finish(run, { reads, oversized: [{ path: "data.bin", bytes: 5_000_000_000 }] });
  world.begin(run, "run", []);
  world.finish(run, { ok: false, exit: "unknown", summary: "exit-unknown: it may still run", unended: true });
  world.write(run, "src/first.ts");
  world.write(run, "src/second.ts");
  const works = world.worksOf(run);
  world.give({ type: "run.pause", run });
  world.give({ type: "run.rewind", run, step: 1, works: works.slice(0, 1) });
  const act = `rewind:${run}@${world.state.seq}`;
  const found = { path: "src/new-third.ts", base: null, work: entryOf("100644", hashOf("by a command")) };
  world.give({ type: "works.find", run, act, works: [...works, found] }, "system");
  const back = works.slice(1).map(({ path, base }) => ({ path, base, work: base }));
  world.give({ type: "run.rewound", run, act, works: back, stayed: [], refused: null }, "system");
  const from = { runner: null, message: "the other way", works, commit: hashOf("shop") };
  const fork = world.give({ type: "run.fork", run, step: 2, ...from });
  for (const each of [run, fork.of === "id" ? fork.id : ""]) {
    world.give({ type: "run.terminate", select: { by: "run", run: each }, because: "it was only tried" });
    world.give({ type: "run.stopped", run: each, works: [] }, "system");
  }
}

/** A command changes more than its run holds; a part is approved; a landing meets somebody else's commit. */
function sweepAndLand(world: HistoryRecorder, project: string): void {
  const other = world.claim(project, "eva", ["file:src/held.ts"], { ttlMs: 600_000 });
  const run = world.submit(project, { profile: "careful", plan: ["file:src/m.ts"] });
  world.start(run);
  world.write(run, "src/m.ts");
  world.begin(run, "run", []);
  const paths = ["src/held.ts", "src/n.ts", "src/new-o.ts"];
  const swept = paths.map((path) => ({ path, bytes: 90 }));
  world.finish(run, { exit: 0, works: paths.map((path) => world.workOn(run, path)), swept });
  world.refresh(run);
  world.complete(run);
  const work = world.state.runs.get(run)?.workspace.dirty.get("src/n.ts");
  if (work === undefined) throw new Error("src/n.ts was claimed after the command");
  world.give({ type: "run.approve", run, approved: [{ ...work, entry: work.work }] });
  world.land(run);
  world.give({ type: "run.approve", run, approved: null });
  const from = world.state.projects.get(project)?.mainline ?? "";
  world.give({ type: "mainline.move", project, from, to: hashOf("by hand") }, "system");
  const act = world.state.runs.get(run)?.sinceSeq ?? 0;
  const conflicts = [{ path: "src/m.ts", theirs: entryOf("100644", hashOf("theirs")) }];
  world.give({ type: "run.landed", run, act: `land:${run}@${act}`, how: "conflict", conflicts }, "system");
  world.begin(run, "read", []);
  world.finish(run, { shown: conflicts.map(({ path, theirs }) => ({ path, entry: theirs })) });
  world.begin(run, "resolve", ["file:src/m.ts"]);
  const resolved = { ...world.workOn(run, "src/m.ts"), base: conflicts[0]?.theirs ?? null };
  world.finish(run, { changed: [{ path: "src/m.ts", bytes: 130 }], works: [resolved] });
  world.complete(run);
  world.give({ type: "run.approve", run, approved: null });
  world.land(run);
  const commit = world.state.projects.get(project)?.mainline ?? "";
  const not = { why: "main is checked out with changes", how: "git merge --ff-only signalbox/main" };
  world.give({ type: "mainline.publish", project, commit, not }, "system");
  world.give({ type: "mainline.publish", project, commit, not: null }, "system");
  world.give({ type: "lease.release", claim: other.claim, units: null });
  const [oldest] = world.state.trash.keys();
  world.give({ type: "trash.purge", ids: oldest === undefined ? [] : [oldest] });
}

/** A run starts a separate run and a sub-run, and waits for the first. */
function waitForAnother(world: HistoryRecorder, project: string): void {
  const parent = world.submit(project);
  world.start(parent);
  const other = world.submit(project, { parent });
  world.start(other);
  const sub = world.submit(project, { parent, sub: true });
  world.start(sub);
  world.begin(parent, "wait-run", [], other);
  world.give({ type: "run.pause", run: parent });
  world.give({ type: "run.resume", run: parent });
  world.complete(other);
  world.land(other);
  world.finish(parent, { summary: `${other} is done` });
  world.complete(sub);
  const left = world.submit(project, { parent, sub: true });
  world.start(left);
  world.give({ type: "run.terminate", select: { by: "run", run: left }, because: "it was cut off" });
  const works = [world.workOn(parent, "src/left.ts")];
  const swept = [{ path: "src/left.ts", bytes: 70 }];
  world.give({ type: "run.stopped", run: left, works, swept }, "system");
  world.refresh(parent);
  world.complete(parent);
  world.land(parent);
}

/** A node falls silent, the leases of its run expire, a process stays closed until a person says that it is dead. */
function loseAndReturn(world: HistoryRecorder, project: string): void {
  const run = world.submit(project, { plan: ["file:src/c.ts", "process:test"] });
  world.start(run);
  world.pass(31_000);
  world.give({ type: "unit.clear", project, unit: "process:test" });
  world.give({ type: "run.back", run }, "system");
  world.give({ type: "engine.open", version: "0.1.0", wallMs: 1_780_000_400_000 }, "system");
  world.write(run, "src/c.ts");
  world.complete(run, false);
  world.give({ type: "run.stopped", run, works: [] }, "system");
  const again = world.submit(project, { dependsOn: [] });
  world.give({ type: "run.terminate", select: { by: "run", run: again }, because: "not needed" });
  world.give({ type: "run.retry", run });
  world.give({ type: "run.terminate", select: { by: "all", project }, because: "end of the day", force: true });
}

/** A run in review holds its file; somebody who waits longer than its patience gets it. Approved then, the run has to claim it again. */
function yieldAHold(world: HistoryRecorder, project: string): void {
  const run = world.submit(project, { profile: "careful", plan: ["dir:lib", "file:src/d.ts"] });
  world.start(run);
  world.write(run, "src/d.ts");
  world.complete(run);
  const waiting = world.claim(project, "eva", ["file:src/d.ts"], { ttlMs: 600_000 });
  world.pass(61_000);
  world.give({ type: "lease.release", claim: waiting.claim, units: null });
  world.give({ type: "run.approve", run, approved: null });
  world.complete(run);
  world.give({ type: "run.reject", run, message: "overtaken" });
  world.give({ type: "run.stopped", run, works: [] }, "system");
}

/** People and scripts hold units by name, queue, give up, try, and close a circle. */
function holdFromOutside(world: HistoryRecorder, project: string): void {
  const eva = world.claim(project, "eva", ["file:src/x.ts"], { key: "k1" });
  const bob = world.claim(project, "bob", ["file:src/y.ts"]);
  world.give({ type: "lease.renew", claim: eva.claim, ttlMs: 120_000 });
  const waits = world.claim(project, "eva", ["file:src/y.ts"]);
  world.claim(project, "bob", ["file:src/x.ts"]);
  world.claim(project, "cleo", ["dir:src"], { mode: "try" });
  world.claim(project, "cleo", ["dir:src"], { waitMs: 5_000, priority: 3 });
  world.pass(6_000);
  world.give({ type: "claim.cancel", claim: waits.claim });
  world.give({ type: "lease.release", claim: bob.claim, units: null });
  world.pass(200_000);
}

/** Tasks and runs that end before they began. */
function endEarly(world: HistoryRecorder, project: string): void {
  const blocked = world.claim(project, "eva", ["dir:"], { ttlMs: 600_000 });
  const planned = world.submit(project, { plan: ["file:src/e.ts"] });
  const depends = world.submit(project, { dependsOn: [planned] });
  const task = world.state.runs.get(planned)?.task ?? "";
  world.give({ type: "task.cancel", task });
  world.give({ type: "run.remove", run: depends });
  world.give({ type: "lease.release", claim: blocked.claim, units: null });
}

function tidyUp(world: HistoryRecorder): void {
  const other = world.project("notes");
  world.give({
    type: "project.change",
    project: other,
    foldCase: true,
    warm: { "Gemfile.lock": "vendor/bundle" },
    testTimeMs: 3_600_000,
    landingMessage: "{title}",
    landingBranch: "signalbox/{run}",
    derivedNetwork: true,
  });
  world.give({ type: "project.remove", project: other });
}

/** The end is in the middle of things, so that the final state has something of everything in it. */
function leaveThingsOpen(world: HistoryRecorder, project: string): void {
  const inReview = world.submit(project, { profile: "careful", tags: ["open"] });
  world.start(inReview);
  world.write(inReview, "src/review.ts");
  world.move(inReview, { from: "src/old-name.ts", to: "src/new-name.ts" });
  world.complete(inReview);
  const paused = world.submit(project, { plan: ["file:src/paused.ts"], priority: 2 });
  world.start(paused);
  world.give({ type: "run.pause", run: paused });
  const working = world.submit(project, { plan: ["dir:src/work"], key: "working" });
  world.start(working);
  world.begin(working, "process", ["process:migrate"]);
  const about = { key: "5", provider: "openai", model: "gpt-5", credential: "environment:OPENAI_API_KEY" };
  world.give({ type: "model.request", run: working, ...about, inputTokens: 10, outputTokens: 10 }, "system");
  const waiting = world.submit(project);
  world.start(waiting);
  world.begin(waiting, "write", ["file:src/work/x.ts"]);
  const asking = world.submit(project, { parent: working, sub: true });
  world.start(asking);
  const question = { type: "run.ask", run: asking, family: world.familyOf(asking), call: 0 } as const;
  world.give({ ...question, text: "Keep the old names?" }, `agent:${asking}`);
  world.submit(project, { dependsOn: [waiting], plan: ["file:src/later.ts"] });
  world.claim(project, "eva", ["file:README.md"], { key: "k2" });
  world.claim(project, "bob", ["file:README.md", "file:src/review.ts"], { priority: 1, waitMs: 3_600_000 });
  // A run that was terminated left this process unproven, so this one waits.
  world.submit(project, { plan: ["process:test"] });
  world.pass(20_000);
  const families = [working, waiting].map((run) => world.familyOf(run));
  world.give({ type: "node.beat", node: "local", families }, "system");
  world.pass(15_000);
}
