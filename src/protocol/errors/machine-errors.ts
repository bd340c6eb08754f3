// Codes about the daemon itself: busy, closing, broken, away.

import { type ErrorEntry, exitCodes, show } from "./error-entry.ts";

export const machineErrors = {
  overloaded: {
    status: 429,
    exit: exitCodes.unreachable,
    retry: "later",
    means: "More is asked than can be written down at the moment. Nothing of the request happened.",
    todo: "Ask again after the time that the answer names.",
    sentence: (data) =>
      `The daemon has too much to do. Nothing happened; ask again in ${show(data["retryAfterMs"] ?? 100)} ms.`,
  },
  "store-unavailable": {
    status: 503,
    exit: exitCodes.unreachable,
    retry: "later",
    means: "The log could not be written. Whether this request got through is not known.",
    todo: "Make room on the disk if that is it; ask again with the same key.",
    sentence: (data) =>
      `The log could not be written: ${show(data["message"])}. Whether this got through is not known; ask again with the same key.`,
  },
  closing: {
    status: 503,
    exit: exitCodes.unreachable,
    retry: "later",
    means: "The daemon is ending. Nothing of the request happened.",
    todo: "Ask again when it is back.",
    sentence: () => "The daemon is ending. Nothing happened; ask again when it is back.",
  },
  "timed-out": {
    status: 504,
    exit: exitCodes.timedOut,
    retry: "later",
    means: "The request took longer than it may, or a claim's deadline passed.",
    todo: "Ask again; a key makes the repetition harmless.",
    sentence: (data) => `This took longer than it may: ${show(data["what"] ?? "the request")}. Ask again.`,
  },
  "connection-lost": {
    status: 502,
    exit: exitCodes.unreachable,
    retry: "later",
    means: "The connection broke before the answer came. Whether the request got through is not known.",
    todo: "Ask again with the same key, or look how things stand.",
    sentence: () =>
      "The connection broke before the answer came. Whether it got through is not known; ask again with the same key.",
  },
  "daemon-not-running": {
    status: 502,
    exit: exitCodes.unreachable,
    retry: "after-change",
    means: "No daemon answers for this home.",
    todo: "Start it with `signalbox up`.",
    sentence: (data) => `No daemon answers at ${show(data["where"] ?? "this home")}. Start it with \`signalbox up\`.`,
  },
  "home-in-use": {
    status: 409,
    exit: exitCodes.refused,
    retry: "after-change",
    means: "Another daemon works with this home or this project.",
    todo: "Use that daemon, or set SIGNALBOX_HOME to another folder.",
    sentence: (data) =>
      `Another daemon works with ${show(data["what"] ?? "this home")}${data["by"] === undefined ? "" : ` (${show(data["by"])})`}. Use it, or set SIGNALBOX_HOME to another folder.`,
  },
  "project-in-use": {
    status: 409,
    exit: exitCodes.refused,
    retry: "after-change",
    means: "Another daemon of this machine works on this project.",
    todo: "Use that daemon, or remove the project there.",
    sentence: (data) => `${capital(show(data["message"] ?? "another daemon works on this project"))}.`,
  },
  "home-too-long": {
    status: 500,
    exit: exitCodes.usage,
    retry: "after-change",
    means: "The path of the home is too long for the sockets in it.",
    todo: "Set SIGNALBOX_HOME to a folder with a shorter path.",
    sentence: (data) => `The path of the home is too long: ${show(data["message"])}.`,
  },
  "home-unusable": {
    status: 500,
    exit: exitCodes.broken,
    retry: "after-change",
    means: "The home cannot be made, read or written.",
    todo: "Give it to this user, or set SIGNALBOX_HOME to another folder.",
    sentence: (data) => `The home cannot be used: ${show(data["message"])}. Set SIGNALBOX_HOME to a folder of yours.`,
  },
  "port-in-use": {
    status: 500,
    exit: exitCodes.refused,
    retry: "after-change",
    means: "Another program listens on the port.",
    todo: "Choose another with --port, or 0 for any free one.",
    sentence: (data) =>
      `Another program listens on port ${show(data["port"])}. Choose another with --port; 0 picks a free one.`,
  },
  "store-unsafe": {
    status: 500,
    exit: exitCodes.broken,
    retry: "never",
    means: "The log's database does not promise that what is acknowledged survives a power cut.",
    todo: "Keep the home on a local disk whose file system honours fsync.",
    sentence: (data) =>
      `The log would not be safe: ${show(data["message"] ?? data["why"])}. Keep the home on a local disk.`,
  },
  "log-damaged": {
    status: 500,
    exit: exitCodes.broken,
    retry: "never",
    means: "A record of the log is damaged. Its place is named; nothing is skipped.",
    todo: "See docs/operating/recovery.md: restore a copy, or export what is whole.",
    sentence: (data) => `The log is damaged: ${show(data["message"])}. See docs/operating/recovery.md.`,
  },
  "log-newer": {
    status: 500,
    exit: exitCodes.broken,
    retry: "never",
    means: "A newer release wrote events that this one cannot read.",
    todo: "Start the newer release again.",
    sentence: (data) => `This release cannot read the log: ${show(data["message"])}. Start the newer release.`,
  },
  "store-version": {
    status: 500,
    exit: exitCodes.broken,
    retry: "never",
    means: "The log's database has a layout that this release does not know.",
    todo: "Start the release that wrote it, or a newer one.",
    sentence: (data) => `The log's database is of another release: ${show(data["message"])}.`,
  },
  "blob-damaged": {
    status: 500,
    exit: exitCodes.broken,
    retry: "never",
    means: "Stored bytes are not what they were when they were stored.",
    todo: "Restore them from a copy of the home; see docs/operating/recovery.md.",
    sentence: (data) => `Stored bytes are damaged: ${show(data["message"])}. Restore them from a copy of the home.`,
  },
  "blob-missing": {
    status: 500,
    exit: exitCodes.broken,
    retry: "never",
    means: "Stored bytes that the log refers to are gone.",
    todo: "Restore them from a copy of the home; see docs/operating/recovery.md.",
    sentence: (data) => `Stored bytes are gone: ${show(data["message"])}. Restore them from a copy of the home.`,
  },
  "workspace-unavailable": {
    status: 503,
    exit: exitCodes.broken,
    retry: "later",
    means: "The folder that a run works in cannot be made or reached.",
    todo: "Look at the disk and the permissions of the home; the run can be retried.",
    sentence: (data) =>
      `The run's folder cannot be used: ${show(data["message"])}. Look at the disk, then retry the run.`,
  },
  internal: {
    status: 500,
    exit: exitCodes.broken,
    retry: "later",
    means: "A defect of ours.",
    todo: "Report it with the daemon's log.",
    sentence: () => "This is a defect of Signalbox. Please report it with the daemon's log.",
  },
} as const satisfies Record<string, ErrorEntry>;

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
