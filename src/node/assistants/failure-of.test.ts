import { expect, test } from "vitest";
import { failureOf } from "./failure-of.ts";

test.each([
  ["rate-limit", null, "rate-limit"],
  ["refused", 500, "refused"],
  ["error", "unreached", "outage"],
  ["error", 503, "outage"],
  ["error", 529, "outage"],
  ["error", 429, "rate-limit"],
  ["error", 401, "auth"],
  ["error", 403, "auth"],
  ["error", 400, "error"],
  ["error", null, "error"],
] as const)("a turn that ended with %s, and an answer %s before it: %s", (why, status, kind) => {
  const no = status === null ? null : { status: status === "unreached" ? null : status, retryAfterMs: null };
  expect(failureOf(why, no)).toBe(kind);
});
