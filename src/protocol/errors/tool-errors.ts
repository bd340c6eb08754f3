// Codes of the tools at a run's door: files, commands and processes.

import { type ErrorEntry, exitCodes, show } from "./error-entry.ts";

export const toolErrors = {
  "no-file": {
    status: 404,
    exit: exitCodes.notFound,
    retry: "after-change",
    means: "The tool names a file that is not there.",
    todo: "List or search for the file's name.",
    sentence: (data) => `There is no file ${show(data["path"])}. List or search for its name.`,
  },
  "not-read": {
    status: 409,
    exit: exitCodes.refused,
    retry: "after-change",
    means:
      "The run was about to replace or delete a file that is there and that it has not read, or to say that a conflict is resolved whose other side it has not read.",
    todo: "Read the file first, or say by its hash (`seen`) what was seen of it. In a conflict, read the side of mainline (`side: theirs`).",
    sentence: (data) =>
      data["side"] === "theirs"
        ? `Somebody else has changed ${show(data["path"])} in the same place, and their side was not read. Read it with side theirs, make one file of both, then resolve it.`
        : `The file ${show(data["path"])} is there and was not read. Read it first, then decide again.`,
  },
  "read-only": {
    status: 409,
    exit: exitCodes.refused,
    retry: "never",
    means: "The path is a submodule or lies in one. Submodules are read-only in workspaces.",
    todo: "Change it in the submodule's own repository; a person moves the commit that the project has of it.",
    sentence: (data) =>
      `The path ${show(data["path"])} is in a submodule, which is read-only here. Change it in its own repository.`,
  },
  "is-link": {
    status: 409,
    exit: exitCodes.refused,
    retry: "after-change",
    means: "A link stands where a file is to be written: its own name would be another one.",
    todo: "Use the name that it leads to, or delete the link first.",
    sentence: (data) =>
      `A link stands there: ${show(data["message"])}. Use the name that it leads to, or delete it first.`,
  },
  "no-match": {
    status: 422,
    exit: exitCodes.refused,
    retry: "after-change",
    means: "The text to replace does not occur in the file, or occurs more than once.",
    todo: "Read the file again, and give a text that occurs exactly once.",
    sentence: (data) =>
      `The text to replace does not occur exactly once in ${show(data["path"])}. Read the file again.`,
  },
  "in-the-way": {
    status: 409,
    exit: exitCodes.refused,
    retry: "after-change",
    means: "Something else stands where a file is to be put.",
    todo: "Delete it first, or choose another name.",
    sentence: (data) =>
      `Something stands in the way: ${show(data["message"])}. Delete it first, or choose another name.`,
  },
  "no-conflict": {
    status: 409,
    exit: exitCodes.refused,
    retry: "never",
    means: "The file is in no conflict: there are no other sides of it, and nothing to resolve.",
    todo: "Go on: what is in conflict is told when a result is sent back.",
    sentence: (data) => `There is no conflict: ${show(data["message"])}. Go on.`,
  },
  "no-process": {
    status: 404,
    exit: exitCodes.notFound,
    retry: "after-change",
    means: "The project has no process of this name.",
    todo: "Use one of the names in the answer; `signalbox project change` adds one.",
    sentence: (data) => `The project has no process ${show(data["name"])}. Use one that it has.`,
  },
  "no-command": {
    status: 404,
    exit: exitCodes.notFound,
    retry: "after-change",
    means: "The run has no command of this name in the background.",
    todo: "Use one of the names in the answer, or start it.",
    sentence: (data) => `There is no command ${show(data["name"])} in the background. Start it first.`,
  },
  "not-running": {
    status: 409,
    exit: exitCodes.refused,
    retry: "after-change",
    means: "The command has ended, or does not read its input.",
    todo: "Look at its output, and start it again if need be.",
    sentence: (data) => `The command ${show(data["name"])} does not read any more. Look at its output.`,
  },
  "exit-nonzero": {
    status: 422,
    exit: exitCodes.refused,
    retry: "after-change",
    means: "The command ended with something else than 0.",
    todo: "Look at its output.",
    sentence: (data) => `The command ${show(data["command"])} did not end with 0. Look at its output.`,
  },
  "exit-unknown": {
    status: 500,
    exit: exitCodes.broken,
    retry: "after-change",
    means: "Nobody knows how the command ended, or whether a text has reached it: the keeper was lost meanwhile.",
    todo: "Look at what it left, and decide whether to do it again.",
    sentence: (data) => `Nobody knows how ${show(data["command"])} ended. Look at what it left before you do it again.`,
  },
} as const satisfies Record<string, ErrorEntry>;
