// Lands approved changes on mainline, one at a time per project: people's commits first, then a candidate, its test, the
// intent in the log, and the swap of the ref. Every step can be repeated after a crash (LD26 to LD32, LD37).

import { Fault } from "../../base/fault.ts";
import { Turns } from "../../base/turns.ts";
import type { Act } from "../../core/acts.ts";
import type { Input } from "../../core/inputs.ts";
import { planCandidate, settleCandidate } from "../../core/landing/candidate.ts";
import type { Conflict, MergedText } from "../../core/landing/conflict.ts";
import type { Entry } from "../../core/landing/entry.ts";
import { imagesIn } from "../../core/project/image.ts";
import type { Project } from "../../core/project/project.ts";
import { actName, type Run } from "../../core/run/run-state.ts";
import type { State } from "../../core/state.ts";
import type { LandingIntent, LandingTest } from "../../core/workspace/workspace-state.ts";
import type { CommitOrder, Mainline } from "../../ports/mainline.ts";
import type { LineOutcome } from "../engine-line.ts";
import { unseenBuild } from "../images/unseen-build.ts";
import { isOfTheWorld } from "../is-of-the-world.ts";
import { bringPersons } from "./bring-persons.ts";
import { judgeLanding } from "./judge-landing.ts";
import { landingMessage } from "./landing-message.ts";
import { branchFor, groundOf, tipOn } from "./ground-of.ts";
import { mergeBlobs } from "./merge-blobs.ts";
import { namesNear } from "./names-near.ts";

export type LandAct = Extract<Act, { type: "land" }>;

export type LanderOptions = {
  readonly state: () => State;
  readonly report: (input: Input) => Promise<LineOutcome>;
  readonly mainlineOf: (project: Project) => Promise<Mainline>;
  /** Tries a candidate in a fresh workspace of its own. When nobody wants to know any more it leaves nothing behind. */
  readonly test: (run: Run, project: Project, commit: string, unwanted: AbortSignal) => Promise<TestOutcome>;
  /** What is landed is the base of the run's workspace from now on. */
  readonly noteLanded: (run: Run, entries: ReadonlyMap<string, Entry>) => Promise<void>;
  readonly wallMs: () => number;
};

export type TestOutcome =
  /** With what the project's commands made of the candidate's derived files. */
  | { readonly tested: LandingTest; readonly derived?: ReadonlyMap<string, Entry> }
  | { readonly red: string }
  | "unwanted";

/** A disk that is full for a moment is nobody's concern. */
const failuresMax = 3;
/** Somebody who commits all the time gets it a moment later. */
const publishTriesMax = 5;

type Candidate = { readonly replace: ReadonlyMap<string, Entry>; readonly merged: readonly string[] };

export class Lander {
  readonly #options: LanderOptions;
  readonly #turns = new Turns();
  /** Landings alone, those that wait for their turn among them. */
  readonly #landings = new Turns();
  /** By project, the look for people's commits that has not begun yet. */
  readonly #nextBring = new Map<string, Promise<void>>();
  /** Aborted when the run of a landing that is being tried does not land any more. */
  readonly #trying = new Map<string, AbortController>();
  /** How often each landing failed in a row. */
  readonly #failures = new Map<string, number>();

  constructor(options: LanderOptions) {
    this.#options = options;
  }

  /** Lands what was approved of a run, when it is its turn. */
  land(act: LandAct): Promise<void> {
    const project = this.#runOf(act)?.project ?? "";
    return this.#landings.take(project, () => this.#turns.take(project, () => this.#land(act)));
  }

  /**
   * Brings people's commits to mainline between landings. One that is under way has brought them itself, and may take long. A look
   * that is under way may have begun before the commit that whoever asks has in mind: they wait for the next, which is one for all.
   */
  async bring(project: Project): Promise<void> {
    const { id } = project;
    if (this.#landings.has(id)) return;
    const next =
      this.#nextBring.get(id) ??
      this.#turns.take(id, () => {
        this.#nextBring.delete(id);
        return this.#bringAndPublish(project);
      });
    this.#nextBring.set(id, next);
    await next;
  }

  async #bringAndPublish(project: Project): Promise<void> {
    const mainline = await this.#options.mainlineOf(project);
    const brought = await this.#bring(project, mainline);
    if (!brought.ok || (brought.value === null && isPublished(project))) return;
    await this.#noteMoved(project, await mainline.head());
    await this.publish(project, mainline);
  }

  /** Looks at the person's side again: whatever kept it from what has landed may be gone (LD51). A landing looks itself. */
  async look(project: Project): Promise<void> {
    if (this.#turns.has(project.id)) return;
    await this.#turns.take(project.id, () => this.#publishOrSay(project));
  }

  #bring(project: Project, mainline: Mainline): ReturnType<typeof bringPersons> {
    return bringPersons(mainline, { foldCase: project.foldCase }, this.#authorOf(project));
  }

  #authorOf({ source }: Project): CommitOrder["author"] {
    return { ...source.author, atMs: this.#options.wallMs() };
  }

  /** The run is not landing any more: what is tried for it is ended, and the next one has its turn (LD46). */
  leave(run: string): void {
    this.#trying.get(run)?.abort();
  }

  async #land(act: LandAct): Promise<void> {
    const { report, state } = this.#options;
    const run = this.#runOf(act);
    const project = run === undefined ? undefined : state().projects.get(run.project);
    if (run === undefined || project === undefined) return;
    const input = await this.#outcomeOf(act, run, project).catch((error: unknown) => this.#orBack(act, run, error));
    this.#failures.delete(act.id);
    if (input === undefined) return;
    await report({ ...input, act: act.id });
    if (input.how === "landed") await this.#publishOrSay(project);
  }

  async #outcomeOf(act: LandAct, run: Run, project: Project): Promise<LandedInput | undefined> {
    const mainline = await this.#options.mainlineOf(project);
    return (await this.#takeUp(run, mainline)) ?? this.#tryAll(act, run, project, mainline);
  }

  /** What the world keeps in the way a person should hear of, unless it is intended already: then it is never undone (LD52). */
  #orBack(act: LandAct, run: Run, error: unknown): LandedInput {
    const failures = (this.#failures.get(act.id) ?? 0) + 1;
    this.#failures.set(act.id, failures);
    const isIntended = this.#options.state().runs.get(run.id)?.landing !== null;
    if (!(error instanceof Error) || !isOfTheWorld(error) || isIntended || failures < failuresMax) throw error;
    return back(run, `it cannot be landed now (${error.message}): mend that, then approve again`);
  }

  /** Brings mainline to the person's branch, or says why not (LD43). */
  async publish(project: Project, mainline: Mainline): Promise<void> {
    let outcome = await mainline.publish();
    // Whoever has committed since the landing began has to have that in mainline first.
    for (let tries = 1; !outcome.published && tries < publishTriesMax; tries++) {
      const brought = await this.#bring(project, mainline).catch(() => undefined);
      if (brought?.ok !== true || brought.value === null) break;
      await this.#noteMoved(project, await mainline.head());
      outcome = await mainline.publish();
    }
    const { commit } = outcome;
    await this.#sayPublished(project, commit, outcome.published ? null : { why: outcome.why, how: outcome.how });
  }

  /** It has landed, whatever becomes of the person's side: then that is said, and tried again. */
  async #publishOrSay(project: Project): Promise<void> {
    try {
      await this.publish(project, await this.#options.mainlineOf(project));
    } catch (error) {
      if (!(error instanceof Error) || !(error instanceof Fault || isOfTheWorld(error))) throw error;
      const isOurs = error instanceof Fault && error.code === "own-folder";
      const how = `signalbox ${isOurs ? "project remove" : "project show"} ${project.name}`;
      const { mainline } = this.#options.state().projects.get(project.id) ?? project;
      await this.#sayPublished(project, mainline, { why: error.message, how });
    }
  }

  async #sayPublished({ id }: Project, commit: string, not: { why: string; how: string } | null): Promise<void> {
    await this.#options.report({ type: "mainline.publish", project: id, commit, not });
  }

  /** A landing that was intended before a crash: the ref may have moved, and never moves twice (LD37). */
  async #takeUp(run: Run, mainline: Mainline): Promise<LandedInput | undefined> {
    const { landing } = run;
    if (landing === null) return undefined;
    if (landing.branch !== undefined) return this.#takeUpBranch(run, mainline, { ...landing, branch: landing.branch });
    const head = await mainline.head();
    const isThere = landing.candidate === head || (await mainline.isAncestor(landing.candidate, head));
    if (isThere || (head === landing.parent && (await mainline.swap(head, landing.candidate))))
      return this.#landed(run, landing);
    await this.#options.report({ type: "landing.overtaken", run: run.id, candidate: landing.candidate });
    return undefined;
  }

  /** Puts what was intended on the run's own branch. Where that is somebody else's by now, a person decides (LD50). */
  async #takeUpBranch(run: Run, mainline: Mainline, intent: LandingIntent & { branch: string }): Promise<LandedInput> {
    const { branch, candidate } = intent;
    const why = await mainline.putBranch(branch, tipOn(run, branch) ?? null, candidate);
    if (why === null) return this.#landed(run, intent);
    await this.#options.report({ type: "landing.overtaken", run: run.id, candidate });
    return back(run, `${why}: rename or remove it, then approve again`);
  }

  async #tryAll(act: LandAct, run: Run, project: Project, mainline: Mainline): Promise<LandedInput | undefined> {
    for (;;) {
      const tried = await this.#try(act, run, project, mainline);
      if (tried !== "again") return tried;
    }
  }

  async #try(act: LandAct, run: Run, project: Project, mainline: Mainline): Promise<LandedInput | undefined | "again"> {
    const { report } = this.#options;
    const brought = await this.#bring(project, mainline);
    if (!brought.ok) return back(run, divergedSentence(project, brought.refusal.paths));
    const head = await mainline.head();
    await this.#noteMoved(project, head);
    const branch = branchFor(run, project);
    // What a run lands in parts comes one on the other.
    const parent = await groundOf(mainline, run, project);
    const candidate = await this.#candidateOf(run, project, mainline, parent);
    if (!("replace" in candidate)) return candidate;
    if (candidate.replace.size === 0) {
      const on = parent === head ? {} : { branch };
      const nothing = { entries: [], tested: "untested", merged: [] } as const;
      return { type: "run.landed", run: run.id, how: "landed", commit: parent, ...nothing, ...on };
    }
    const unfit = await judgeLanding(this.#options.state(), run, mainline, candidate.replace);
    if (unfit !== undefined) return back(run, unfit);
    const order: CommitOrder = {
      parents: [parent],
      changes: candidate.replace,
      message: landingMessage(run, this.#options.state()),
      author: this.#authorOf(project),
    };
    const first = await mainline.commit(order);
    const unseen = await this.#unseenIn(run, mainline, { parent, candidate: first });
    if (unseen !== undefined) return back(run, unseen);
    const outcome = await this.#test(run, project, first);
    if (outcome === "unwanted") return undefined;
    if ("red" in outcome) return back(run, outcome.red);
    const { derived = new Map<string, Entry>() } = outcome;
    const changes = new Map([...candidate.replace, ...derived]);
    const commit = derived.size === 0 ? first : await mainline.commit({ ...order, changes });
    const made =
      derived.size === 0
        ? undefined
        : ((await judgeLanding(this.#options.state(), run, mainline, derived)) ??
          (await this.#unseenIn(run, mainline, { parent, candidate: commit })));
    if (made !== undefined) return back(run, made);
    const entries = [...changes].map(([path, entry]) => ({ path, entry }));
    const intent: LandingIntent = {
      parent,
      candidate: commit,
      entries,
      tested: outcome.tested,
      merged: candidate.merged,
      ...(branch === undefined ? {} : { branch }),
    };
    const intended = await report({ type: "landing.intend", run: run.id, act: act.id, ...intent });
    // Somebody else decides about the run now.
    if (!intended.ok) return undefined;
    if (branch !== undefined) return this.#takeUpBranch(run, mainline, { ...intent, branch });
    if (await mainline.swap(parent, commit)) return this.#landed(run, intent);
    // The swap may have happened all the same, and somebody may stand on it already.
    if (await mainline.isAncestor(commit, await mainline.head())) return this.#landed(run, intent);
    await report({ type: "landing.overtaken", run: run.id, candidate: commit });
    return "again";
  }

  async #test(run: Run, project: Project, commit: string): Promise<TestOutcome> {
    const unwanted = new AbortController();
    this.#trying.set(run.id, unwanted);
    try {
      // It may have been stopped before anybody could be told.
      if (this.#options.state().runs.get(run.id)?.state !== "landing") return "unwanted";
      return await this.#options.test(run, project, commit, unwanted.signal);
    } finally {
      this.#trying.delete(run.id);
    }
  }

  /** Mainline may have moved by people's commits, now or just before a crash. */
  async #noteMoved({ id }: Project, to: string): Promise<void> {
    const from = this.#options.state().projects.get(id)?.mainline ?? to;
    if (from !== to) await this.#options.report({ type: "mainline.move", project: id, from, to });
  }

  async #candidateOf(run: Run, project: Project, mainline: Mainline, head: string): Promise<Candidate | LandedInput> {
    const approvals = (run.approved ?? []).map(({ path, base, entry }) => ({ path, base, approved: entry }));
    const approvedPaths = approvals.map(({ path }) => path);
    const heads = await mainline.entriesAt(head, approvedPaths);
    const plan = planCandidate(approvals, (path) => heads.get(path) ?? null);
    const merged = new Map<string, MergedText>();
    for (const { path, blobs } of plan.merges) merged.set(path, await mergeBlobs(mainline, blobs));
    const rule = { foldCase: project.foldCase };
    const paths = await namesNear(mainline, head, approvedPaths, rule);
    const settled = settleCandidate(plan, merged, { paths, rule });
    if (settled.ok) return { replace: settled.value, merged: plan.merges.map(({ path }) => path) };
    const { conflicts, clashes } = settled.refusal;
    const clashing = clashes.map(({ fresh }) => ({ path: fresh, theirs: heads.get(fresh) ?? null }));
    return { type: "run.landed", run: run.id, how: "conflict", conflicts: [...conflicts.map(shown), ...clashing] };
  }

  async #landed(run: Run, { candidate, entries, tested, merged, branch }: LandingIntent): Promise<Landed> {
    const bases = new Map((run.approved ?? []).map(({ path, entry }) => [path, entry]));
    await this.#options.noteLanded(run, bases);
    const on = branch === undefined ? {} : { branch };
    return { type: "run.landed", run: run.id, how: "landed", commit: candidate, entries, tested, merged, ...on };
  }

  /** What a person approves, they have seen. Else the images of the project, its agents, and profiles that its runs may have stay. */
  async #unseenIn(run: Run, mainline: Mainline, of: Parameters<typeof unseenBuild>[2]): Promise<string | undefined> {
    if (run.approvedBy !== null) return undefined;
    const { projects, profiles, agents } = this.#options.state();
    const own = [...agents.values()]
      .filter(({ project }) => project === run.project)
      .flatMap(({ spec }) => imagesIn(spec));
    const named = [...profiles.values()].map(({ settings }) => settings.image);
    return unseenBuild([projects.get(run.project)?.image, ...own, ...named], mainline, of);
  }

  /** The run, if this act is still to be done for it. */
  #runOf(act: LandAct): Run | undefined {
    const run = this.#options.state().runs.get(act.run);
    return run !== undefined && actName(run) === act.id ? run : undefined;
  }
}

/** Whether the person's branch has all of mainline, as far as the log knows. */
export function isPublished({ mainline, published, notPublished }: Project): boolean {
  return notPublished === null && mainline === published;
}

type LandedInput = Extract<Input, { type: "run.landed" }>;
type Landed = Extract<LandedInput, { how: "landed" }>;

function back(run: Run, message: string): LandedInput {
  return { type: "run.landed", run: run.id, how: "back", message };
}

function shown({ path, theirs }: Conflict): { readonly path: string; readonly theirs: Entry } {
  return { path, theirs };
}

function divergedSentence(project: Project, paths: readonly string[]): string {
  const where = paths.length === 0 ? "" : ` in ${paths.join(", ")}`;
  return `${project.source.branch} and mainline have both changed${where}: merge mainline into ${project.source.branch}, then approve again`;
}
