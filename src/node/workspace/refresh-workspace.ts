// Brings a workspace in step with mainline for a grant: everything clean moves to mainline's head, so that the tree is of
// one commit; what its run had changed before it held the path is merged, or set aside (LD7 to LD12, LD15).

import type { Entry } from "../../core/landing/entry.ts";
import type { NameRule } from "../../core/landing/kin.ts";
import {
  planRefresh,
  settleMerge,
  type Cover,
  type RefreshPath,
  type RefreshStep,
} from "../../core/landing/refresh.ts";
import { isDirty, type Work } from "../../core/workspace/workspace-state.ts";
import type { Mainline } from "../../ports/mainline.ts";
import { mergeBlobs } from "../landing/merge-blobs.ts";
import type { Place } from "./base-journal.ts";
import type { Workspace } from "./workspace.ts";

export type RefreshOrder = {
  /** The commit to be in step with. Left out: mainline's head. */
  readonly ground?: string;
  /** Whether the run holds a path, by a lease from before or by the grant that this is for. */
  readonly coverOf: (path: string) => Cover;
  readonly rule: NameRule;
  /** Changes that are nobody's any more, and safe elsewhere: they go, and mainline's side stands in their place. */
  readonly isGivenUp?: (work: Work) => boolean;
  /**
   * What becomes of scratch where mainline has come to track something (LD17): it stays, as a change; or it gives way and is set aside,
   * all that would count as a change from then on, or left out only what is in the way.
   */
  readonly scratch?: "stays" | "gives-way";
  /** Hears what has to give way before any of it does: whoever dies over it has it written down already. It is safe by then. */
  readonly onGivingWay?: (works: readonly Work[]) => Promise<void>;
  /** The workspace is given to somebody new (LD63). */
  readonly anew?: boolean;
};

export type Refreshed = {
  readonly commit: string;
  /** All changed paths that the run holds, as they are now. */
  readonly works: readonly Work[];
  /** What had to give way: set aside. */
  readonly conflicts: readonly Work[];
  /** Clean paths that others have changed since. */
  readonly moved: readonly string[];
};

export async function refreshWorkspace(
  workspace: Workspace,
  mainline: Mainline,
  { ground, coverOf, rule, isGivenUp = () => false, scratch, onGivingWay, anew = false }: RefreshOrder,
): Promise<Refreshed> {
  const commit = ground ?? (await mainline.head());
  const since = await mainline.changesBetween(workspace.commit, commit);
  const arriving = since.flatMap(({ path, after }) => (after === null ? [] : [path]));
  const works = new Map((await workspace.works(arriving)).map((work) => [work.path, work]));
  // Whatever may be replaced is safe before anything is (LD12).
  for (const work of await workspace.bringHome([...works.values()].filter(isDirty))) works.set(work.path, work);
  const isInTheWay = arriving.length === 0 ? () => false : scratch === "gives-way" ? () => true : kinOf(arriving);
  const ignored = await workspace.scratchOf([...works.values()].filter(({ path }) => isInTheWay(path)));
  const names = [...new Set([...works.keys(), ...since.map(({ path }) => path)])].toSorted();
  const heads = await mainline.entriesAt(commit, names);
  const bases = new Map(since.map(({ path, before }) => [path, before]));
  const givenUp = new Map([...works.values()].filter((each) => isDirty(each) && isGivenUp(each)).map(toWork));
  const gaveWay: Work[] = [];
  for (const path of ignored) {
    const found = works.get(path);
    const head = heads.get(path) ?? null;
    if (found === undefined || givenUp.has(path)) continue;
    // Nobody's change where it is as mainline has it (LD17).
    if (found.work === head) works.set(path, { path, base: head, work: head });
    else if (scratch !== "stays") {
      givenUp.set(path, found.work);
      gaveWay.push(found);
    }
  }
  const paths: RefreshPath[] = names.map((path) => {
    const clean = bases.get(path) ?? null;
    const { base, ...there } = works.get(path) ?? { base: clean, work: clean };
    const work = givenUp.has(path) ? base : there.work;
    return { path, base, work, mainline: heads.get(path) ?? null, cover: coverOf(path) };
  });

  const outcome = new Outcome(paths, givenUp);
  // What was never there on mainline is planned for by nobody.
  for (const [path, from] of givenUp)
    if (works.get(path)?.base === null && (heads.get(path) ?? null) === null)
      outcome.puts.push({ path, from, to: null });
  for (const step of planRefresh({ paths, rule, cleanToo: true })) {
    if (step.kind !== "merge") outcome.take(step);
    else outcome.take(settleMerge(step, await mergeBlobs(mainline, step.blobs)));
  }
  const conflicts = [...gaveWay, ...outcome.conflicts];
  if (conflicts.length > 0) await onGivingWay?.(conflicts);
  await workspace.move(commit, outcome.puts, outcome.own, { anew });
  return { commit, works: outcome.works, conflicts, moved: outcome.moved };
}

/** Whether a path is one of these, above one, or below one. */
function kinOf(paths: readonly string[]): (path: string) => boolean {
  const [themselves, above] = [new Set(paths), new Set(paths.flatMap(pathAndFolders))];
  return (path) => above.has(path) || pathAndFolders(path).some((each) => themselves.has(each));
}

/** A path and the folders that it lies in. */
function pathAndFolders(path: string): string[] {
  return path.split("/").map((_, at, names) => names.slice(0, at + 1).join("/"));
}

function toWork({ path, work }: Work): readonly [string, Entry] {
  return [path, work];
}

/** What the steps come to. */
class Outcome {
  readonly puts: Place[] = [];
  readonly own = new Map<string, Entry>();
  readonly works: Work[] = [];
  readonly conflicts: Work[] = [];
  readonly moved: string[] = [];
  readonly #paths: ReadonlyMap<string, RefreshPath>;
  readonly #givenUp: ReadonlyMap<string, Entry>;

  constructor(paths: readonly RefreshPath[], givenUp: ReadonlyMap<string, Entry>) {
    this.#paths = new Map(paths.map((each) => [each.path, each]));
    this.#givenUp = givenUp;
  }

  take(step: Exclude<RefreshStep, { kind: "merge" }>): void {
    const { path } = step;
    const before = this.#paths.get(path);
    if (before === undefined) return;
    const { base, work, mainline } = before;
    // What is there; a change that was given up is planned for as if it were gone already.
    const from = this.#givenUp.has(path) ? (this.#givenUp.get(path) ?? null) : work;
    if (step.kind === "leave") {
      if (from !== work) this.puts.push({ path, from, to: work });
      if (base !== mainline) this.own.set(path, base);
      // An earlier report of it may have been lost. What nobody holds is for the next look, which tries to claim it (LD15).
      if (isDirty(before) && before.cover !== "none") this.works.push({ path, base, work });
      return;
    }
    if (step.kind === "place") {
      if (step.work !== from) this.puts.push({ path, from, to: step.work });
      if (isDirty(before)) this.works.push({ path, base: step.base, work: step.work });
      else this.moved.push(path);
      return;
    }
    // Two sides met. Ours gives way and is kept; mainline's is what the run goes on from.
    if (isDirty(before)) this.conflicts.push({ path, base, work });
    if (from !== mainline) this.puts.push({ path, from, to: mainline });
  }
}
