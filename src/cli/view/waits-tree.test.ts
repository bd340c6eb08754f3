import { expect, test } from "vitest";
import type { WaitEdge } from "../../protocol/wire/claim.ts";
import { toWaitsTree } from "./waits-tree.ts";

const edge = (from: string, to: string, unit: string | null = "file:a"): WaitEdge => ({
  from: `${from}.1`,
  fromHolder: from,
  to: `${to}.1`,
  toHolder: to,
  claim: "c_1",
  unit,
});

test("nobody waits", () => {
  expect(toWaitsTree([])).toEqual([]);
});

test("a queue is a chain, though everyone behind waits for everyone ahead", () => {
  const waits = [edge("b", "a"), edge("c", "a"), edge("c", "b"), edge("d", "a"), edge("d", "b"), edge("d", "c")];
  expect(toWaitsTree(waits)).toEqual([
    "a",
    "└─ b waits for file:a",
    "   └─ c waits for file:a",
    "      └─ d waits for file:a",
  ]);
});

test("several wait for one, for several units", () => {
  const waits = [edge("b", "a"), edge("b", "a", "process:test"), edge("c", "a", "file:c"), edge("d", "c", null)];
  expect(toWaitsTree(waits)).toEqual(["a", "├─ b waits for file:a, process:test", "└─ c waits for file:c", "   └─ d"]);
});

test("who waits for two stands below both, and what hangs below it is drawn once", () => {
  const waits = [edge("c", "a"), edge("c", "b"), edge("d", "c")];
  expect(toWaitsTree(waits)).toEqual([
    "a",
    "└─ c waits for file:a",
    "   └─ d waits for file:a",
    "b",
    "└─ c waits for file:a (see above)",
  ]);
});

test("a circle, which there never is, comes to an end", () => {
  expect(toWaitsTree([edge("a", "b"), edge("b", "a")]).length).toBeLessThan(5);
});
