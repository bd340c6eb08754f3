// Codes about living agents.

import { type ErrorEntry, exitCodes, show } from "./error-entry.ts";

export const agentErrors = {
  "no-ports": {
    status: 503,
    exit: exitCodes.refused,
    retry: "later",
    means: "The template wants more ports than are free on the machine. Nothing was made.",
    todo: "Remove agents that are not needed, or end what else listens on the machine; then make it again.",
    sentence: (data) =>
      `The template wants ${show(data["wanted"])} ports, and ${show(data["free"])} of those that were looked at are free. Nothing was made; remove agents that are not needed and try again.`,
  },
  "agent-down": {
    status: 409,
    exit: exitCodes.refused,
    retry: "later",
    means: "The agent has no place at the moment: it is stopped, or comes up only now.",
    todo: "Start it, or wait until it runs.",
    sentence: (data) =>
      `The agent ${show(data["agent"])} is ${show(data["state"])}, so nothing can run in it. Start it with signalbox agent start ${show(data["agent"])}.`,
  },
  unsaved: {
    status: 409,
    exit: exitCodes.refused,
    retry: "after-change",
    means: "Files of the project were changed in the agent's workspace, and would be lost with it. Nothing happened.",
    todo: "Save what is wanted, or say that it is not: `--discard`.",
    sentence: (data) =>
      `The workspace of ${show(data["agent"])} has changes of project files that would be lost: ${show(data["paths"])}. Save them, or remove it with --discard.`,
  },
} as const satisfies Record<string, ErrorEntry>;
