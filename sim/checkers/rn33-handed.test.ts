import { expect, test } from "vitest";
import type { Event } from "../../src/core/events.ts";
import type { FailureClass } from "../../src/core/run/failure.ts";
import { History, moved, opened, submitted } from "./history.ts";
import { handedOver } from "./rn33-handed.ts";

const settings = { runner: "claude", fallbacks: ["codex", "gemini"] };

/** A run of three assistants, at work; its events come at 1,000 ms and later. */
function atWork(): History {
  const begun = new History(handedOver()).begin();
  return begun.add(
    submitted("r1", { runner: "claude", profile: "team", settings }),
    opened("r1.1", "run"),
    moved("r1", "queued", "starting"),
    moved("r1", "starting", "running"),
  );
}

function handed(from: string, to: string, failure: FailureClass = "auth"): Event {
  return { type: "run.handed", v: 1, run: "r1", from, to, failure, what: "", said: "" };
}

function delayed(more: Partial<Event & { type: "run.delayed" }> = {}): Event & { readonly atMs: number } {
  const about = { failure: "outage", what: "", attempt: 1, attemptsMax: 5, policy: "built-in" } as const;
  return { type: "run.delayed", v: 1, run: "r1", ...about, untilMs: 12_000, life: 1, ...more, atMs: 2000 };
}

const denied: Event = {
  type: "policy.set",
  v: 1,
  policy: { name: "no", priority: 0, enabled: true, scope: {}, rules: { deniedRunners: ["codex"] } },
};
const failed = { ...moved("r1", "running", "failed"), failure: "auth" } as Event;

const cases: readonly (readonly [string, readonly string[], (history: History) => History])[] = [
  ["goes from one to the next", [], (history) => history.add(handed("claude", "codex"), handed("codex", "gemini"))],
  ["leaves out who is denied", [], (history) => history.add(denied, handed("claude", "gemini"))],
  ["is had by who is denied", ["RN33"], (history) => history.add(denied, handed("claude", "codex"))],
  ["is handed over by somebody else", ["RN33"], (history) => history.add(handed("gemini", "codex"))],
  ["is taken elsewhere after a refusal", ["RN31"], (history) => history.add(handed("claude", "codex", "refused"))],
  ["fails although another could take over", ["RN33"], (history) => history.add(failed)],
  ["fails when nobody is left", [], (history) => history.add(denied, handed("claude", "gemini"), failed)],
  ["waits for its next try", [], (history) => history.add(delayed(), moved("r1", "running", "parked"))],
  ["is tried again after a refusal", ["RN31"], (history) => history.add(delayed({ failure: "refused" }))],
  ["fails twice in one life", ["RN31"], (history) => history.add(delayed(), delayed())],
  ["does not wait", ["RN32"], (history) => history.add(delayed({ untilMs: 2500 }))],
  ["waits too long", ["RN32"], (history) => history.add(delayed({ untilMs: 8_000_000 }))],
  ["is tried too often", ["RN32"], (history) => history.add(delayed({ attempt: 6 }))],
  [
    "goes on too early",
    ["RN32"],
    (history) => history.add(delayed(), moved("r1", "running", "parked"), moved("r1", "parked", "running")),
  ],
];

test.each(cases)("a run that %s is judged by RN31 to RN33: %j", (_, expected, tell) => {
  expect(tell(atWork()).reports.map((report) => report.split(":")[0])).toEqual(expected);
});
