import { expect, test } from "vitest";
import { toReason } from "./reason.ts";

test.each([
  ["paused by person:eva", "paused by eva"],
  ["approved by agent:mcp, and then by person:root", "approved by mcp, and then by root"],
  ["its run r_1 is paused", "its run r_1 is paused"],
  ["person: is a field", "person: is a field"],
  ["stand by agent: nobody", "stand by agent: nobody"],
])("%s is read as %s", (because, read) => {
  expect(toReason(because)).toBe(read);
});
