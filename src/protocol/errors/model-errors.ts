// Codes about model requests, their cost and their credentials. Assistants read the sentences of most of these, in the
// form of their provider's own errors.

import { showDollars } from "../dollars.ts";
import { type ErrorData, type ErrorEntry, exitCodes, show } from "./error-entry.ts";

export const modelErrors = {
  "budget-spent": {
    status: 403,
    exit: exitCodes.denied,
    retry: "after-change",
    means:
      "A budget has no room for the request: what it may cost at most, with what is spent and under way, goes beyond.",
    todo: "Ask whoever set the policy for more, use a cheaper model or a shorter prompt, or wait until the next day of a daily budget.",
    sentence: (data) =>
      `The budget ${show(data["rule"])} of ${whose(data["policy"])} is spent: ${dollars(data["spentMicros"])} of ${dollars(data["limitMicros"])} are gone, ${dollars(data["reservedMicros"])} are reserved for requests under way, and this one may cost ${dollars(data["neededMicros"])}. A person can raise it with signalbox raise ${show(data["run"])}.`,
  },
  "turns-spent": {
    status: 403,
    exit: exitCodes.denied,
    retry: "after-change",
    means:
      "The run's assistant has asked its model as often as its profile lets it, since it was last given something to do.",
    todo: "Give the run more with signalbox raise RUN while it is not over. Else give its profile more, or the run a smaller task, and retry it.",
    sentence: (data) =>
      `The assistant of ${show(data["run"])} has asked its model ${show(data["limit"])} times, as often as its ${show(data["policy"])} lets it. A person can raise that with signalbox raise ${show(data["run"])}.`,
  },
  "no-limit": {
    status: 409,
    exit: exitCodes.refused,
    retry: "after-change",
    means: "The run has no such limit from its profile, so there is none to raise for it alone.",
    todo: "See what holds it with signalbox inspect RUN; a limit of a policy is raised with signalbox policy set NAME.",
    sentence: (data) =>
      `Run ${show(data["run"])} has no ${show(data["limit"])} from its profile, so there is none to raise for it alone. See what holds it with signalbox inspect ${show(data["run"])}; a limit of a policy is raised with signalbox policy set NAME.`,
  },
  "not-higher": {
    status: 409,
    exit: exitCodes.refused,
    retry: "after-change",
    means: "A limit of a run is raised and never lowered, and what was asked for is not above what it is now.",
    todo: "Name more than it is now; the answer says how much that is. To have the run spend no more, pause or stop it.",
    sentence: (data) =>
      `The ${show(data["limit"])} of run ${show(data["run"])} is ${amount(data, "now")} now, and ${amount(data, "value")} is not more. Name more, or pause the run to have it spend no more.`,
  },
  "price-unknown": {
    status: 403,
    exit: exitCodes.denied,
    retry: "after-change",
    means: "A budget applies, and the model has no price to reckon with.",
    todo: "Say what it costs: signalbox price set MODEL --input DOLLARS --output DOLLARS, for a million tokens.",
    sentence: (data) =>
      `The policy ${show(data["policy"])} sets a budget, and the model ${show(data["model"])} has no price to reckon with. Say what it costs with signalbox price set ${show(data["model"])} --input DOLLARS --output DOLLARS.`,
  },
  "credential-missing": {
    status: 403,
    exit: exitCodes.refused,
    retry: "after-change",
    means: "The daemon has no credential for this provider, so a run of a runner that asks its models is not taken in.",
    todo: "Keep one with signalbox secret set NAME, or start the daemon with it in its environment. A server of your own that wants none takes any word.",
    sentence: (data) =>
      `The daemon has no credential for ${show(data["provider"])}. Keep one with signalbox secret set ${show(data["name"])}, or start the daemon with ${show(data["name"])} in its environment.`,
  },
  "subscription-expired": {
    status: 403,
    exit: exitCodes.refused,
    retry: "after-change",
    means: "The login of a runner's subscription is not good any more, and cannot be renewed.",
    todo: "Log in again in a folder of its own, and give the login to the daemon: signalbox subscription add RUNNER --from FILE.",
    sentence: (data) =>
      `The login of ${show(data["runner"])} is not good any more: ${show(data["why"])}. Log in again with ${show(data["how"])}, then give it to the daemon with signalbox subscription add ${show(data["runner"])} --from FILE.`,
  },
  "model-path-unknown": {
    status: 404,
    exit: exitCodes.notFound,
    retry: "never",
    means: "The relay forwards model requests only, and this is none that it knows.",
    todo: "Use one of the paths in docs/operating/cost.md.",
    sentence: (data) =>
      `The relay does not forward ${show(data["method"])} ${show(data["path"])}. It knows the model requests of Anthropic, OpenAI and Gemini only.`,
  },
  "model-unreachable": {
    status: 502,
    exit: exitCodes.unreachable,
    retry: "later",
    means: "The provider of the model could not be reached, or its answer cannot be passed on.",
    todo: "See whether the daemon's machine reaches the provider; a base URL may be wrong.",
    sentence: (data) => `The provider ${show(data["provider"])} could not be reached: ${show(data["why"])}.`,
  },
  "model-refusing": {
    status: 400,
    exit: exitCodes.unreachable,
    retry: "later",
    means:
      "The provider of the model refused the same request several times in a row, because it is asked too often or is down.",
    todo: "Nothing: the assistant's turn ends, and its run waits without it until the provider is to be asked again.",
    // No number and none of a provider's words for it: programs read them as leave to ask once more.
    sentence: (data) =>
      `The provider ${show(data["provider"])} has refused this request repeatedly, so the turn ends here.`,
  },
  "tool-server-failed": {
    status: 502,
    exit: exitCodes.unreachable,
    retry: "after-change",
    means: "A server of tools that the run's profile names was not asked, or its answer cannot be passed on.",
    todo: "Do what the sentence says: allow its host, keep the secret that it wants, or see whether it answers.",
    sentence: (data) => `The server of tools ${show(data["server"])} could not be asked: ${show(data["why"])}.`,
  },
  "no-model": {
    status: 409,
    exit: exitCodes.refused,
    retry: "never",
    means: "The runner has no model of its own: there is none to ask, and none to choose.",
    todo: "Name a runner that has one: signalbox runners shows whose models each asks.",
    sentence: (data) =>
      `The runner ${show(data["runner"])} asks no model of its own: there is none to probe or to choose. signalbox runners shows which do.`,
  },
  "secret-in-plain": {
    status: 422,
    exit: exitCodes.usage,
    retry: "after-change",
    means: "What would be kept in plain looks like a secret, or has one in it.",
    todo: "Take it out. Credentials of models belong to `signalbox secret set`, and never into a cage.",
    sentence: (data) =>
      `What the profile says under ${show(data["where"])} looks like a secret, and a profile is kept in plain and shown to agents. Take it out; credentials of models belong to signalbox secret set.`,
  },
  "secret-damaged": {
    status: 500,
    exit: exitCodes.broken,
    retry: "never",
    means: "The file of secrets or its key is damaged, or one does not belong to the other.",
    todo: "Put both files back from the same copy, or remove secrets.json and set the secrets anew.",
    sentence: (data) =>
      `The secrets cannot be read: ${show(data["message"])}. Put secrets.json and secrets.key back from the same copy, or remove secrets.json and set the secrets anew.`,
  },
} as const satisfies Record<string, ErrorEntry>;

/** The limit of a profile is named by it where otherwise a policy is. */
function whose(policy: unknown): string {
  return show(policy).startsWith("profile ") ? `the ${show(policy)}` : `the policy ${show(policy)}`;
}

/** Turns are counted, all else is money. */
function amount(data: ErrorData, field: string): string {
  return data["limit"] === "maxTurns" ? show(data[field]) : dollars(data[field]);
}

function dollars(value: unknown): string {
  return typeof value === "number" ? showDollars(value) : "?";
}
