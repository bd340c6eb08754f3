// Codes about projects, policies, tasks, runs and calls.

import { showScope } from "../show-scope.ts";
import { type TemplateProblem, toProblemLine } from "../template/problem.ts";
import { type ErrorData, type ErrorEntry, exitCodes, show } from "./error-entry.ts";

export const workErrors = {
  "policy-denied": {
    status: 403,
    exit: exitCodes.denied,
    retry: "after-change",
    means: "A policy does not allow it. The answer names the policy and its rule.",
    todo: "Do it another way, or ask whoever set the policy.",
    sentence: (data) =>
      data["rule"] === "neverWritable"
        ? `Nobody may write ${show(data["what"])}: it is never part of what lands, and no policy allows it. Do it another way.`
        : `The policy ${show(data["policy"])} does not allow ${show(data["what"])} (rule ${show(data["rule"])}). Do it another way, or ask whoever set the policy.`,
  },
  "outside-scope": {
    status: 403,
    exit: exitCodes.denied,
    retry: "after-change",
    means: "The run's task, or that of the run which started it, wants nothing changed outside of its scope.",
    todo: "Leave that path alone, or ask a person to widen the scope of the task.",
    sentence: (data) =>
      `The path ${showScope([show(data["path"])])} is outside the scope of the task (${toScopeText(data["scope"])}). Leave it alone, or ask a person to widen the scope: signalbox task change TASK --scope PATH.`,
  },
  "bad-scope": {
    status: 422,
    exit: exitCodes.usage,
    retry: "after-change",
    means: "A path of a scope could not be read.",
    todo: "Name files and folders of the project, relative to it.",
    sentence: (data) =>
      `The scope ${show(data["path"])} is not right: ${show(data["why"])}. Name files and folders of the project, such as src/auth.`,
  },
  "task-cancelled": {
    status: 409,
    exit: exitCodes.refused,
    retry: "never",
    means: "The task was cancelled, so nobody runs it any more.",
    todo: "Make another task, if somebody wants it again.",
    sentence: (data) =>
      `The task ${show(data["task"])} was cancelled, and is not run any more. Make another one: signalbox task add.`,
  },
  "attachments-full": {
    status: 409,
    exit: exitCodes.refused,
    retry: "after-change",
    means: "No more comes along with one task.",
    todo: "Take something away from it first, or put the rest into the project.",
    sentence: (data) =>
      `At most ${show(data["most"])} attachments come along with a task. Take one away first (signalbox task detach), or put the rest into the project.`,
  },
  "not-found": {
    status: 404,
    exit: exitCodes.notFound,
    retry: "after-change",
    means: "There is nothing of that kind under that id or name.",
    todo: "List what there is; ids are never used twice.",
    sentence: (data) =>
      `There is no ${show(data["kind"])} "${show(data["id"])}"${show(data["hint"] ?? "")}. See what there is${withCommand(data["kind"])}.`,
  },
  "already-there": {
    status: 409,
    exit: exitCodes.refused,
    retry: "never",
    means: "Something of that name or place is there already.",
    todo: "Use what is there, or choose another name.",
    sentence: (data) =>
      `The ${show(data["kind"])} "${show(data["id"])}" is there already, as ${show(data["as"])}. Use it, or choose another name.`,
  },
  overlaps: {
    status: 409,
    exit: exitCodes.refused,
    retry: "never",
    means: "One project would lie within another, so that a file could have two holders.",
    todo: "Use the project that is there, or remove it first.",
    sentence: (data) =>
      `The folder ${show(data["root"])} overlaps with the project ${show(data["name"])} at ${show(data["other"])}: one file would have two holders. Use that project, or remove it first.`,
  },
  "wrong-state": {
    status: 409,
    exit: exitCodes.refused,
    retry: "after-change",
    means: "The run is not in a state in which this is possible.",
    todo: "Look at the run's state and what it waits for.",
    sentence: (data) =>
      `Run ${show(data["run"])} is ${stateWords[show(data["state"])] ?? show(data["state"])}; this needs a run that is ${show(data["wanted"])}.`,
  },
  "runner-cannot": {
    status: 409,
    exit: exitCodes.refused,
    retry: "never",
    means: "The run's runner is not able to do this. `signalbox runners` shows what each can do.",
    todo: "Use a runner that can, or wait until the run has ended and continue it.",
    sentence: (data) =>
      `Run ${show(data["run"])} works with the runner ${show(data["runner"])}, which cannot ${show(data["what"])}. Use a runner that can (signalbox runners), or continue the run when it is done.`,
  },
  "runner-missing": {
    status: 409,
    exit: exitCodes.refused,
    retry: "after-change",
    means: "The program of the runner is not on this machine, or agents may not read it.",
    todo: "Install it as the sentence says; `signalbox runners` shows what is there.",
    sentence: (data) => `The runner cannot work here: ${show(data["message"])}.`,
  },
  "in-use": {
    status: 409,
    exit: exitCodes.refused,
    retry: "after-change",
    means: "Somebody still uses it.",
    todo: "End or finish what uses it; the answer names it.",
    sentence: (data) =>
      `The ${show(data["kind"])} ${show(data["id"])} is still used by ${show(data["by"])}. ${howToFree(data)}`,
  },
  "out-of-order": {
    status: 409,
    exit: exitCodes.refused,
    retry: "after-change",
    means: "A driver's call came out of order.",
    todo: "Drivers number their calls without gaps; ask for the next number.",
    sentence: (data) =>
      `Call ${show(data["call"])} of run ${show(data["run"])} is out of order; the next one is ${show(data["next"])}.`,
  },
  unheard: {
    status: 409,
    exit: exitCodes.refused,
    retry: "after-change",
    means: "Somebody has said something to the run that its runner has to hear before its result is given.",
    todo: "Nothing: its runner is woken, and hears it.",
    sentence: (data) =>
      `Somebody has said something to run ${show(data["run"])} that its runner has not heard. It is woken, and hears it.`,
  },
  "asks-another": {
    status: 409,
    exit: exitCodes.refused,
    retry: "after-change",
    means: "The run asks something else by now than what was to be answered.",
    todo: "Look at what it asks now (`signalbox inspect RUN`), then answer that.",
    sentence: (data) =>
      `Run ${show(data["run"])} asks something else by now. Look at it (signalbox inspect ${show(data["run"])}), then answer that.`,
  },
  "question-unnamed": {
    status: 422,
    exit: exitCodes.usage,
    retry: "after-change",
    means: "The run asks leave, and whoever gave or refused it did not say for which question. Nothing was answered.",
    todo: "Read what it asks (`signalbox inspect RUN`), then name that question: `signalbox allow RUN --question ID`, or `deny`.",
    sentence: (data) =>
      `Run ${show(data["run"])} asks leave (${show(data["what"])}), and who gives or refuses it says which question they have read. Read it (signalbox inspect ${show(data["run"])}), then signalbox allow ${show(data["run"])} --question ${show(data["question"])}, or deny.`,
  },
  "unclear-answer": {
    status: 422,
    exit: exitCodes.usage,
    retry: "after-change",
    means: "The run asks leave, and what was said is neither yes nor no. Nothing was answered.",
    todo: "Say `allow` or `deny`; `deny: WHY` also tells its assistant why.",
    sentence: (data) =>
      `Run ${show(data["run"])} asks leave (${show(data["what"])}), and that is neither yes nor no: say allow (yes, y, ok) or deny (no, n). deny: WHY also tells its assistant why.`,
  },
  cancelled: {
    status: 409,
    exit: exitCodes.refused,
    retry: "never",
    means: "The run ended while its call was waiting.",
    todo: "Nothing: what it waited for is free for others.",
    sentence: (data) => `Run ${show(data["run"])} has ended; its call does not happen any more.`,
  },
  "not-a-file": {
    status: 422,
    exit: exitCodes.refused,
    retry: "after-change",
    means: "The path does not name a plain file inside the workspace.",
    todo: "Name a file; folders, links and devices are not read or written.",
    sentence: (data) =>
      `This cannot be read or written as a file: ${show(data["message"] ?? data["path"])}. Name a plain file.`,
  },
  "not-a-folder": {
    status: 422,
    exit: exitCodes.usage,
    retry: "after-change",
    means: "The path does not name a folder.",
    todo: "Name a folder that is there.",
    sentence: (data) => `This is no folder: ${show(data["message"] ?? data["path"])}. Name a folder that is there.`,
  },
  "not-a-repository": {
    status: 422,
    exit: exitCodes.usage,
    retry: "after-change",
    means: "The folder is not one that a project can be made of: not the top of a repository, or of one we cannot use.",
    todo: "Do what the sentence says: name the repository's top folder, check out a branch, or fetch what is missing.",
    sentence: (data) => `This cannot be a project: ${ended(show(data["message"] ?? data["path"]))}`,
  },
  "own-folder": {
    status: 409,
    exit: exitCodes.denied,
    retry: "never",
    means: "A project would be, hold or lie in a folder of the daemon's own, where its token and its secrets are.",
    todo: "Name another folder, or keep the daemon's home elsewhere (`SIGNALBOX_HOME`).",
    sentence: (data) =>
      `This cannot be a project: ${show(data["message"] ?? data["path"])}, and agents could read its token and its secrets. Name another folder, or keep the daemon's home elsewhere (SIGNALBOX_HOME).`,
  },
  "unfit-tree": {
    status: 422,
    exit: exitCodes.refused,
    retry: "after-change",
    means: "A path or its content cannot stand in a tree, or has a name that is not UTF-8.",
    todo: "Rename or leave out what the sentence names.",
    sentence: (data) => `This cannot stand in a tree: ${show(data["message"] ?? data["path"])}.`,
  },
  "bad-script": {
    status: 422,
    exit: exitCodes.usage,
    retry: "after-change",
    means: "The script could not be read. The answer names the step and the reason.",
    todo: "Mend the step; the script reference lists what a step may be.",
    sentence: (data) => `The script is not right at ${show(data["where"])}: ${show(data["why"])}.`,
  },
  "bad-template": {
    status: 422,
    exit: exitCodes.usage,
    retry: "after-change",
    means: "The template could not be read. The answer names every place that is not right, and why.",
    todo: "Mend what it names; the template reference has every key, and `signalbox template validate` looks again.",
    sentence: (data) => {
      const [first] = toProblemLines(data["problems"]);
      return first === undefined
        ? "The template is not right; signalbox template validate says where."
        : `The template is not right: ${first}`;
    },
    ways: (data) => toProblemLines(data["problems"]).slice(1),
  },
} as const satisfies Record<string, ErrorEntry>;

function toProblemLines(problems: unknown): string[] {
  return Array.isArray(problems) ? problems.map((problem) => toProblemLine(problem as TemplateProblem)) : [];
}

/** Where the things of each kind are listed. */
const lists: Readonly<Record<string, string>> = {
  run: "signalbox ps -a",
  project: "signalbox project list",
  policy: "signalbox policy list",
  profile: "signalbox profile list",
  task: "signalbox task list",
  attachment: "signalbox task show TASK",
  price: "signalbox price list",
  secret: "signalbox secret list",
  runner: "signalbox runners",
  claim: "signalbox locks",
  trash: "signalbox trash list",
  warning: "signalbox inbox --kind warning",
  artifact: "signalbox artifacts RUN",
  output: "signalbox logs RUN",
  step: "signalbox logs RUN",
  change: "signalbox diff RUN",
  hunk: "signalbox diff RUN",
  "door of run": "signalbox ps",
  agent: "signalbox agent list",
  service: "signalbox agent show AGENT",
  face: "signalbox face list",
  event: "signalbox events -n 1",
};

function withCommand(kind: unknown): string {
  const list = typeof kind === "string" && Object.hasOwn(lists, kind) ? lists[kind] : undefined;
  return list === undefined ? " and try again" : ` with: ${list}`;
}

function howToFree({ kind, by }: ErrorData): string {
  // A step or a rewind of a run is over by itself.
  if (show(by).startsWith("its ")) return "Wait until that is over, or stop the run.";
  if (kind === "task") return "Remove its runs first, or cancel it: signalbox cancel.";
  if (kind !== "project") return "End that first.";
  return "End that first; `signalbox locks` shows what it has, and `signalbox clear` frees a unit that stays closed.";
}

/** How a state is spoken of, where its name alone is no word for it. */
const stateWords: Readonly<Record<string, string>> = {
  review: "in review",
  "awaiting-input": "waiting for an answer",
};

/** A text as a sentence, whether it ends as one already or not. */
function ended(text: string): string {
  return `${text.replace(/\.$/, "")}.`;
}

function toScopeText(scope: unknown): string {
  return Array.isArray(scope) ? showScope(scope.map(show)) : show(scope);
}
