/**
 * Drives an assistant for one run. Whatever the assistant wants done goes through the door; a runner has no other hands.
 * It may be started again after a restart: calls are numbered, and those that are done are not done twice.
 */
export interface Runner {
  readonly name: string;
  /** Works until the run is over, or until the signal says that somebody else decides its fate. */
  drive(job: RunnerJob, door: Door, signal: StopSignal): Promise<void>;
}

/** As much of an AbortSignal as a runner needs. */
export type StopSignal = { readonly aborted: boolean };

export type RunnerJob = {
  readonly run: string;
  readonly title: string;
  readonly script: string | null;
  /** How many calls were done before, in this or an earlier life of the daemon. */
  readonly callsDone: number;
  /** What people said to the run so far, oldest first. */
  readonly messages: readonly string[];
  /** Why its result was sent back, if it was. */
  readonly sentBack: string | null;
};

/** What a runner may ask for. A refusal is an answer, not an exception: the assistant should read it and go on. */
export interface Door {
  claim(units: readonly string[]): Promise<DoorAnswer>;
  /** Gives units back, or everything. With changes on them it needs the consent to set those aside. */
  release(units: readonly string[] | null, setAside: boolean): Promise<DoorAnswer>;
  read(path: string): Promise<DoorAnswer>;
  write(path: string, content: string): Promise<DoorAnswer>;
  edit(path: string, find: string, replace: string): Promise<DoorAnswer>;
  run(argv: readonly string[]): Promise<DoorAnswer>;
  process(name: string): Promise<DoorAnswer>;
  sleep(ms: number): Promise<DoorAnswer>;
  waitRun(run: string): Promise<DoorAnswer>;
  say(text: string): Promise<DoorAnswer>;
  /** Resolves with the person's answer. */
  ask(text: string): Promise<DoorAnswer>;
  /** The work is done, or it failed. Nothing may be called after it. */
  finish(ok: boolean, message: string): Promise<DoorAnswer>;
}

export type DoorAnswer =
  | { readonly ok: true; readonly text: string; readonly exit: number | "unknown" | null }
  | { readonly ok: false; readonly code: string; readonly message: string };
