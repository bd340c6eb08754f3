// Codes about getting in: who asks, how, and how much.

import { type ErrorEntry, exitCodes, show } from "./error-entry.ts";

export const doorErrors = {
  "bad-input": {
    status: 400,
    exit: exitCodes.usage,
    retry: "after-change",
    means: "The request is not well formed: not JSON, an unknown or missing field, a wrong type, too long.",
    todo: "Mend the field that the sentence names.",
    sentence: (data) =>
      `The request is not right${data["where"] === undefined ? "" : ` at ${show(data["where"])}`}: ${show(data["why"])}.`,
  },
  "too-large": {
    status: 413,
    exit: exitCodes.usage,
    retry: "after-change",
    means: "The request is bigger or nested deeper than what is taken, or has more values.",
    todo: "Send less at a time.",
    sentence: (data) => `The request is too large: ${show(data["why"])}. Send less at a time.`,
  },
  "wrong-media-type": {
    status: 415,
    exit: exitCodes.usage,
    retry: "after-change",
    means: "The request's body is not declared as JSON.",
    todo: "Send `content-type: application/json`.",
    sentence: () => "The body has to be JSON. Send content-type: application/json.",
  },
  "wrong-method": {
    status: 405,
    exit: exitCodes.usage,
    retry: "after-change",
    means: "There is such a route, and it takes another method.",
    todo: "Use the method that the answer names.",
    sentence: (data) => `The route ${show(data["path"])} takes ${show(data["allowed"])}, not ${show(data["method"])}.`,
  },
  unauthorized: {
    status: 401,
    exit: exitCodes.denied,
    retry: "after-change",
    means: "The request carries no valid token or session.",
    todo: "Send `authorization: Bearer` with the token from the file `token` in the daemon's home, or open a login link.",
    sentence: () => "Who are you? Send the token from the daemon's home as a bearer token, or open a fresh login link.",
  },
  "door-closed": {
    status: 401,
    exit: exitCodes.denied,
    retry: "after-change",
    means: "The run is over, there is no such run, or the token is not one of its door.",
    todo: "Ask for another token with `signalbox door RUN`, while the run is not over.",
    sentence: () =>
      "This door does not open: the run is over, or the token is not its own. Ask for another with `signalbox door RUN`.",
  },
  "login-expired": {
    status: 401,
    exit: exitCodes.denied,
    retry: "after-change",
    means: "The login link was used before or is too old.",
    todo: "Make a fresh one with `signalbox login`.",
    sentence: () => "This login link was used before or is too old. Make a fresh one with `signalbox login`.",
  },
  "forbidden-host": {
    status: 403,
    exit: exitCodes.denied,
    retry: "after-change",
    means: "The Host header is not one of the daemon's own names: perhaps a web page tries to reach it.",
    todo: "Use the address that `signalbox status` prints.",
    sentence: () => "The Host header is not one of the daemon's names. Use the address that `signalbox status` prints.",
  },
  "forbidden-origin": {
    status: 403,
    exit: exitCodes.denied,
    retry: "never",
    means: "The request comes from a web page of another origin.",
    todo: "Use the console at the daemon's own address.",
    sentence: (data) =>
      data["face"] === undefined
        ? "Pages of other origins may not speak to the daemon. Use the console at its own address."
        : `Pages of other origins may not speak to the face ${show(data["face"])} of ${show(data["agent"])}. Open it at its own address.`,
  },
  forbidden: {
    status: 403,
    exit: exitCodes.denied,
    retry: "never",
    means: "This is for people only, and an agent asked.",
    todo: "Ask a person to do it in the console or with the command line.",
    sentence: (data) =>
      `Only people may do this: ${show(data["what"])}. Ask a person to do it in the console or with the command line.`,
  },
} as const satisfies Record<string, ErrorEntry>;
