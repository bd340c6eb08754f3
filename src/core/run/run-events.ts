// The facts of runs.

import type { EgressKind } from "../egress/egress.ts";
import type { Move } from "../landing/kin.ts";
import type { StuckAct } from "../policy/policy.ts";
import type { Permissions, ProfileSettings } from "../profile/profile.ts";
import type { RunImage } from "../project/image.ts";
import type { Fork, Oversized, Read, Work } from "../workspace/workspace-state.ts";
import type { Delay, FailureClass } from "./failure.ts";
import type { Heard } from "./heard.ts";
import type { OutputsForgotten } from "./kept-outputs.ts";
import type { Leave } from "./leave.ts";
import type { RaisedLimit } from "./raise.ts";
import type { CallTool } from "./run-state.ts";
import type { RunState } from "./run-states.ts";
import type { NeedKind } from "./needs.ts";
import type { StuckWhy } from "./stuck.ts";

export type RunSubmitted = {
  readonly type: "run.submitted";
  readonly v: 1;
  readonly run: string;
  readonly task: string;
  readonly project: string;
  readonly title: string;
  readonly runner: string;
  readonly profile: string | null;
  readonly node: string;
  readonly priority: number;
  readonly tags: readonly string[];
  readonly plan: readonly string[];
  readonly dependsOn: readonly string[];
  readonly script: string | null;
  readonly parent: string | null;
  readonly sub: boolean;
  readonly retryOf: string | null;
  readonly key: string | null;
  /** The policy that allowed its runner. */
  readonly policy: string;
  /** What the runner `command` runs. */
  readonly command?: readonly string[];
  /** What its profile said then. Left out: it has none, or nobody has set one of the name. */
  readonly settings?: ProfileSettings;
  /** Set when a person let it work without a cage. */
  readonly noCage?: true;
  /** How much of the network it shall have. Left out: what its project grants. */
  readonly egress?: EgressKind;
  /** Of a fork: where it begins, what is changed there, and how many calls of its script are answered for. */
  readonly fork?: Fork & { readonly works: readonly Work[]; readonly callsDone: number };
  /** The system its commands find. Left out: what its project has. */
  readonly image?: RunImage;
  /** The living agent that it works in. Left out: a short-lived one of its own, or for sub-runs that of their root. */
  readonly agent?: string;
  /** The policy that put it there, where it named none itself (AG52). */
  readonly reuse?: string;
  /** What it may at most have of its profile's tools, whatever that says when it is tried again. */
  readonly permissions?: Permissions;
  /** Paths outside of which it may change nothing, beside what its task says. Left out: whoever started it is not bound. */
  readonly within?: readonly string[];
};

/** The workspace of its living agent is its own: in step with mainline, and without what others left in it. */
export type RunEntered = {
  readonly type: "run.entered";
  readonly v: 1;
  readonly run: string;
  readonly agent: string;
  readonly commit: string;
};

/** A run that was continued has a workspace again, in step with the commit: the one that it was done in, or a fresh one. */
export type RunPlaced = {
  readonly type: "run.placed";
  readonly v: 1;
  readonly run: string;
  readonly commit: string;
  /** Set where what it had built there is gone. */
  readonly fresh?: true;
};

/** One arrow of the table in run-states.ts. */
export type RunMoved = {
  readonly type: "run.moved";
  readonly v: 1;
  readonly run: string;
  readonly from: RunState;
  readonly to: RunState;
  readonly because: string | null;
  /** The policy that decided it, where one did. */
  readonly policy: string | null;
  /** Set when its processes are to be ended without time to tidy up. */
  readonly force?: true;
  /** The kind of failure, where its assistant failed it. */
  readonly failure?: FailureClass;
  /** Set when it goes on only to claim again what it has lost: nothing has to be mended (LD33). */
  readonly regains?: true;
};

/** A run asked to be let in: its claim for units and a slot. */
export type RunClaimed = { readonly type: "run.claimed"; readonly v: 1; readonly run: string; readonly claim: string };

/** The time limit that a policy set for a run when it started. */
export type RunLimited = {
  readonly type: "run.limited";
  readonly v: 1;
  readonly run: string;
  readonly limitAtMs: number;
  readonly policy: string;
};

/** A run's leases expired while its driver was away; when it returns it is a new family. */
export type RunLost = { readonly type: "run.lost"; readonly v: 1; readonly run: string };
export type RunRevived = {
  readonly type: "run.revived";
  readonly v: 1;
  readonly run: string;
  readonly family: string;
  readonly incarnation: number;
  /** Set where a person continued it, and it has to find a workspace of its own before it acts. */
  readonly unplaced?: true;
};

/** Its acceptance command was tried. What follows from that, the next move says. */
export type RunTested = {
  readonly type: "run.tested";
  readonly v: 1;
  readonly run: string;
  readonly ok: boolean;
  readonly exit: number | "unknown";
  /** The end of what the command wrote. */
  readonly summary: string;
  /** Where its node keeps the rest. */
  readonly output: string | null;
};

/** Its node has proven that none of its processes is left. */
export type RunStopped = {
  readonly type: "run.stopped";
  readonly v: 1;
  readonly run: string;
  /** What a sub-run that was cut off has left in its root's workspace. */
  readonly works: readonly Work[];
  /** What of that counts as changed by its root; left out where nothing does. */
  readonly changed?: readonly { readonly path: string; readonly bytes: number }[];
};

export type RunSaid = { readonly type: "run.said"; readonly v: 1; readonly run: string; readonly text: string };
export type RunAsked = {
  readonly type: "run.asked";
  readonly v: 1;
  readonly run: string;
  readonly question: string;
  readonly text: string;
  /** Set when it is leave that is asked, and what for (RN26). */
  readonly leave?: Leave;
};
export type RunAnswered = {
  readonly type: "run.answered";
  readonly v: 1;
  readonly run: string;
  readonly question: string;
  readonly text: string;
  /** Of leave: whether it was given. */
  readonly allows?: boolean;
};
/** A message from a person: to a run at work, with a return from review, or to go on after the end. */
export type RunMessaged = {
  readonly type: "run.messaged";
  readonly v: 1;
  readonly run: string;
  readonly text: string;
  /** Set when the run is to leave what it is doing for it. */
  readonly interrupts?: true;
  /** Set when it comes from us, because the run is stuck: no sign of work, and nothing new to do (RN35). */
  readonly nudge?: true;
};
/** What its assistant's program said of itself, up to a byte of the output of one of its lives. */
export type RunHeard = {
  readonly type: "run.heard";
  readonly v: 1;
  readonly run: string;
  readonly life: number;
  readonly upTo: number;
  /** How many of people's messages it has been given. */
  readonly told: number;
  /** How many turns it has begun, or was told to, and not ended. */
  readonly owes: number;
  readonly items: readonly Heard[];
};
/** It seems to get nowhere. What is done about it, policies say; everything else, people decide. */
export type RunStuck = {
  readonly type: "run.stuck";
  readonly v: 1;
  readonly run: string;
  readonly why: StuckWhy;
  readonly what: string;
  readonly policy: string;
  /** What is done about it. Left out: people are told. */
  readonly act?: StuckAct;
};
/** What it needs a person for has waited for too long. */
export type RunEscalated = {
  readonly type: "run.escalated";
  readonly v: 1;
  readonly run: string;
  readonly kind: NeedKind;
  /** Since when it waits. */
  readonly sinceMs: number;
  readonly policy: string;
};
/** Its assistant cannot work now and is tried again, at an instant of engine time. */
export type RunDelayed = Delay & {
  readonly type: "run.delayed";
  readonly v: 1;
  readonly run: string;
  readonly life: number;
};
/** Its assistant cannot work, and another one of its profile takes over. */
export type RunHanded = {
  readonly type: "run.handed";
  readonly v: 1;
  readonly run: string;
  readonly from: string;
  readonly to: string;
  readonly failure: FailureClass;
  readonly what: string;
  /** The last that the first one said of its work. */
  readonly said: string;
};
/** Somebody has seen that it failed, is stuck, waits for its model, or did not land all that it changed; or takes that back. */
export type RunSeen = { readonly type: "run.seen"; readonly v: 1; readonly run: string; readonly undone?: true };
/** A person gave it more room than its profile did: this limit of its settings is the value from now on (PF21). */
export type RunRaised = {
  readonly type: "run.raised";
  readonly v: 1;
  readonly run: string;
  readonly limit: RaisedLimit;
  readonly was: number;
  readonly value: number;
};
/** Left out of `recordings`: by those of long ago, with which they went. */
export type RunRemoved = {
  readonly type: "run.removed";
  readonly v: 1;
  readonly run: string;
  readonly recordings?: "kept";
};

type CallBase = { readonly v: 1; readonly run: string; readonly call: number; readonly tool: CallTool };

/** A call waits at the door: for a claim, for another run, or for its own run to go on. */
export type CallQueued = CallBase & {
  readonly type: "call.queued";
  readonly units: readonly string[];
  readonly bytes: number;
  readonly claim: string | null;
  readonly other: string | null;
  /** The same tool with the same arguments has the same. */
  readonly print?: string;
  /** What the program that asks for it calls it (RN48). */
  readonly use?: string;
};

/** The door opened: the act may happen now, under these fences. */
export type CallStarted = CallBase & {
  readonly type: "call.started";
  readonly units: readonly string[];
  readonly bytes: number;
  readonly fences: readonly number[];
  /** A process unit taken for this call alone. */
  readonly taken: string | null;
};

export type CallRefused = CallBase & {
  readonly type: "call.refused";
  readonly code: string;
  readonly what: string;
  readonly policy: string | null;
  readonly print?: string;
};

export type CallFinished = CallBase & {
  readonly type: "call.finished";
  readonly ok: boolean;
  /** Exit status of a command: null where there was none, "unknown" where it was lost. */
  readonly exit: number | "unknown" | null;
  readonly summary: string;
  readonly changed: readonly { readonly path: string; readonly bytes: number }[];
  /** What its paths are now, with their bases: changed ones, and such that are no longer. */
  readonly works: readonly Work[];
  /** Files that it has moved; left out where there are none. */
  readonly moves?: readonly Move[];
  /** Stored bytes of the output, if any. */
  readonly output: string | null;
  /** Files that it read, with what they were. Left out where that was known. */
  readonly reads?: readonly Read[];
  /** Sides of mainline that it was shown, of files in conflict (LD31). Left out where there is none. */
  readonly shown?: readonly Read[];
  /** What in the workspace is too large to land by then, the first 100 (LD57). Left out where that is as it was. */
  readonly oversized?: readonly Oversized[];
  /** Set where something that it started may still run: the run keeps its process unit (EN51). */
  readonly unended?: true;
};

export type RunEvent =
  | RunSubmitted
  | RunMoved
  | RunClaimed
  | RunLimited
  | RunLost
  | RunRevived
  | RunTested
  | RunEntered
  | RunPlaced
  | RunStopped
  | RunSaid
  | RunAsked
  | RunAnswered
  | RunMessaged
  | RunHeard
  | RunStuck
  | RunEscalated
  | RunDelayed
  | RunHanded
  | RunSeen
  | RunRaised
  | RunRemoved
  | OutputsForgotten
  | CallQueued
  | CallStarted
  | CallRefused
  | CallFinished;
