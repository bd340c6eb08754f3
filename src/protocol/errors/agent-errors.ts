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
  "no-room": {
    status: 503,
    exit: exitCodes.refused,
    retry: "later",
    means: "The machine has not enough memory or disk free for what agents of this template take. Nothing was made.",
    todo: "Stop or remove agents that are not needed, or free memory or disk; then make it again. `signalbox agent stats AGENT --history` shows what they take.",
    sentence: (data) =>
      `There is room for ${show(data["more"])} more of ${show(data["template"])} and not for ${show(data["wanted"])}: too little ${show(data["of"])} is free for what those that are there take. Nothing was made; stop or remove agents that are not needed, and try again.`,
  },
  "secret-missing": {
    status: 409,
    exit: exitCodes.refused,
    retry: "after-change",
    means: "The template names secrets that the daemon does not keep. Nothing was made.",
    todo: "Keep each with `signalbox secret set NAME`, then make it again.",
    sentence: (data) =>
      `The template names secrets that are not kept here: ${show(data["names"])}. Nothing was made; keep each first, with signalbox secret set NAME.`,
  },
  "archive-hook-down": {
    status: 409,
    exit: exitCodes.refused,
    retry: "after-change",
    means:
      "The template has an archive hook, which runs beside the services, and the agent has none of them up. It was not archived.",
    todo: "Start the agent and archive it then; or archive it with `--force`, without its hook.",
    sentence: (data) =>
      `The agent ${show(data["agent"])} is ${show(data["state"])}, so its archive hook cannot run, and it was not archived. Start it first (signalbox agent start ${show(data["agent"])}), or leave the hook out: signalbox agent archive ${show(data["agent"])} --force.`,
  },
  "agent-archived": {
    status: 409,
    exit: exitCodes.refused,
    retry: "after-change",
    means: "The agent is archived: it has its files, and neither a place nor ports.",
    todo: "Bring it back with `signalbox agent restore AGENT`.",
    sentence: (data) =>
      `The agent ${show(data["agent"])} is archived, so it cannot be started. Bring it back with signalbox agent restore ${show(data["agent"])}.`,
  },
  "reload-refused": {
    status: 409,
    exit: exitCodes.refused,
    retry: "after-change",
    means: "The template says something now that an agent cannot become while it lives. Nothing changed.",
    todo: "Take that back in the template, or make another agent of it.",
    sentence: (data) =>
      `The agent ${show(data["agent"])} cannot become what the template says now of: ${show(data["paths"])}. Nothing changed; make another agent with signalbox agent create, or take it back in the template.`,
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
  "face-closed": {
    status: 401,
    exit: exitCodes.denied,
    retry: "after-change",
    means: "The face is not open in this browser: there was no link, it was used before, or it is too old.",
    todo: "Make a fresh link with `signalbox face open AGENT FACE`; programs send a bearer token.",
    sentence: (data) =>
      `The face ${show(data["face"])} of ${show(data["agent"])} is not open here: there was no link, it was used before, or it is too old. Open it with: signalbox face open ${show(data["agent"])} ${show(data["face"])}`,
  },
  "face-down": {
    status: 502,
    exit: exitCodes.refused,
    retry: "later",
    means: "The service behind the face does not answer, or not in HTTP.",
    todo: "See how it is with `signalbox agent show`, and what it said with `signalbox agent logs`.",
    sentence: (data) =>
      `The face ${show(data["face"])} of ${show(data["agent"])} does not answer: its service ${show(data["service"])} ${show(data["what"])}. See how it is with: signalbox agent show ${show(data["agent"])}; and what it said with: signalbox agent logs ${show(data["agent"])} ${show(data["service"])}`,
  },
  "face-slow": {
    status: 504,
    exit: exitCodes.timedOut,
    retry: "later",
    means: "The service behind the face took a request and did not begin to answer in time.",
    todo: "Ask again; see what it does with `signalbox agent logs`.",
    sentence: (data) =>
      `The service ${show(data["service"])} of ${show(data["agent"])} has not begun to answer within ${show(data["seconds"])} s. Ask again, or see what it does with: signalbox agent logs ${show(data["agent"])} ${show(data["service"])}`,
  },
  unsaved: {
    status: 409,
    exit: exitCodes.refused,
    retry: "after-change",
    means: "Files of the project were changed in the agent's workspace, and would be lost with it. Nothing happened.",
    todo: "Remove it with `--set-aside`, which keeps them in the trash; or with `--discard`, which loses them. `signalbox agent archive` keeps its whole workspace.",
    sentence: (data) =>
      `The workspace of ${show(data["agent"])} has changes of project files that would be lost: ${show(data["paths"])}. Remove it with --set-aside to keep them in the trash, or with --discard.`,
  },
} as const satisfies Record<string, ErrorEntry>;
