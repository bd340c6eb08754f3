// What a person can do to a run in each state, the key that does it, and the command that does the same. The daemon has
// the last word; this table only keeps the page from offering what it would refuse.

import { takesMessages } from "../../protocol/takes-messages.ts";
import type { Run, RunState } from "../../protocol/wire/run.ts";
import { toShell } from "./shell-text.ts";
import { isOver } from "./signals.ts";

export type ActName =
  | "answer"
  | "allow"
  | "deny"
  | "approve"
  | "return"
  | "reject"
  | "steer"
  | "interrupt"
  | "pause"
  | "resume"
  | "continue"
  | "retry"
  | "stop"
  | "remove";

export type RunAct = {
  readonly name: ActName;
  /** As on its button; an ellipsis says that it asks something first. */
  readonly label: string;
  readonly key: string;
  readonly asks: "nothing" | "text" | "confirmation" | "look";
  readonly look?: "primary" | "danger";
  /** What it does, where its label does not say so. */
  readonly means?: string;
  /** What has happened then, after the run's id. */
  readonly done: string;
  /** What takes it back, if anything does. */
  readonly undo?: ActName;
};

const pausable: readonly RunState[] = ["queued", "starting", "running", "blocked", "parked", "awaiting-input"];
const driven: readonly RunState[] = ["starting", "running", "blocked", "parked", "awaiting-input", "paused"];
const retryable: readonly RunState[] = ["failed", "rejected", "terminated"];

const acts: readonly (RunAct & { readonly isFor: (run: Run) => boolean })[] = [
  {
    name: "answer",
    label: "Answer…",
    key: "R",
    asks: "text",
    look: "primary",
    done: "has its answer",
    isFor: (run) => asks(run) && !asksLeave(run),
  },
  {
    name: "allow",
    label: "Allow",
    means: "The one act that it asks leave for",
    key: "A",
    asks: "nothing",
    look: "primary",
    done: "has leave",
    isFor: (run) => asks(run) && asksLeave(run),
  },
  {
    name: "deny",
    label: "Deny",
    means: "It goes on without",
    key: "X",
    asks: "nothing",
    done: "is denied it",
    isFor: (run) => asks(run) && asksLeave(run),
  },
  {
    name: "approve",
    label: "Approve…",
    means: "Look at all that would land, and land it",
    key: "A",
    asks: "look",
    look: "primary",
    done: "is approved",
    isFor: (run) => run.state === "review",
  },
  {
    name: "return",
    label: "Send back…",
    key: "B",
    asks: "text",
    done: "goes back to work",
    isFor: (run) => run.state === "review",
  },
  {
    name: "reject",
    label: "Reject…",
    key: "X",
    asks: "text",
    look: "danger",
    done: "is rejected",
    isFor: (run) => run.state === "review",
  },
  {
    name: "steer",
    label: "Steer…",
    key: "M",
    asks: "text",
    done: "was told",
    isFor: isSteerable,
  },
  {
    name: "interrupt",
    label: "Interrupt…",
    key: "I",
    asks: "text",
    done: "was interrupted",
    isFor: isSteerable,
  },
  {
    name: "pause",
    label: "Pause",
    key: "P",
    asks: "nothing",
    done: "is paused",
    undo: "resume",
    isFor: (run) => pausable.includes(run.state),
  },
  {
    name: "resume",
    label: "Resume",
    key: "P",
    asks: "nothing",
    done: "goes on",
    undo: "pause",
    isFor: (run) => run.state === "paused",
  },
  {
    name: "continue",
    label: "Continue…",
    key: "C",
    asks: "text",
    done: "is taken up again",
    isFor: (run) => run.state === "done",
  },
  {
    name: "retry",
    label: "Retry",
    key: "T",
    asks: "nothing",
    done: "is tried again",
    isFor: (run) => retryable.includes(run.state),
  },
  {
    name: "stop",
    label: "Stop…",
    key: "S",
    asks: "confirmation",
    look: "danger",
    done: "is stopped",
    isFor: (run) => !isOver(run.state),
  },
  {
    name: "remove",
    label: "Remove…",
    key: "E",
    asks: "confirmation",
    look: "danger",
    done: "is off the lists",
    isFor: (run) => isOver(run.state),
  },
];

function asks({ question, state }: Run): boolean {
  return question !== null && state === "awaiting-input";
}

/** Whether a person's yes or no is wanted for one act of its assistant. */
export function asksLeave({ question }: Run): boolean {
  return (question?.leave ?? null) !== null;
}

/** What an act says that nobody wrote: a word on leave is for the question that was shown. */
export function wordsOf(act: ActName, { question }: Run): string {
  return act === "allow" || act === "deny" ? (question?.id ?? "") : "";
}

function isSteerable({ state, runner }: Run): boolean {
  return driven.includes(state) && takesMessages(runner);
}

export function actsOf(run: Run): RunAct[] {
  return acts.filter((act) => act.isFor(run));
}

export function findAct(run: Run, name: ActName): RunAct | undefined {
  return actsOf(run).find((act) => act.name === name);
}

/** Every key that acts on the selected run, once, with what it does. */
export function keysOfActs(): { readonly key: string; readonly label: string }[] {
  const byKey = Map.groupBy(acts, (act) => act.key);
  return [...byKey].map(([key, same]) => ({
    key,
    label: same.map(({ label, means }) => (means === undefined ? label : `${label} (${lowered(means)})`)).join(" or "),
  }));
}

/** As it stands within a sentence. */
function lowered(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}

const commands: Readonly<Partial<Record<ActName, string>>> = { remove: "rm", interrupt: "steer --interrupt" };

/** The command line that does the same. The text is what the act says: a message, an answer, or what was looked at. */
export function toCommand(act: ActName, run: string, text: string): string {
  const command = `signalbox ${commands[act] ?? act} ${run}`;
  if (text === "") return command;
  // What was looked at has a name, and nothing else is approved.
  if (act === "approve") return `${command} --seen ${text}`;
  if (act === "allow" || act === "deny") return `${command} --question ${text}`;
  if (act === "return" || act === "reject") return `${command} -m ${toShell(text)}`;
  // What begins with a dash is no flag.
  return `${command}${text.startsWith("-") ? " --" : ""} ${toShell(text)}`;
}
