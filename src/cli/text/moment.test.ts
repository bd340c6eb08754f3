import { expect, test } from "vitest";
import { parseMoment } from "./moment.ts";

test("[SV15] a moment is how long ago, or a time", () => {
  expect(parseMoment("1m30s", 100_000)).toBe(10_000);
  expect(parseMoment("2026-03-01T12:00:00Z")).toBe(Date.UTC(2026, 2, 1, 12));
  for (const text of ["", "yesterday", "10", "2026-99-99"]) expect(() => parseMoment(text)).toThrow(/such as/);
});
