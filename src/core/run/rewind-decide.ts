// Taking a workspace back to an earlier step (LD34, LD35). The log says what was changed by then; the node puts that in
// place and says what came of it. What is given up for it goes to the trash.

import { refuse, type Result } from "../../base/result.ts";
import type { Input, Refusal } from "../inputs.ts";
import { done, type Later } from "../later.ts";
import { decideShrink } from "../lease/lease-decide.ts";
import { familyOf } from "../lease/lease-state.ts";
import type { Step } from "../step.ts";
import { nameable } from "../workspace/set-aside.ts";
import { isDirty, type Rewinding, type Work } from "../workspace/workspace-state.ts";
import { treeOf } from "./run-tree.ts";
import type { Run } from "./run-state.ts";
import { isOver, type RunState } from "./run-states.ts";

type RewindRun = Extract<Input, { type: "run.rewind" }>;
type RewindReport = Extract<Input, { type: "works.find" | "run.rewound" }>;

/** States in which nobody acts in the workspace of a run. */
const still: readonly RunState[] = ["paused", "review", "awaiting-input", "parked"];

export function beginRewind(step: Step, run: Run, { step: at, works }: RewindRun): Result<Later, Refusal> {
  const wanted = whyNot(step, run);
  if (wanted !== undefined) return refuse({ code: "wrong-state", run: run.id, state: run.state, wanted });
  const busy = whileRewinding(run) ?? someoneActs(step, run);
  if (busy !== undefined) return refuse(busy);
  step.emit({ type: "rewind.begun", v: 1, run: run.id, step: at, works });
  return done();
}

/** The refusal of whatever has to wait until a rewind is over. */
export function whileRewinding({ id, rewinding }: Run): Refusal | undefined {
  return rewinding === null
    ? undefined
    : { code: "in-use", kind: "run", id, by: `its rewind to step ${rewinding.step}` };
}

/** Names the act; its outcome carries the name. */
export function rewindName(run: string, { seq }: Rewinding): string {
  return `rewind:${run}@${seq}`;
}

/** What the node found in the workspace before it went back, and what came of it. */
export function rewindReport(step: Step, run: Run, input: RewindReport): Result<Later, Refusal> {
  const { rewinding } = run;
  if (rewinding === null || rewindName(run.id, rewinding) !== input.act) {
    // Whoever looked for a rewind that is over must not go on: the run has written since.
    if (input.type === "run.rewound") return done();
    return refuse({ code: "wrong-state", run: run.id, state: run.state, wanted: "being taken back to a step" });
  }
  const works = nameable(step, run, input.works);
  if (input.type === "works.find") {
    const news = works.filter((work) => !isKnown(run, work));
    if (news.length > 0) step.emit({ type: "works.found", v: 1, run: run.id, works: news });
    return done();
  }
  const { stayed, refused } = input;
  const givenUp = findGivenUp(run, works);
  const first = step.nextId("x");
  const ids = givenUp.map((_, at) => (at === 0 ? first : `${first}.${at}`));
  const { step: at } = rewinding;
  step.emit({ type: "run.rewound", v: 1, run: run.id, step: at, works, givenUp, ids, stayed, refused });
  if (refused !== null) return done();
  step.emit({ type: "run.messaged", v: 1, run: run.id, text: tellOf(at, works, stayed) });
  // What is clean again, others may have (LD21).
  if (run.state === "review") step.emitAll(decideShrink(familyOf(step.state.table, run.family)));
  return done();
}

function whyNot(step: Step, run: Run): string | undefined {
  if (run.sub) return "no sub-run: rewind the run that it belongs to";
  if (!still.includes(run.state) || run.lost) return "paused, waiting or in review";
  if (run.workspace.conflicts.size > 0)
    return `without open conflicts: ${[...run.workspace.conflicts.keys()].join(", ")}`;
  const unready = [...familyOf(step.state.table, run.family).leases.values()].some((lease) => !lease.ready);
  return unready ? "in step with mainline first: try again in a moment" : undefined;
}

/** A member of the family whose work would change under its hands. */
function someoneActs(step: Step, run: Run): Refusal | undefined {
  for (const member of treeOf(step.state, run)) {
    if (isOver(member.state)) continue;
    const acts = member.call?.started === true ? `its step ${member.call.number}` : undefined;
    const works = member !== run && !still.includes(member.state) ? member.id : undefined;
    const by = acts ?? works;
    if (by !== undefined) return { code: "in-use", kind: "run", id: member.id, by };
  }
  return undefined;
}

/** What was changed and is something else now. */
function findGivenUp(run: Run, works: readonly Work[]): Work[] {
  return works.flatMap(({ path, work }) => {
    const before = run.workspace.dirty.get(path);
    return before !== undefined && before.work !== work ? [before] : [];
  });
}

function isKnown(run: Run, work: Work): boolean {
  const known = run.workspace.dirty.get(work.path);
  if (known === undefined) return !isDirty(work);
  return known.base === work.base && known.work === work.work;
}

function tellOf(step: number, works: readonly Work[], stayed: readonly string[]): string {
  const paths = works.map(({ path }) => path).join(", ");
  const changed =
    works.length === 0 ? "No file has changed by that." : `Read these again, they are other files now: ${paths}.`;
  const others = stayed.length === 0 ? "" : ` These stayed as they are: ${stayed.join(", ")}.`;
  return `Your workspace was taken back to what it was after step ${step}. ${changed}${others}`;
}
