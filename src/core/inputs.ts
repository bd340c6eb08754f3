// Everything that can be asked of the core, or reported to it. An input never carries a time, a random number or an id
// that decides anything: the engine stamps the time, and ids come from the sequence of the log.

import type { AgentInput, AgentRefusal } from "./agent/agent-decide.ts";
import type { BudgetRefusal } from "./budget/budget-decide.ts";
import type { AnswerExtent } from "./budget/budget-events.ts";
import type { Price } from "./budget/budget-state.ts";
import type { Usage } from "./budget/prices.ts";
import type { ReleaseRefusal, ClaimRefusal } from "./lease/lease-decide.ts";
import type { Obstacle } from "./lease/lease-events.ts";
import type { ClaimEnd, WaitEdge } from "./lease/lease-state.ts";
import type { Egress, EgressKind } from "./egress/egress.ts";
import type { EgressInput } from "./egress/egress-events.ts";
import type { Policy, PolicyDenied } from "./policy/policy.ts";
import type { Permissions, Preset, Profile } from "./profile/profile.ts";
import type { OwnRunner } from "./runner/own-runner.ts";
import type { Derived } from "./project/derived.ts";
import type { ImageChoice, RunImage } from "./project/image.ts";
import type { ProjectProcess, ProjectSource, WarmFolders } from "./project/project.ts";
import type { EnterInput } from "./run/enter-input.ts";
import type { Failure } from "./run/failure.ts";
import type { Heard } from "./run/heard.ts";
import type { Leave } from "./run/leave.ts";
import type { ForgetOutputs } from "./run/kept-outputs.ts";
import type { RaisedLimit, RaiseRefusal } from "./run/raise.ts";
import type { CallTool, LookingTool } from "./run/run-state.ts";
import type { RunState } from "./run/run-states.ts";
import type { Entry } from "./landing/entry.ts";
import type { Move } from "./landing/kin.ts";
import type { MadeRoom } from "./disk/room-made.ts";
import type { TaskInput, TaskRefusal } from "./task/task-decide.ts";
import type { TerminalInput } from "./terminal/terminal-events.ts";
import type { Chosen, LandingTest, Oversized, Read, Work } from "./workspace/workspace-state.ts";

export type Input =
  | { readonly type: "engine.open"; readonly version: string; readonly wallMs: number }
  | { readonly type: "tick" }
  | {
      readonly type: "project.add";
      readonly name: string;
      readonly root: string;
      readonly foldCase: boolean;
      readonly processes: Readonly<Record<string, ProjectProcess>>;
      readonly source: ProjectSource;
      readonly landingTest: readonly string[] | null;
      /** The commit that mainline begins at. */
      readonly commit: string;
      /** Left out: nobody is reached. */
      readonly egress?: Egress | undefined;
      readonly derived?: readonly Derived[] | undefined;
      readonly testTimeMs?: number | undefined;
    }
  | {
      readonly type: "project.change";
      readonly project: string;
      readonly foldCase?: boolean | undefined;
      readonly processes?: Readonly<Record<string, ProjectProcess>> | undefined;
      readonly landingTest?: readonly string[] | null | undefined;
      readonly egress?: Egress | undefined;
      readonly derived?: readonly Derived[] | undefined;
      readonly warm?: WarmFolders | undefined;
      readonly image?: ImageChoice | null | undefined;
      readonly testTimeMs?: number | undefined;
      readonly landingMessage?: string | null | undefined;
      readonly landingBranch?: string | null | undefined;
      readonly derivedNetwork?: boolean | undefined;
    }
  | { readonly type: "project.remove"; readonly project: string }
  | { readonly type: "policy.set"; readonly policy: Policy }
  | { readonly type: "policy.remove"; readonly name: string }
  /** To ensure a profile leaves the one that is there as it is. */
  | { readonly type: "profile.set"; readonly profile: Profile; readonly ensure: boolean }
  | { readonly type: "profile.remove"; readonly name: string }
  | { readonly type: "runner.set"; readonly runner: OwnRunner }
  | { readonly type: "runner.remove"; readonly name: string }
  /** Null: what is built in. */
  | {
      readonly type: "preset.set";
      readonly runner: string;
      readonly preset: Preset;
      readonly model: string | null;
    }
  | { readonly type: "price.set"; readonly price: Price }
  | { readonly type: "price.remove"; readonly model: string }
  | SubmitRun
  | TaskInput
  | { readonly type: "run.pause"; readonly run: string }
  | { readonly type: "run.resume"; readonly run: string }
  /** By force leaves its processes no time to tidy up. */
  | {
      readonly type: "run.terminate";
      readonly select: RunSelector;
      readonly because: string;
      readonly force?: boolean | undefined;
    }
  | { readonly type: "run.continue"; readonly run: string; readonly message: string }
  | { readonly type: "run.retry"; readonly run: string }
  /** To the question that somebody saw, where they say which; about leave they have to. */
  | {
      readonly type: "run.answer";
      readonly run: string;
      readonly text: string;
      readonly question?: string | undefined;
    }
  /** A word to a run that is at work; by interrupting, it leaves what it is doing for it. */
  | { readonly type: "run.steer"; readonly run: string; readonly message: string; readonly interrupt: boolean }
  /** Null approves everything that the run may land. */
  | { readonly type: "run.approve"; readonly run: string; readonly approved: readonly Chosen[] | null }
  | { readonly type: "run.reject"; readonly run: string; readonly message: string }
  | { readonly type: "run.return"; readonly run: string; readonly message: string }
  | { readonly type: "run.remove"; readonly run: string }
  /** Back to what the workspace was after a step; `works` are what was changed by then, as the log tells it (LD34). */
  | { readonly type: "run.rewind"; readonly run: string; readonly step: number; readonly works: readonly Work[] }
  | ForkRun
  /** Somebody has seen what the inbox tells of it and nobody has to act on, or takes that back. */
  | { readonly type: "run.see"; readonly run: string; readonly undo: boolean }
  /** Gives it more room than its profile did (PF21). */
  | { readonly type: "run.raise"; readonly run: string; readonly limit: RaisedLimit; readonly value: number }
  | { readonly type: "warning.see"; readonly warning: string; readonly undo: boolean }
  | ({ readonly type: "room.note" } & MadeRoom)
  | ForgetOutputs
  | MakeClaim
  | { readonly type: "claim.cancel"; readonly claim: string }
  | { readonly type: "lease.renew"; readonly claim: string; readonly ttlMs: number | null }
  /** Gives back the units of a claim, or some units of a run. */
  | { readonly type: "lease.release"; readonly claim: string; readonly units: readonly string[] | null }
  | {
      readonly type: "run.release";
      readonly run: string;
      readonly family: string;
      readonly units: readonly string[] | null;
      readonly setAside: boolean;
    }
  /** A person says, by name, that the processes of a holder that is gone are dead. */
  | { readonly type: "unit.clear"; readonly project: string; readonly unit: string }
  // From nodes and drivers.
  | { readonly type: "node.beat"; readonly node: string; readonly families: readonly string[] }
  | {
      readonly type: "lease.refreshed";
      readonly claim: string;
      readonly bases: Readonly<Record<string, string | null>>;
      /** Where the clean paths of the workspace stand now; null where the holder has no workspace. */
      readonly commit: string | null;
      /** Dirty paths whose base or content changed by it. */
      readonly works: readonly Work[];
      readonly conflicts: readonly Work[];
      /** Clean paths that others' work has changed since. */
      readonly moved: readonly string[];
    }
  | { readonly type: "run.driven"; readonly run: string; readonly family: string }
  | { readonly type: "run.back"; readonly run: string }
  | BeginCall
  | FinishCall
  | PassCall
  | {
      readonly type: "run.say";
      readonly run: string;
      readonly family: string;
      readonly call: number;
      readonly text: string;
    }
  | {
      readonly type: "run.ask";
      readonly run: string;
      readonly family: string;
      readonly call: number;
      readonly text: string;
      /** What it wants leave for, where it is that which it asks. */
      readonly leave?: Leave | undefined;
    }
  /** What its assistant's program said, from where the last report ended up to this byte of its output. */
  | {
      readonly type: "run.hear";
      readonly run: string;
      readonly life: number;
      readonly upTo: number;
      readonly told: number;
      readonly owes: number;
      readonly items: readonly Heard[];
    }
  | {
      readonly type: "run.finish";
      readonly run: string;
      readonly family: string;
      readonly ok: boolean;
      readonly message: string;
      /** How its assistant failed it, where one did. */
      readonly failure?: Failure | undefined;
      /** It finishes only where no more messages than these were said to it: one more is heard first. */
      readonly unlessSaid?: number | undefined;
    }
  // Outcomes of acts. Who names the act is not mistaken for a later one of the same kind.
  | {
      readonly type: "run.validated";
      readonly run: string;
      readonly ok: boolean;
      readonly message: string;
      readonly act?: string | undefined;
      /** How the acceptance command ended, where one was tried. */
      readonly tested?: TestedWith | undefined;
    }
  | {
      readonly type: "landing.intend";
      readonly run: string;
      readonly act: string;
      readonly parent: string;
      readonly candidate: string;
      readonly entries: readonly { readonly path: string; readonly entry: Entry }[];
      readonly tested: LandingTest;
      readonly merged: readonly string[];
      readonly branch?: string | undefined;
    }
  /** Mainline had moved: the candidate does not become it. */
  | { readonly type: "landing.overtaken"; readonly run: string; readonly candidate: string }
  | LandedInput
  | { readonly type: "works.find"; readonly run: string; readonly act: string; readonly works: readonly Work[] }
  | {
      readonly type: "run.rewound";
      readonly run: string;
      readonly act: string;
      readonly works: readonly Work[];
      readonly stayed: readonly string[];
      readonly refused: string | null;
    }
  | EnterInput
  /** What was left unswept in the workspace comes along, so that nothing is lost. */
  | {
      readonly type: "run.stopped";
      readonly run: string;
      readonly act?: string | undefined;
      readonly works: readonly Work[];
      /** How large these are. */
      readonly swept?: readonly { readonly path: string; readonly bytes: number }[] | undefined;
      /** Paths of these that are or lie in submodules. */
      readonly inSubmodules?: readonly string[] | undefined;
    }
  | { readonly type: "mainline.move"; readonly project: string; readonly from: string; readonly to: string }
  | {
      readonly type: "mainline.publish";
      readonly project: string;
      readonly commit: string;
      readonly not: { readonly why: string; readonly how: string } | null;
    }
  | EgressInput
  | AgentInput
  | TerminalInput
  | { readonly type: "trash.purge"; readonly ids: readonly string[] }
  | RequestModel
  | AnswerModel
  /** A node that began anew: it does not know what became of the requests of its earlier life. */
  | { readonly type: "model.forget"; readonly node: string };

/** A run wants to send a request to a model, which may use at most this. */
export type RequestModel = {
  readonly type: "model.request";
  readonly run: string;
  /** The same request again is recognised by it. */
  readonly key: string;
  readonly provider: string;
  readonly model: string;
  readonly credential: string;
  /** Whether it is a step of the work: it offers its model tools. */
  readonly turn?: boolean;
  readonly inputTokens: number;
  readonly outputTokens: number;
};

/** What became of a request. */
export type AnswerModel = Usage & {
  readonly type: "model.answer";
  readonly request: string;
  /** The model that the answer names, where it names one. */
  readonly model: string | null;
  readonly extent: Exclude<AnswerExtent, "lost">;
  readonly status: number | null;
  readonly artifact: string | null;
};

/** How a landing came out. */
export type LandedInput = { readonly type: "run.landed"; readonly run: string; readonly act?: string | undefined } & (
  | {
      readonly how: "landed";
      readonly commit: string;
      /** The branch that it landed on, where that is not mainline (LD50). */
      readonly branch?: string | undefined;
      readonly entries: readonly { readonly path: string; readonly entry: Entry }[];
      readonly tested: LandingTest;
      readonly merged: readonly string[];
    }
  /** Mainline and the run changed the same place: back to the run, with the side it has not seen. */
  | {
      readonly how: "conflict";
      readonly conflicts: readonly { readonly path: string; readonly theirs: Entry }[];
    }
  /** Red tests, or mainline cannot move: back to a person, with its leases. */
  | { readonly how: "back"; readonly message: string }
);

export type TestedWith = {
  readonly exit: number | "unknown";
  readonly summary: string;
  readonly output: string | null;
};

export type SubmitRun = {
  readonly type: "run.submit";
  readonly project: string;
  readonly title: string;
  readonly description: string;
  readonly acceptance: readonly string[] | null;
  /** The task that it is of, which then says title, description, acceptance and scope; null makes one of them. */
  readonly task?: string | null | undefined;
  /** Files and folders that it may change; null is the whole project. */
  readonly scope?: readonly string[] | null | undefined;
  readonly runner: string;
  readonly profile: string | null;
  readonly node: string;
  readonly priority: number;
  readonly tags: readonly string[];
  readonly plan: readonly string[];
  readonly dependsOn: readonly string[];
  readonly script: string | null;
  /** What the runner `command` runs. */
  readonly command?: readonly string[] | null | undefined;
  readonly parent: string | null;
  readonly sub: boolean;
  readonly key: string | null;
  /** A person's word that it may work without a cage. */
  readonly noCage?: true | undefined;
  /** How much of the network it shall have; null is what its project grants. */
  readonly egress?: EgressKind | null | undefined;
  /** The system its commands find; null is what its project has. */
  readonly image?: RunImage | null | undefined;
  /** The living agent that it works in; null is one of its own. */
  readonly agent?: string | null | undefined;
  /** Takes tools away from what its profile has. */
  readonly permissions?: Permissions | null | undefined;
};

/** A new run of the same task, in a workspace that begins as a step of another run left it (LD36). */
export type ForkRun = {
  readonly type: "run.fork";
  readonly run: string;
  readonly step: number;
  /** Null is the runner that the other one has. */
  readonly runner: string | null;
  readonly message: string | null;
  /** What was changed by then, and the commit that clean paths stood at, as the log tells it. */
  readonly works: readonly Work[];
  readonly commit: string | null;
};

export type RunSelector =
  | { readonly by: "run"; readonly run: string }
  | { readonly by: "tag"; readonly tag: string; readonly project: string | null }
  | { readonly by: "all"; readonly project: string | null };

/** A claim of someone outside, who holds units like any run. */
export type MakeClaim = {
  readonly type: "claim.make";
  readonly project: string;
  /** Names the holder; claims under one name never conflict with each other. Null: a holder of its own. */
  readonly as: string | null;
  readonly units: readonly string[];
  readonly priority: number;
  readonly key: string | null;
  readonly mode: "wait" | "try";
  readonly ttlMs: number;
  readonly waitMs: number | null;
};

export type BeginCall = {
  readonly type: "call.begin";
  readonly run: string;
  readonly family: string;
  /** Calls of a run are numbered; the same number again is the same call. */
  readonly call: number;
  readonly tool: CallTool;
  /** What it needs to own: the paths it writes, the process it starts. */
  readonly units: readonly string[];
  readonly bytes: number;
  readonly other: string | null;
  /** The same tool with the same arguments has the same. Left out of what may well come again and again. */
  readonly print?: string | undefined;
  /** What the program that asks for it calls it. */
  readonly use?: string | undefined;
};

export type FinishCall = {
  readonly type: "call.finish";
  readonly run: string;
  readonly family: string;
  readonly call: number;
  readonly ok: boolean;
  readonly exit: number | "unknown" | null;
  readonly summary: string;
  readonly changed: readonly { readonly path: string; readonly bytes: number }[];
  /** What its paths are now, with their bases: changed ones, and such that are no longer. */
  readonly works: readonly Work[];
  /** What was found changed by looking, with how large it is now. What of it counts as changed is worked out here (SC10). */
  readonly swept?: readonly { readonly path: string; readonly bytes: number }[] | undefined;
  /** Those of them that are or lie in submodules, which are not the run's to change (LD56). */
  readonly inSubmodules?: readonly string[] | undefined;
  /** What it has moved; both ends are in `works`. */
  readonly moves?: readonly Move[];
  readonly output: string | null;
  /** Files that it read, with what they were. */
  readonly reads?: readonly Read[] | undefined;
  /** Sides of mainline that it was shown, of files in conflict (LD31). */
  readonly shown?: readonly Read[] | undefined;
  /** What in the workspace is too large to land, the first 100 (LD57). Left out where that is as it was. */
  readonly oversized?: readonly Oversized[] | undefined;
  /** Set where it broke off and something that it started may still run: it keeps its process unit (EN51). */
  readonly unended?: true;
  /** Set where the run is about to finish: nobody is told any more what was set aside, and could do it again (LD60). */
  readonly last?: true;
};

/** A call that only looks, with what it saw: it goes through whole at this moment, or nothing of it happens (RN37). */
export type PassCall = {
  readonly type: "call.pass";
  readonly run: string;
  readonly family: string;
  readonly call: number;
  readonly tool: LookingTool;
  readonly print?: string | undefined;
  /** What the program that asks for it calls it. */
  readonly use?: string | undefined;
  readonly ok: boolean;
  readonly summary: string;
  readonly reads?: readonly Read[] | undefined;
};

/** An input with who gave it. */
export type Given = { readonly actor: string; readonly input: Input };

/** How a claim stands. */
export type ClaimAnswer = {
  readonly claim: string;
  readonly family: string;
  readonly state: "queued" | ClaimEnd;
  readonly fences: Readonly<Record<string, number>>;
  readonly behind: readonly Obstacle[];
  readonly cycle: readonly WaitEdge[] | null;
};

/** How a call at the door stands. */
export type CallAnswer =
  | { readonly state: "go"; readonly fences: readonly number[]; readonly startedAtMs: number }
  | { readonly state: "waiting"; readonly behind: readonly Obstacle[] }
  | { readonly state: "done" };

export type Answer =
  | { readonly of: "done" }
  | { readonly of: "id"; readonly id: string }
  | { readonly of: "ids"; readonly ids: readonly string[] }
  | { readonly of: "claim"; readonly claim: ClaimAnswer }
  | { readonly of: "call"; readonly call: CallAnswer }
  | { readonly of: "beat"; readonly expired: readonly string[] };

export type Refusal =
  | ClaimRefusal
  | ReleaseRefusal
  | PolicyDenied
  | BudgetRefusal
  | AgentRefusal
  | TaskRefusal
  | RaiseRefusal
  | { readonly code: "deadlock"; readonly cycle: readonly WaitEdge[] }
  | { readonly code: "not-found"; readonly kind: string; readonly id: string }
  | { readonly code: "overlaps"; readonly root: string; readonly name: string; readonly other: string }
  | { readonly code: "already-there"; readonly kind: string; readonly id: string; readonly as: string }
  | { readonly code: "wrong-state"; readonly run: string; readonly state: RunState; readonly wanted: string }
  | { readonly code: "in-use"; readonly kind: string; readonly id: string; readonly by: string }
  | { readonly code: "outside-lease"; readonly unit: string }
  | { readonly code: "out-of-order"; readonly run: string; readonly call: number; readonly next: number }
  | { readonly code: "unheard"; readonly run: string }
  /** It asks something else by now. */
  | { readonly code: "asks-another"; readonly run: string; readonly question: string }
  /** Leave was asked, and whoever gives or refuses it does not say what they saw (RN26). */
  | { readonly code: "question-unnamed"; readonly run: string; readonly question: string; readonly what: string }
  /** Leave was asked, and that is neither yes nor no (RN26). */
  | { readonly code: "unclear-answer"; readonly run: string; readonly what: string }
  | { readonly code: "cancelled"; readonly run: string }
  /** Two sides have met at the path, and nobody of the family was shown mainline's (LD31). */
  | { readonly code: "not-read"; readonly path: string; readonly side: "theirs" }
  /** What was approved is not what is there any more (LD22). */
  | { readonly code: "changed"; readonly path: string }
  /** Paths that can only land together with what was named (LD24). */
  | { readonly code: "incomplete"; readonly paths: readonly string[] };

export type RefusalCode = Refusal["code"];
