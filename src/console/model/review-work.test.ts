import { expect, test } from "vitest";
import type { Diff } from "./look.ts";
import { isBegun, noWork, type ReviewWork } from "./review-work.ts";

const diff = { seen: "aaaa", changes: [] } as unknown as Diff;
const looked: ReviewWork = { ...noWork, look: { ...noWork.look, shown: diff, kept: true } };
const choice = new Map([["a.ts", new Set(["1"])]]);
const comments = new Map([["a.ts 1", "not so"]]);

test("a review is begun once something of what is shown was chosen or said, and not by looking", () => {
  expect(isBegun(noWork)).toBe(false);
  expect(isBegun(looked)).toBe(false);
  expect(isBegun({ ...looked, chosen: { seen: "aaaa", choice, needed: [] } })).toBe(true);
  expect(isBegun({ ...looked, commented: { seen: "aaaa", comments } })).toBe(true);
});

test("what was chosen or said of another change set is not about this one", () => {
  expect(isBegun({ ...looked, chosen: { seen: "bbbb", choice, needed: [] } })).toBe(false);
  expect(isBegun({ ...looked, commented: { seen: "bbbb", comments } })).toBe(false);
});
