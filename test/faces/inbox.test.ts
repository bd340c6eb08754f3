// What needs a person, over the real socket.

import net from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectLines } from "../../src/client/client.ts";
import type { HeldUpAct } from "../../src/node/held-up-acts.ts";
import type { KeptWorkspace } from "../../src/node/workspace/kept-workspaces.ts";
import type { StatsRow } from "../../src/protocol/wire/stats.ts";
import type { InboxItem } from "../../src/protocol/wire/inbox.ts";
import { toSubmit } from "../support/engine-rig.ts";
import { askTool } from "../support/faces/ask-tool.ts";
import { FaceNode } from "../support/faces/face-node.ts";
import { type FaceWorld, openFaceWorld } from "../support/faces/face-world.ts";

let world: FaceWorld;
let node: FaceNode;
let project: string;
const heldUp: HeldUpAct[] = [];
const kept: KeptWorkspace[] = [];

beforeAll(async () => {
  world = await openFaceWorld({ heldUp: { list: () => heldUp }, kept: { list: () => kept } });
  node = new FaceNode(world);
  ({ project } = await world.http.call("project.add", { root: world.folder, name: "shop" }));
  await world.http.call("policy.set", { name: "look", rules: { approvalRequired: true, maxRunCostMicros: 1 } });
});
afterAll(() => world.close());

async function started(more: object = {}): Promise<string> {
  const outcome = await world.submit(toSubmit(project, more));
  const run = outcome.ok && outcome.value.of === "id" ? outcome.value.id : "";
  await node.start(run);
  return run;
}

const itemsOf = async (run: string): Promise<InboxItem[]> =>
  (await world.http.call("inbox", { project: "shop" })).items.filter((item) => item.run === run);

test("[RN26, RN30] leave, until a person gives or refuses it in a word that says which", async () => {
  const run = await started();
  const leave = { tool: "execute", what: "rm -rf build" };
  const asks = { type: "run.ask", run, family: node.familyOf(run), call: 0, text: "May it?", leave } as const;
  await world.submit(asks);
  const { question } = (await world.http.call("run.get", { run })).run;
  const id = question?.id ?? "";
  expect(await itemsOf(run)).toMatchObject([
    {
      ...{ kind: "permission", what: "May it?", question: id, command: `signalbox allow ${run} --question ${id}` },
      others: [`signalbox deny ${run} --question ${id}`, `signalbox stop ${run}`],
    },
  ]);
  expect((await world.http.call("inbox", { kind: "permission" })).items).toHaveLength(1);
  expect(question).toMatchObject({ text: "May it?", leave });
  const { runs } = await world.http.call("state", {});
  expect(runs.items.find(({ id }) => id === run)).toMatchObject({ question: "May it?", leave: true });
  const answer = (text: string, more: object = {}): Promise<unknown> =>
    world.http.call("run.answer", { run, text, ...more });
  await expect(answer("perhaps")).rejects.toThrow(
    `Run ${run} asks leave (rm -rf build), and that is neither yes nor no: say allow (yes, y, ok) or deny (no, n).`,
  );
  await expect(answer("allow")).rejects.toMatchObject({ code: "question-unnamed" });
  await expect(answer("allow", { question: "q_zzz" })).rejects.toMatchObject({ code: "asks-another" });
  const said = await askTool(world, "run_answer", { run, text: "allow" });
  expect(said).toContain("Only people may do this");
  expect(await itemsOf(run)).toHaveLength(1);
  await answer("allow", { question: id });
  expect(await itemsOf(run)).toEqual([]);
});

test("[RN30] a question, until it is answered", async () => {
  const run = await started();
  await world.submit({ type: "run.ask", run, family: node.familyOf(run), call: 0, text: "which colour?" });
  expect(await itemsOf(run)).toMatchObject([
    { kind: "question", what: "which colour?", command: `signalbox answer ${run} TEXT`, projectName: "shop" },
  ]);
  await world.http.call("run.answer", { run, text: "blue" });
  expect(await itemsOf(run)).toEqual([]);
});

test("[EN33] what the world is in the way of for a run, until it is done", async () => {
  const run = await started();
  const why = "no space left on device";
  heldUp.push({ run, act: "refresh", doing: "bringing its workspace in step with mainline", why, sinceMs: 1 });
  const what = `bringing its workspace in step with mainline is tried again every few seconds: ${why}`;
  expect(await itemsOf(run)).toMatchObject([{ kind: "warning", what, canBeSeen: false, command: "signalbox doctor" }]);
  heldUp.pop();
  expect(await itemsOf(run)).toEqual([]);
});

test("[EN53] a workspace that is kept whole, until it is removed or somebody has seen it", async () => {
  const run = await started();
  const id = `${run}.1:kept`;
  const inInbox = async (): Promise<InboxItem[]> =>
    (await world.http.call("inbox", { project: "shop" })).items.filter((item) => item.id === id);
  kept.push({ name: `${run}.1`, run, path: `/ground/kept/${run}.1` });
  const what = `the workspace of ${run} could not be looked through when it ended, keepers were lost over it: it is kept whole in /ground/kept/${run}.1`;
  expect(await inInbox()).toMatchObject([{ kind: "warning", what, canBeSeen: true, command: "signalbox audit" }]);
  await world.http.call("inbox.see", { item: id });
  expect(await inInbox()).toEqual([]);
  await world.http.call("inbox.see", { item: id, undo: true });
  expect(await inInbox()).toHaveLength(1);
  kept.pop();
  expect(await inInbox()).toEqual([]);
});

test("[RN30] a review, until it is decided", async () => {
  const run = await started();
  await node.write(run, { "a.txt": "a\n" });
  await world.submit({ type: "run.finish", run, family: node.familyOf(run), ok: true, message: "" });
  expect(await itemsOf(run)).toMatchObject([{ kind: "review", command: `signalbox review ${run}` }]);
  await world.http.call("run.reject", { run, message: "no" });
  expect(await itemsOf(run)).toEqual([]);
});

test("[RN30] a failure, until somebody has seen it or tries again; a sub-run's is its run's concern", async () => {
  const fail = async (more: object = {}): Promise<string> => {
    const run = await started(more);
    await world.submit({ type: "run.finish", run, family: node.familyOf(run), ok: false, message: "it broke" });
    return run;
  };
  const [seen, retried] = [await fail(), await fail()];
  expect(await itemsOf(seen)).toMatchObject([{ kind: "failure", what: "it broke" }]);
  await world.http.call("run.see", { run: seen });
  expect(await itemsOf(seen)).toEqual([]);
  await world.http.call("run.retry", { run: retried });
  expect(await itemsOf(retried)).toEqual([]);
  const parent = await started();
  expect(await itemsOf(await fail({ parent, sub: true }))).toEqual([]);
  await expect(world.http.call("run.see", { run: parent })).rejects.toMatchObject({ code: "wrong-state" });
});

test("[RN30] a stuck run and a spent budget, side by side", async () => {
  const run = await started();
  for (let call = 0; call < 8; call++) {
    const begun = { run, family: node.familyOf(run), call, tool: "write", units: ["file:../x"], bytes: 0 } as const;
    await world.submit({ type: "call.begin", ...begun, other: null, print: "same" });
  }
  const about = { provider: "openai", model: "gpt-5", credential: "store:K", inputTokens: 1000, outputTokens: 1000 };
  await world.submit({ type: "model.request", run, key: "1", ...about });
  const items = await itemsOf(run);
  const ofRun = (words: readonly string[]): string[] => words.map((each) => `signalbox ${each.replace("RUN", run)}`);
  expect(items.map(({ kind, command, others }) => [kind, command, ...others])).toEqual([
    // A script takes no messages.
    ["stuck", ...ofRun(["logs RUN", "pause RUN", "stop RUN", "inbox --seen RUN"])],
    ["budget", ...ofRun(["raise RUN", "cost RUN", "policy show look", "stop RUN"])],
  ]);
  expect((await world.http.call("run.get", { run })).run.stuck).toMatchObject({ why: "loop", policy: "built-in" });
  const { items: budgets } = await world.lines.call("inbox", { kind: "budget" });
  expect(budgets.map((item) => item.run)).toEqual([run]);
  await world.http.call("run.pause", { run });
  const [paused] = await itemsOf(run);
  expect([paused?.command, ...(paused?.others ?? [])]).toEqual(
    ofRun(["resume RUN", "logs RUN", "stop RUN", "inbox --seen RUN"]),
  );
  await world.http.call("run.see", { run });
  expect((await itemsOf(run)).map(({ kind }) => kind)).toEqual(["budget"]);
});

test("[RN36] what has waited for longer than policies want comes first", async () => {
  const [older, urgent] = [await started(), await started({ profile: "urgent" })];
  for (const run of [older, urgent])
    await world.submit({ type: "run.ask", run, family: node.familyOf(run), call: 0, text: "which colour?" });
  const asked = async (): Promise<(readonly [string | null, boolean])[]> =>
    (await world.http.call("inbox", { kind: "question" })).items.map(({ run, escalated }) => [run, escalated] as const);
  expect(await asked()).toEqual([
    [older, false],
    [urgent, false],
  ]);
  await world.http.call("policy.set", {
    name: "impatient",
    scope: { profile: "urgent" },
    rules: { escalateAfterMs: 1000 },
  });
  await expect.poll(asked).toEqual([
    [urgent, true],
    [older, false],
  ]);
});

test("[RN30, LD15, RN42, RN43] a run that is done though somebody else held what it changed, until that is seen or purged", async () => {
  await world.http.call("policy.set", { name: "look", rules: { approvalRequired: false } });
  await world.http.call("claim.make", { project, units: ["file:taken.txt"], as: "eva" });
  const run = await started();
  const call = { run, family: node.familyOf(run), call: 0 } as const;
  await world.submit({ type: "call.begin", ...call, tool: "run", units: [], bytes: 0, other: null });
  const works = [{ path: "taken.txt", base: null, work: "100644:mine" }] as const;
  const outcome = { ok: true, exit: 0, summary: "", changed: [], works, output: null } as const;
  await world.submit({ type: "call.finish", ...call, ...outcome });
  await world.submit({ type: "run.finish", run, family: node.familyOf(run), ok: true, message: "" });
  await expect.poll(async () => (await world.http.call("run.get", { run })).run.state).toBe("done");
  expect(await itemsOf(run)).toMatchObject([
    { kind: "warning", what: "1 of its changes did not land: taken.txt (somebody else holds it)" },
  ]);
  const total = async (): Promise<StatsRow> => (await world.http.call("stats", { project })).total;
  const counted = await total();
  await world.http.call("inbox.see", { item: run });
  expect(await itemsOf(run)).toEqual([]);
  await world.http.call("inbox.see", { item: run, undo: true });
  expect(await itemsOf(run)).toMatchObject([{ kind: "warning", id: run, canBeSeen: true }]);
  const { items } = await world.http.call("trash.list", { run });
  expect(items).toMatchObject([{ path: "taken.txt", held: true }]);
  await world.http.call("trash.purge", { ids: items.map(({ id }) => id) });
  expect(await itemsOf(run)).toEqual([]);
  expect(counted).toMatchObject({ statuses: { "done in part": 1 }, successRate: 0 });
  const { statuses, successRate } = await total();
  expect(statuses).toMatchObject({ done: 1 });
  expect(successRate).toBeGreaterThan(0);
});

test("[RN30, AG22] an agent that has tried everything that it may, with what failed", async () => {
  const template = "template: shop\nservices: { web: { command: sleep 1 } }\n";
  const { agent } = await world.http.call("agent.create", { project, template });
  const unmade = { type: "agent.unmade", agent: agent.id, life: 1, what: "there is no image" } as const;
  await world.submit({ ...unmade, taken: [], offered: [] });
  const { items } = await world.http.call("inbox", { kind: "agent" });
  expect(items).toMatchObject([
    { run: null, project, title: "shop-1", what: "there is no image", command: "signalbox agent failures shop-1" },
  ]);
  await world.http.call("agent.start", { agent: agent.id });
  expect((await world.http.call("inbox", { kind: "agent" })).items).toEqual([]);
});

test("[RN43, AG76] a warning about an agent goes off by its name, and comes back by it; what is to be acted on does not", async () => {
  const health = "{ tcp: main }";
  const services = `{ web: { command: sleep 1, ports: [main], health: ${health} } }`;
  const template = `template: ill\nalerts: { unwell: 1s }\nservices: ${services}\n`;
  const { agent } = await world.http.call("agent.create", { project, template });
  const about = { agent: agent.id, life: 1 } as const;
  await world.submit({ type: "agent.made", ...about });
  await world.submit({ type: "service.began", ...about, service: "web" });
  await world.submit({ type: "service.judge", ...about, service: "web", healthy: false, what: "no answer" });
  const warned = async (): Promise<string[]> =>
    (await world.http.call("inbox", { kind: "warning" })).items
      .filter(({ title, canBeSeen }) => title === "ill-1" && canBeSeen)
      .map(({ id }) => id);
  const item = `${agent.id}:web:unwell`;
  const told = [item];
  await expect.poll(warned).toEqual(told);
  await world.http.call("inbox.see", { item });
  expect(await warned()).toEqual([]);
  await world.http.call("inbox.see", { item, undo: true });
  expect(await warned()).toEqual(told);
  for (const none of [`${agent.id}:web:restarts`, agent.id, "r_none"])
    await expect(world.http.call("inbox.see", { item: none })).rejects.toMatchObject({
      code: "not-found",
      message: expect.stringContaining(`"${none}"`) as string,
    });
});

test("[RN43, RN36] a model takes nothing off the inbox, and the log names the person who does", async () => {
  const run = await started();
  await world.submit({ type: "run.finish", run, family: node.familyOf(run), ok: false, message: "it broke" });
  const failure = [{ kind: "failure", id: run, canBeSeen: true }];
  const model = connectLines({ open: () => net.connect(world.server.socket ?? ""), face: "mcp" });
  await expect(model.call("inbox.see", { item: run })).rejects.toMatchObject({ code: "forbidden" });
  await expect(model.call("inbox.see", { item: "disk" })).rejects.toMatchObject({ code: "forbidden" });
  model.close();
  expect(await itemsOf(run)).toMatchObject(failure);
  await world.http.call("inbox.see", { item: run });
  expect(await itemsOf(run)).toEqual([]);
  const { events } = await world.http.call("events.read", { run, types: ["run.seen"] });
  expect(events).toMatchObject([{ actor: expect.stringMatching(/^person:/) as string }]);
});

test("[RN30, LD51] a project whose branch does not have what landed, with the reason and the command", async () => {
  const items = async (): Promise<InboxItem[]> => (await world.http.call("inbox", { kind: "unpublished" })).items;
  expect(await items()).toEqual([]);
  const not = { why: "the checkout is not clean", how: "git -C /shop pull --ff-only" };
  await world.submit({ type: "mainline.publish", project, commit: "c".repeat(40), not });
  expect(await items()).toMatchObject([
    { run: null, project, title: "shop", what: `landed, not published: ${not.why}`, command: not.how },
  ]);
  await world.submit({ type: "mainline.publish", project, commit: "c".repeat(40), not: null });
  expect(await items()).toEqual([]);
});

test("[RN30, LS32] a process that stays closed, until somebody says that it is dead", async () => {
  await world.http.call("claim.make", { project, units: ["file:a", "process:test"], as: "bob", ttlMs: 100 });
  const closed = async (): Promise<InboxItem[]> => (await world.http.call("inbox", { kind: "closed" })).items;
  await expect.poll(closed).toMatchObject([
    {
      ...{ kind: "closed", run: null, title: "process:test", command: "signalbox clear process:test --project shop" },
      what: expect.stringContaining("bob, who held it, is gone") as string,
    },
  ]);
  await world.http.call("unit.clear", { project, unit: "process:test" });
  expect(await closed()).toEqual([]);
});
