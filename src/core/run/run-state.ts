// What is remembered of runs.

import type { EgressKind } from "../egress/egress.ts";
import type { Reached } from "../egress/egress-events.ts";
import type { RunImage } from "../project/image.ts";
import type { Spend } from "../budget/budget-state.ts";
import type { Permissions, ProfileSettings } from "../profile/profile.ts";
import type { Approved, Fork, LandingIntent, Rewinding, Workspace } from "../workspace/workspace-state.ts";
import type { Delay, FailureClass, Handed } from "./failure.ts";
import type { Leave } from "./leave.ts";
import type { OwnCost } from "./own-cost.ts";
import type { RunState } from "./run-states.ts";
import type { NeedKind } from "./needs.ts";
import type { Stuck } from "./stuck.ts";

/** Tools that change files which they name beforehand. */
export const writingTools = ["write", "edit", "delete", "move", "patch", "resolve"] as const;

/** Tools that change nothing, and need nothing to be theirs. */
export type LookingTool = "read" | "list" | "search";

export type CallTool =
  | (typeof writingTools)[number]
  | LookingTool
  | "claim"
  | "run"
  | "start"
  | "input"
  | "output"
  | "stop"
  | "publish"
  | "process"
  | "sleep"
  | "wait-run"
  | "sweep";

/** A call at the door: one at a time per run. */
export type Call = {
  readonly number: number;
  readonly tool: CallTool;
  readonly units: readonly string[];
  readonly bytes: number;
  /** What it waits for: a claim, or its run to go on (null). */
  readonly claim: string | null;
  /** The run that it waits for. */
  readonly other: string | null;
  readonly started: boolean;
  readonly startedAtMs: number | null;
  /** The fences it acts under, in the order of its units. */
  readonly fences: readonly number[];
  /** A process unit that the door took for this call alone. */
  readonly taken: string | null;
};

export type Run = {
  readonly id: string;
  readonly task: string;
  readonly project: string;
  readonly title: string;
  /** Who wanted it, and for whom in the end: who wanted the first of those that started one another. */
  readonly by: string;
  readonly user: string;
  /** Paths outside of which it may change nothing, beside what its task says: the scope of the run that started it. */
  readonly within: readonly string[] | null;
  /** Who works on it now; where its assistant failed, another one of its profile. */
  runner: string;
  readonly profile: string | null;
  /** What its profile said when it was taken in, with the limits that a person has raised for it since (PF21). */
  settings: ProfileSettings | null;
  /** What it may at most have of its profile's tools. */
  readonly permissions: Permissions | null;
  readonly node: string;
  readonly priority: number;
  readonly tags: readonly string[];
  readonly plan: readonly string[];
  readonly dependsOn: readonly string[];
  /** Name of the stored bytes of its script. */
  readonly script: string | null;
  /** What the runner `command` runs. */
  readonly command: readonly string[] | null;
  readonly parent: string | null;
  /** A sub-run acts under its parent's leases; a separate run has its own (LS43, LS46). */
  readonly sub: boolean;
  readonly retryOf: string | null;
  /** The step of another run that its workspace began as. */
  readonly fork: Fork | null;
  /** The run that it stems from through all who started one another; itself where nobody did. */
  readonly tree: string;
  readonly key: string | null;
  readonly submittedAtMs: number;
  /** False where a person let it work without a cage. */
  readonly caged: boolean;
  /** How much of the network it shall have; null is what its project grants. */
  readonly egress: EgressKind | null;
  /** The system its commands find; null is what its project has. */
  readonly image: RunImage | null;
  /** The living agent that it works in; null is a short-lived one of its own, and for sub-runs that of their root. */
  readonly agent: string | null;
  /** The policy that put it there; null where its submission did, or it is in none. */
  readonly reuse: string | null;
  /** Whether the workspace of its living agent is its own by now: in step, and without what others left. */
  entered: boolean;
  /**
   * Of a run that was continued in a place of its own: it has no workspace yet, the one that it was done in, or a fresh one. Null
   * where it never was.
   */
  placed: "not-yet" | "again" | "fresh" | null;
  state: RunState;
  /** Why it is in this state: a word or a sentence. */
  because: string | null;
  sinceMs: number;
  /** The event that brought it there: names the acts that follow from it. */
  sinceSeq: number;
  startedAtMs: number | null;
  endedAtMs: number | null;
  /** The family it acts in now. A run that lost its leases comes back as the next one. */
  family: string;
  incarnation: number;
  /** The claim that lets it start or go on. */
  claim: string | null;
  call: Call | null;
  callsDone: number;
  pausedFrom: RunState | null;
  question: { readonly id: string; readonly text: string; readonly leave?: Leave } | null;
  /** What people answered to its questions, and what they told it, each in order. */
  readonly answers: string[];
  readonly messages: string[];
  /** How far its assistant's program was heard, in which of its lives; and how many messages it has been given. */
  heard: { readonly life: number; readonly upTo: number; readonly owes: number } | null;
  told: number;
  /** The program's own name of the conversation. */
  session: string | null;
  /** Why its result was sent back to it: a failed acceptance, or others' work in the same place. */
  sentBack: string | null;
  /** It goes on only to claim again what it has lost (LD33). */
  regains: boolean;
  /** How its acceptance command ended the last time, and the event that says more. */
  tested: { readonly ok: boolean; readonly exit: number | "unknown"; readonly seq: number } | null;
  readonly changed: Map<string, number>;
  bytesWritten: number;
  /** The last call that was refused, for a driver that did not hear of it. */
  refused: {
    readonly call: number;
    readonly code: string;
    readonly what: string;
    readonly policy: string | null;
  } | null;
  /** The time limit: when it is up while the run is at work, what is left of it while it is not, and who set it. */
  limitAtMs: number | null;
  limitLeftMs: number | null;
  limitPolicy: string | null;
  /** What its model requests have cost. */
  spend: Spend;
  /** What they have cost by its assistant's own reckoning; null where it says nothing of it. */
  ownCost: OwnCost | null;
  /** How often its assistant has asked its model since it was last given something to do. */
  turns: number;
  /** How often it has asked for something that is no turn, a title or the like, since the last one that was. */
  asides: number;
  /** What keeps it from its model, a budget or its turns, until a request is let through again. */
  modelRefused: {
    readonly code: string;
    readonly what: string;
    readonly policy: string;
    readonly atMs: number;
    /** Set when its limit was raised since: nobody has to act on it any more (PF21). */
    readonly raised?: true;
  } | null;
  /** Its last sign of work, the call that it made last and how often in a row, and turns that failed in a row. */
  activeAtMs: number;
  repeats: { readonly print: string; readonly count: number } | null;
  turnErrors: number;
  toolErrors: number;
  /** How often its assistant was tried again without having got anything done, at which call, and its last life that failed. */
  retries: number;
  retriedAt: number;
  failedLife: number;
  /** Until when it waits to be tried again; whom it was taken over from; and the kind of failure that it ended with. */
  delay: Delay | null;
  handed: Handed | null;
  failure: FailureClass | null;
  /** Why it seems to get nowhere; and whether a person has seen that, or its end. */
  stuck: Stuck | null;
  seen: boolean;
  /** Since when it waited for a person when that was said to be too long, for each kind of need. */
  escalated: { readonly [K in NeedKind]?: number };
  /** It was ended by force. */
  forced: boolean;
  /** Its node has proven that nothing of it runs any more. */
  stopped: boolean;
  /** When what it had said until then went, and with which end of it that was (RN50); null where all of it is there. */
  outputsGone: { readonly atMs: number; readonly because: "age" | "size"; readonly sinceSeq: number } | null;
  /** Its leases expired while its driver was away. */
  lost: boolean;
  /** The policy that decided whether a person has to approve its result, once one did. */
  approvalPolicy: string | null;
  approvedBy: string | null;
  /** What it and its sub-runs have changed; a sub-run's own stays empty. */
  readonly workspace: Workspace;
  /** Its workspace is being taken back to an earlier step; until it is, nothing acts in it. */
  rewinding: Rewinding | null;
  /** What may land, once somebody has said so; and the landing that may already have moved the ref. */
  approved: readonly Approved[] | null;
  landing: LandingIntent | null;
  /** Every candidate of this landing so far. */
  intended: readonly string[];
  /** The commit that its changes landed as, the newest if there were several. */
  landed: string | null;
  /** The branch that this is on; left out or null: mainline (LD50). */
  landedOn?: string | null;
  /** Hosts that it and its sub-runs have reached or tried to reach, the first ones first. */
  readonly reached: Map<string, Reached>;
};

/** How long a call waits with its slot before its run is parked (LS39). */
export const inCallWaitMs = 20_000;

/** The name of what has to be done for a run in the state that it is in. */
export function actName(run: Pick<Run, "id" | "state" | "sinceSeq">): string {
  const kind = run.state === "validating" ? "validate" : run.state === "landing" ? "land" : "stop";
  return `${kind}:${run.id}@${run.sinceSeq}`;
}

export function familyName(run: string, incarnation: number): string {
  return `${run}.${incarnation}`;
}

/**
 * Whether nobody is there who could be told that something was set aside, and do it again: what is to be done was written down
 * before. Then it is carried, and claimed when the run is to finish (LD20, LD60).
 */
export function isWritten({ runner, script, command }: Run): boolean {
  return command !== null || (runner === "script" && script !== null);
}
