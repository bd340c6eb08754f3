// Codes about changes, reviews and landings.

import { type ErrorEntry, exitCodes, show } from "./error-entry.ts";

export const landingErrors = {
  changed: {
    status: 409,
    exit: exitCodes.refused,
    retry: "after-change",
    means: "A path is not what it was when it was looked at.",
    todo: "Look again (`signalbox diff`, or read the file), then decide on what is there now.",
    sentence: (data) => `Since you looked, ${show(data["path"])} has changed. Look again, then decide.`,
  },
  "cannot-rewind": {
    status: 409,
    exit: exitCodes.refused,
    retry: "never",
    means: "The workspace cannot be taken back to that step; it is as it was.",
    todo: "Take another step, or fork the run from it: a fork has a workspace of its own.",
    sentence: (data) =>
      `The workspace of ${show(data["run"])} cannot be taken back to that step: ${show(data["why"])}. It is as it was. Take another step, or fork the run from it.`,
  },
  incomplete: {
    status: 409,
    exit: exitCodes.refused,
    retry: "after-change",
    means: "Some paths can only land together with what was approved.",
    todo: "Approve the named paths too, whole, or none of them.",
    sentence: (data) => `These belong to it and can only land together: ${show(data["paths"])}. Approve them too.`,
  },
  purged: {
    status: 410,
    exit: exitCodes.notFound,
    retry: "never",
    means: "The bytes of a step were purged with what became of them, and are gone for good.",
    todo: "Look at the run's other steps, or at what it landed.",
    sentence: (data) =>
      `What this step wrote to ${show(data["path"])} was purged. Look at other steps, or at what landed.`,
  },
} as const satisfies Record<string, ErrorEntry>;
