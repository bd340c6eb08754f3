import type { ProfileSettings } from "../core/profile/profile.ts";
import type { Failure, Handed } from "../core/run/failure.ts";
import type { Heard } from "../core/run/heard.ts";
import type { Leave, WholeAct } from "../core/run/leave.ts";
import type { Attachment } from "../core/task/task-state.ts";

/**
 * Drives an assistant for one run. Whatever the assistant wants done goes through the door; a runner has no other hands.
 * It may be started again after a restart: calls are numbered, and those that are done are not done twice. It goes the
 * same way again, or skips what it knows to be done.
 */
export interface Runner {
  readonly name: string;
  /** Works until the run is over, or until the signal says that somebody else decides its fate. */
  drive(job: RunnerJob, door: Door, signal: StopSignal): Promise<void>;
}

/** As much of an AbortSignal as a runner needs. */
export type StopSignal = {
  readonly aborted: boolean;
  addEventListener(type: "abort", listener: () => void, options?: { readonly once?: boolean }): void;
};

export type RunnerJob = {
  readonly run: string;
  readonly title: string;
  readonly script: string | null;
  /** What the runner `command` runs. */
  readonly command: readonly string[] | null;
  /** What the run's profile says, where it has one. */
  readonly settings: ProfileSettings | null;
  /** How many calls were done before, in this or an earlier life of the daemon. */
  readonly callsDone: number;
  /** Whether the next call had begun then. */
  readonly callBegun: boolean;
  /** What is wanted in full, and a command that has to succeed before the result counts. */
  readonly description: string;
  readonly acceptance: readonly string[] | null;
  /** What comes along with it, and the files and folders that it may change; null is everything. */
  readonly attachments: readonly Attachment[];
  readonly scope: readonly string[] | null;
  readonly plan: readonly string[];
  /** What people said to the run so far, oldest first, and how many of these its assistant was given. */
  readonly messages: readonly string[];
  readonly told: number;
  /** How far its assistant's program was heard, and what that calls its conversation. */
  readonly heard: { readonly life: number; readonly upTo: number; readonly owes: number } | null;
  readonly session: string | null;
  /** Whom the work was taken over from, where it was, what has landed of it, and the files that are changed by now. */
  readonly handed: Handed | null;
  readonly changed: () => readonly string[];
  readonly landed: string | null;
  /** Why it had no slot when this job began; null where it had one. */
  readonly away: Away | null;
  /** Of a run that was continued: whether it is in the workspace that it had left, or in a fresh one. */
  readonly placed: "again" | "fresh" | null;
  /** Tells of what has happened to the run since this job began, and of what happens from now on. */
  readonly listen: (listener: (news: RunnerNews) => void) => void;
  /** Why its result was sent back, if it was. */
  readonly sentBack: string | null;
  readonly beside: Beside;
};

/** What a run finds beside its project: in a living agent its services, else nothing. */
export type Beside = {
  /** Variables that its commands see. */
  readonly env: Readonly<Record<string, string>>;
  /** Each service with where it is, a line each. */
  readonly services: readonly string[];
};

/** Why a run has no slot: it waits for one or for a unit, for a person's answer, or was paused. */
export type Away = "paused" | "parked" | "asking";

/** What happens to a run while its runner works. */
export type RunnerNews =
  | { readonly is: "message"; readonly text: string; readonly interrupts: boolean }
  | { readonly is: "answer"; readonly text: string }
  /** It has no slot. */
  | { readonly is: "away"; readonly why: Away }
  | { readonly is: "back" };

/**
 * What an assistant's program said, up to a byte of the output of one of its lives, how many of people's messages it was
 * given by then, and how many turns it has not ended. What items name as their output comes along, by the artifact's name.
 */
export type HeardReport = {
  readonly life: number;
  readonly upTo: number;
  readonly told: number;
  readonly owes: number;
  readonly items: readonly Heard[];
  readonly outputs?: ReadonlyMap<string, string>;
};

/**
 * What one act does to one file. With `seen`, the hash that a read answered (or `none` for no file), it happens only if
 * that is still what stands there.
 */
export type FileChange = {
  readonly path: string;
  readonly seen?: string | undefined;
  /** Where nothing is said of what was seen, the run has to have seen what stands there, or at least nothing else. */
  readonly careful?: "seen" | "not-other" | undefined;
} & (
  | { readonly do: "write"; readonly content: string }
  | { readonly do: "edit"; readonly find: string; readonly replace: string }
  | { readonly do: "delete" }
  | { readonly do: "move"; readonly to: string }
);

/** Lines of a file, counted from 1. */
export type LineRange = { readonly from: number; readonly count: number };

/** Of a file in conflict: what both began with, or what mainline has. */
export type ConflictSide = "base" | "theirs";

export type SearchWish = { readonly text: string; readonly regex: boolean; readonly under: string };

export type Command = {
  readonly argv: readonly string[];
  /** A folder of the workspace; the project's own where nothing is said. */
  readonly cwd?: string | undefined;
  /** It is stopped when it takes longer. */
  readonly timeoutMs?: number | undefined;
};

/** What a runner may ask for. A refusal is an answer, not an exception: the assistant should read it and go on. */
export interface Door {
  /** The number that the next call will have. */
  readonly nextCall: number;
  /** What the program calls what it asks for now, for the record; null where it does not say. */
  calledAs(use: string | null): void;
  /** Goes on with this call: those before it are answered for. */
  skipTo(call: number): void;
  /** Ends the call that was begun before, where nobody knows any more what it was. */
  endLost(): Promise<DoorAnswer>;
  claim(units: readonly string[]): Promise<DoorAnswer>;
  /** Gives units back, or everything. With changes on them it needs the consent to set those aside. */
  release(units: readonly string[] | null, setAside: boolean): Promise<DoorAnswer>;
  read(path: string, range?: LineRange): Promise<DoorAnswer>;
  /** A side of a file on which the run and somebody else have met. */
  readSide(path: string, side: ConflictSide, range?: LineRange): Promise<DoorAnswer>;
  /** Says that such a file, as it is now, is made of both sides. Refused until the other side was read (LD31). */
  resolve(path: string): Promise<DoorAnswer>;
  list(path: string, depth: number): Promise<DoorAnswer>;
  search(wish: SearchWish): Promise<DoorAnswer>;
  /** Changes one file, or moves or deletes a folder with all that is in it. */
  change(change: FileChange): Promise<DoorAnswer>;
  /** Changes several files, all or none. */
  patch(changes: readonly FileChange[]): Promise<DoorAnswer>;
  run(command: Command): Promise<DoorAnswer>;
  /** Starts a command that goes on in the background, under a name, until it ends, is stopped, or the run is done. */
  start(name: string, command: Command): Promise<DoorAnswer>;
  input(name: string, text: string, end: boolean): Promise<DoorAnswer>;
  /** What it has said from a byte on, and whether it has ended. */
  output(name: string, from: number): Promise<DoorAnswer>;
  stop(name: string): Promise<DoorAnswer>;
  process(name: string): Promise<DoorAnswer>;
  /** Keeps a file for people and other runs to read. */
  publish(name: string, path: string): Promise<DoorAnswer>;
  /** Looks for what was changed otherwise than by a call: it is claimed, or set aside where others hold it. */
  look(): Promise<DoorAnswer>;
  sleep(ms: number): Promise<DoorAnswer>;
  waitRun(run: string): Promise<DoorAnswer>;
  say(text: string): Promise<DoorAnswer>;
  /** Records what an assistant's program said of itself. It is no call: it may come at any time. */
  record(report: HeardReport): Promise<void>;
  /** Whether the run's last word was taken. */
  readonly isFinished: boolean;
  /** Resolves with the person's answer: to what wants leave, allow or deny. */
  /** Of an act that is too long for a question, all is kept for people to read before anybody is asked. */
  ask(text: string, leave?: Leave, whole?: WholeAct): Promise<DoorAnswer>;
  /** Why the call that is under way has not begun yet, in words; null when nothing waits. */
  waiting(): Promise<string | null>;
  /** Gives up the place in the queue of the call that waits: the call is answered as cancelled. */
  giveUp(): Promise<DoorAnswer>;
  /** A part of an artifact of the run, or what there is. */
  artifact(name: string | null, from: number): Promise<DoorAnswer>;
  /** The work is done, or it failed. Nothing may be called after it. */
  finish(ok: boolean, message: string, more?: FinishMore): Promise<DoorAnswer>;
}

export type FinishMore = {
  /** How it failed, where it is an assistant that did. */
  readonly failure?: Failure | undefined;
  /** It is done only where no more messages than these were said to it: one more is heard first (`unheard`). */
  readonly unlessSaid?: number | undefined;
};

export type DoorAnswer =
  | {
      readonly ok: true;
      readonly text: string;
      readonly exit: number | "unknown" | null;
      /** What to know about the text: which part of what it is, and under which hash. */
      readonly note?: string;
    }
  | {
      readonly ok: false;
      readonly code: string;
      readonly message: string;
      /** What a command that failed has said. */
      readonly text?: string;
    };
