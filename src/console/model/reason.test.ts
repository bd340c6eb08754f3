import { expect, test } from "vitest";
import { makeRun } from "../../../test/support/wire-samples.ts";
import { reasonOf, toReason } from "./reason.ts";

test.each([
  ["paused by person:eva", "paused by eva"],
  ["approved by agent:mcp, and then by person:root", "approved by mcp, and then by root"],
  ["step 3 (run): exit-nonzero: /bin/sh -c npm test ended with 1", "step 3 (run): npm test ended with 1"],
  ["its run r_1 is paused", "its run r_1 is paused"],
  ["person: is a field", "person: is a field"],
  ["stand by agent: nobody", "stand by agent: nobody"],
])("%s is read as %s", (because, read) => {
  expect(toReason(because)).toBe(read);
});

test("a question is not said twice, and no reason is none", () => {
  const question = { id: "q_1", text: "Which one?", leave: null };
  for (const because of [null, "", "Which one?"]) expect(reasonOf({ ...makeRun("r_1"), question, because })).toBe(null);
  expect(reasonOf({ ...makeRun("r_1"), because: "paused by person:eva" })).toBe("paused by eva");
});
