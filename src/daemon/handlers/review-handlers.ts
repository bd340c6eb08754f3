// What runs have changed, what of it is approved, what is on its way to mainline, and what was set aside.

import { createHash } from "node:crypto";
import { Fault } from "../../base/fault.ts";
import { compareText } from "../../base/canonical.ts";
import { quoteWord } from "../../base/quote-word.ts";
import { blobOf, entryOf, kindOf, modeOf } from "../../core/landing/entry.ts";
import { applyHunks, hunksOf } from "../../core/landing/hunks.ts";
import { isCovered } from "../../core/lease/grant-scan.ts";
import { parseUnits } from "../../core/lease/lease-decide.ts";
import type { Run } from "../../core/run/run-state.ts";
import { isOver } from "../../core/run/run-states.ts";
import { rootOf, type State } from "../../core/state.ts";
import { wasHeldByOthers } from "../../core/workspace/set-aside.ts";
import {
  type Chosen,
  type TrashItem as CoreTrashItem,
  keepsOwnSide,
  type Work,
} from "../../core/workspace/workspace-state.ts";
import type { KeptOutput } from "../../ports/output-store.ts";
import type { Mainline } from "../../ports/mainline.ts";
import { limits } from "../../protocol/limits.ts";
import { protocolError } from "../../protocol/errors.ts";
import type { OutputOf, ParsedInputOf } from "../../protocol/operations.ts";
import type { reviewOperations } from "../../protocol/operations/review.ts";
import type { TrashItem } from "../../protocol/wire/change.ts";
import type { LogEvent } from "../../protocol/wire/log-event.ts";
import type { Caller, Context, Handlers } from "../context.ts";
import { numberOfId } from "../number-of-id.ts";
import { isTooLarge, sideAt, textOf, toChange } from "../views/change-view.ts";
import { findProject } from "../views/project-view.ts";
import { findRun } from "../views/run-view.ts";
import { droppedIn } from "./list-dropped.ts";

/** Calls that start something which may say much. */
const commandTools: ReadonlySet<string> = new Set(["run", "process"]);

export const reviewHandlers: Handlers<keyof typeof reviewOperations> = {
  "run.diff": (context, input, _caller, reply) => context.later(diffOf(context, input), reply),
  "run.output": (context, input, caller, reply) => context.later(outputOf(context, input, caller), reply),
  "landing.list": (context, { project, at }, _caller, reply) =>
    context.readAt(
      at,
      (state) => {
        const only = project === undefined ? undefined : findProject(state, project).id;
        const landing = [...state.runs.values()].filter(
          (run) => run.state === "landing" && (only === undefined || run.project === only),
        );
        return {
          landings: landing
            .toSorted((a, b) => a.sinceSeq - b.sinceSeq)
            .map(({ id, title, project: of, sinceMs, approvedBy, approved }) => ({
              run: id,
              title,
              project: of,
              sinceMs,
              approvedBy,
              paths: (approved ?? []).map(({ path }) => path),
            })),
        };
      },
      reply,
    ),
  "trash.list": (context, { project, run, at }, _caller, reply) => {
    const list = (state: State, dropped: DroppedHere): OutputOf<"trash.list"> => {
      const only = project === undefined ? undefined : findProject(state, project).id;
      const items = [...state.trash.values()].filter(
        (item) => (only === undefined || item.project === only) && (run === undefined || item.run === run),
      );
      return { items: items.map((item) => toTrashItem(state, item)), ...(dropped.length === 0 ? {} : { dropped }) };
    };
    // What was taken off a branch is read off the repository, which has no past.
    if (at !== undefined) return context.readAt(at, (state) => list(state, []), reply);
    // What a run left may outlive it; of one that never was there is none.
    const none = async (of: string): Promise<DroppedHere> => {
      await context.history.mustHaveRun(of);
      return [];
    };
    context.readAfter(run === undefined ? droppedHere(context, project) : none(run), list, reply);
  },
  "trash.get": (context, { id }, _caller, reply) => context.later(trashed(context, id), reply),
  "trash.purge": (context, { ids }, caller, reply) =>
    context.submit(caller, { type: "trash.purge", ids }, reply, () => ({})),
};

type DroppedHere = NonNullable<OutputOf<"trash.list">["dropped"]>;

/** What people have taken off their branches after it had landed (LD58), of one project or of all. */
async function droppedHere(context: Context, project: string | undefined): Promise<DroppedHere> {
  const { projects } = context.state;
  const asked = project === undefined ? [...projects.values()] : [findProject(context.state, project)];
  const found: DroppedHere = [];
  // One after the other: each asks git.
  for (const { id, name } of asked)
    for (const each of await droppedIn(context, id)) found.push({ ...each, project: id, projectName: name });
  return found;
}

/** What a person approves, as contents: whole files, or the chosen hunks on their base (LD23). Null is everything. */
export async function approvedOf(
  context: Context,
  { run: id, files, hunks, seen }: ParsedInputOf<"run.approve">,
): Promise<Chosen[] | null> {
  const run = findRun(context.state, id);
  const mustBeAsSeen = (): void => {
    if (seen !== undefined && seen !== nameOf([...run.workspace.dirty.values()]))
      throw protocolError("changed", { path: `what ${id} has changed` });
  };
  mustBeAsSeen();
  if (files === undefined && hunks === undefined) return null;
  // Before its review there is nothing to choose from; who may approve when is for the core to say.
  if (run.state !== "review") return [];
  const whole = (files ?? []).map((path) => changeAt(run, path));
  const approved: Chosen[] = whole.map((work) => ({ ...work, entry: work.work }));
  for (const [path, chosen] of Object.entries(hunks ?? {})) {
    approved.push(await chooseHunks(await mainlineOf(context, run), changeAt(run, path), chosen));
  }
  // Reading took a moment.
  mustBeAsSeen();
  return approved;
}

async function chooseHunks(mainline: Mainline, { path, base, work }: Work, chosen: readonly string[]): Promise<Chosen> {
  const [before, after] = await Promise.all([sideAt(mainline, base), sideAt(mainline, work)]);
  const isWhole =
    [before, after].some(({ text }) => text === false) || isTooLarge((before.size ?? 0) + (after.size ?? 0));
  const all = isWhole ? [] : hunksOf({ base: textOf(before.bytes), work: textOf(after.bytes) });
  const unknown = chosen.find((hunk) => !all.some((each) => each.id === hunk));
  if (unknown !== undefined) throw protocolError("not-found", { kind: "hunk", id: `${path}:${unknown}` });
  // A file that goes has one hunk, all of it.
  if (work === null) return { path, base, work, entry: null };
  const text = applyHunks(textOf(before.bytes), all, new Set(chosen));
  const blob = await mainline.writeBlob(new TextEncoder().encode(text));
  return { path, base, work, entry: entryOf(modeOf(work), blob) };
}

type Shown = Pick<OutputOf<"run.diff">, "of"> & { readonly works: readonly Work[] };

async function diffOf(context: Context, { run: id, step }: ParsedInputOf<"run.diff">): Promise<OutputOf<"run.diff">> {
  const run = rootOf(context.state, findRun(context.state, id));
  const mainline = await mainlineOf(context, run);
  const { works, of } =
    step === undefined ? await worksOf(context, run, mainline) : await worksOfStep(context, id, step);
  const changes = [];
  const room = { left: limits.diffBytesMax };
  for (const work of works.toSorted((a, b) => compareText(a.path, b.path))) {
    const held = isHeld(context.state, run, work.path);
    const { conflicts } = run.workspace;
    const isOpen = of === "workspace";
    const theirs = isOpen ? conflicts.get(work.path)?.theirs : undefined;
    const keepsOwn = isOpen && keepsOwnSide(run.workspace, work.path);
    const change = toChange(mainline, work, { held, theirs, keepsOwn, room });
    changes.push(await change.catch((error: unknown) => throwPurged(error, of, work)));
  }
  const stale = of === "workspace" ? await staleReads(run, mainline) : [];
  const oversized = of === "workspace" ? [...run.workspace.oversized] : [];
  return { changes, base: run.workspace.commit, of, stale, oversized, seen: nameOf(works) };
}

/** What the run has read and mainline has otherwise by now; what it has changed itself is in its change set (LD30). */
async function staleReads({ workspace }: Run, mainline: Mainline): Promise<string[]> {
  const reads = [...workspace.reads].filter(([path]) => !workspace.dirty.has(path));
  const heads = await mainline.entriesAt(
    await mainline.head(),
    reads.map(([path]) => path),
  );
  return reads
    .filter(([path, entry]) => (heads.get(path) ?? null) !== entry)
    .map(([path]) => path)
    .toSorted(compareText);
}

/** A step's bytes may be gone because somebody purged what became of them. Anything else that is gone was lost. */
function throwPurged(error: unknown, of: Shown["of"], { path }: Work): never {
  if (of === "step" && error instanceof Fault && error.code === "blob-missing")
    throw protocolError("purged", { path }, { cause: error });
  throw error;
}

/** What differs now; of a run that is over, what landed, or what was set aside. */
async function worksOf(context: Context, run: Run, mainline: Mainline): Promise<Shown> {
  if (run.workspace.dirty.size > 0) return { of: "workspace", works: [...run.workspace.dirty.values()] };
  if (run.landed !== null) return { of: "landed", works: await worksLanded(context, run, mainline) };
  if (!isOver(run.state)) return { of: "workspace", works: [] };
  return { of: "trash", works: [...context.state.trash.values()].filter((item) => item.run === run.id) };
}

/** Everything that a run has landed, however often: each path from what it was before the first time. */
async function worksLanded(context: Context, run: Run, mainline: Mainline): Promise<Work[]> {
  const parents = new Map<unknown, string>();
  const works = new Map<string, Work>();
  for await (const event of eventsOf(context, run.id, ["landing.intended", "run.landed"])) {
    if (event.type === "landing.intended") parents.set(event["candidate"], String(event["parent"]));
    const commit = event["commit"];
    const parent = parents.get(commit);
    if (event.type !== "run.landed" || parent === undefined) continue;
    for (const { path, before, after } of await mainline.changesBetween(parent, String(commit)))
      works.set(path, { path, base: works.has(path) ? (works.get(path)?.base ?? null) : before, work: after });
  }
  return [...works.values()].filter(({ base, work }) => base !== work);
}

/** What one call changed: each path from what it was before that call. */
async function worksOfStep(context: Context, run: string, step: number): Promise<Shown> {
  const before = new Map<string, Work["work"]>();
  for await (const event of eventsOf(context, run, ["call.finished", "run.rewound"])) {
    const works = event["works"] as readonly Work[];
    const base = ({ path, base: first }: Work): Work["base"] => (before.has(path) ? (before.get(path) ?? null) : first);
    if (event.type === "call.finished" && event["call"] === step) {
      const did = works.map((each) => ({ path: each.path, base: base(each), work: each.work }));
      return { of: "step", works: did.filter((each) => each.base !== each.work) };
    }
    for (const { path, work } of works) before.set(path, work);
  }
  throw protocolError("not-found", { kind: "step", id: String(step) });
}

/** What a command said: of one call, or of the acceptance command when it was tried the last time. */
async function outputOf(
  context: Context,
  input: ParsedInputOf<"run.output">,
  caller: Caller,
): Promise<OutputOf<"run.output">> {
  const { run, step, offset, limit } = input;
  await context.history.mustHaveRun(run);
  const said = await liveOutput(context, input, caller);
  if (said !== null) return { ...toOutput(said), live: true };
  const type = step === undefined ? "run.tested" : "call.finished";
  let name: unknown = null;
  for await (const event of eventsOf(context, run, [type]))
    if (step === undefined || event["call"] === step) name = event["output"];
  const kept = typeof name === "string" ? await context.parts.outputs.read(name, { offset, limit }) : null;
  const id = `${run}${step === undefined ? "" : ` step ${step}`}`;
  if (kept === null && typeof name === "string") throwIfGone(context.state.runs.get(run), id);
  if (kept === null) throw protocolError("not-found", { kind: "output", id });
  return { ...toOutput(kept), live: false };
}

/** It was there, and was kept long enough (RN50). */
export function throwIfGone(run: Pick<Run, "outputsGone"> | undefined, what: string): void {
  const gone = run?.outputsGone ?? null;
  if (gone !== null) throw protocolError("output-gone", { what, because: gone.because });
}

const nothingYet: KeptOutput = { bytes: new Uint8Array(), offset: 0, size: 0 };

/** Null where the call is not under way, or is no command. */
async function liveOutput(
  context: Context,
  { run, step, offset, limit, waitMs }: ParsedInputOf<"run.output">,
  { signal }: Caller,
): Promise<KeptOutput | null> {
  const call = context.state.runs.get(run)?.call;
  const { live } = context.parts;
  if (live === undefined || call?.number !== step || !call?.started || !commandTools.has(call.tool)) return null;
  const patience = AbortSignal.any([AbortSignal.timeout(waitMs), ...(signal === undefined ? [] : [signal])]);
  const said = await live({ run, call: call.number, offset, limit, patience });
  // It may have ended meanwhile, and then all of it is kept; or not quite have begun.
  return context.state.runs.get(run)?.call?.number === step ? (said ?? nothingYet) : null;
}

function toOutput({ bytes, offset, size }: KeptOutput): Omit<OutputOf<"run.output">, "live"> {
  return { base64: Buffer.from(bytes).toString("base64"), offset, size };
}

/** Two sets of changes have the same name when they are the same. */
function nameOf(works: readonly Work[]): string {
  const lines = works.map(({ path, base, work }) => JSON.stringify([path, base, work])).toSorted();
  return createHash("sha256").update(lines.join("\n")).digest("hex").slice(0, 16);
}

async function* eventsOf(context: Context, run: string, types: readonly string[]): AsyncIterable<LogEvent> {
  const to = context.parts.store.lastSeq;
  for (let after = (numberOfId(run) ?? 1) - 1, more = true; more;) {
    const page = await context.history.read(after, to, 1000, { run, types });
    yield* page.events;
    after = page.next;
    more = page.more;
  }
}

async function trashed(context: Context, id: string): Promise<OutputOf<"trash.get">> {
  const item = context.state.trash.get(id);
  if (item === undefined) throw protocolError("not-found", { kind: "trash", id });
  const project = context.state.projects.get(item.project);
  if (project === undefined) throw protocolError("not-found", { kind: "project", id: item.project });
  const base64 = await trashedBytes(await context.parts.mainlines.of(project), item);
  return { item: toTrashItem(context.state, item), base64 };
}

async function trashedBytes(mainline: Mainline, { path, work }: CoreTrashItem): Promise<string | null> {
  if (work === null || kindOf(work) === "submodule") return null;
  const blob = blobOf(work);
  const size = (await mainline.blobSizes([blob])).get(blob) ?? 0;
  if (size > limits.trashBytesMax) {
    const from = mainline.folders?.repository ?? "";
    const how = `get it with: git --git-dir ${quoteWord(from)} cat-file blob ${blob} > FILE`;
    throw protocolError("too-large", { why: `${path} has ${size} bytes, more than one answer may have; ${how}` });
  }
  return Buffer.from(await mainline.readBlob(blob)).toString("base64");
}

function changeAt(run: Run, path: string): Work {
  const work = run.workspace.dirty.get(path);
  if (work === undefined) throw protocolError("not-found", { kind: "change", id: path });
  return work;
}

function mainlineOf(context: Context, run: Run): Promise<Mainline> {
  const project = context.state.projects.get(run.project);
  if (project === undefined) throw protocolError("not-found", { kind: "project", id: run.project });
  return context.parts.mainlines.of(project);
}

function isHeld(state: State, run: Run, path: string): boolean {
  const family = state.table.families.get(run.family);
  if (family === undefined) return false;
  const units = parseUnits(state.table, family, [`file:${path}`]);
  return units.ok && units.value.every((unit) => isCovered(state.table, family, unit) === "ready");
}

function toTrashItem(state: State, item: CoreTrashItem): TrashItem {
  const projectName = state.projects.get(item.project)?.name ?? item.project;
  return { ...item, agent: item.agent ?? null, projectName, held: wasHeldByOthers(item) };
}
