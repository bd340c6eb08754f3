import { expect, test } from "vitest";
import type { NodeState } from "../../protocol/wire/state.ts";
import { toVitals } from "./vitals.ts";

const node: NodeState = {
  ...{ name: "local", processors: 4, load: [1, 2, 3], unowned: null },
  memory: { totalBytes: 8e9, availableBytes: 6e9 },
  disk: { freeBytes: 50e9, totalBytes: 100e9, freeBytesMin: 1e9 },
};

test("a machine at ease says how much of it is used, and nothing is high", () => {
  expect(toVitals([node]).map(({ name, share, isHigh }) => [name, share, isHigh])).toEqual([
    ["Load", 0.25, false],
    ["Memory", 0.25, false],
    ["Disk", 0.5, false],
  ]);
});

test("more to do than processors, little memory and too little disk are each worth a look", () => {
  const busy: NodeState = {
    ...{ ...node, load: [9.26] },
    memory: { totalBytes: 8e9, availableBytes: 5e8 },
    disk: { freeBytes: 5e8, totalBytes: 100e9, freeBytesMin: 1e9 },
  };
  const vitals = toVitals([busy]);
  expect(vitals.map(({ isHigh }) => isHigh)).toEqual([true, true, true]);
  expect(vitals[0]).toMatchObject({ text: "9.3 of 4", share: 1 });
});

test("machines are counted together, and without one nothing is said", () => {
  expect(toVitals([node, node])[0]).toMatchObject({ text: "2.0 of 8", share: 0.25 });
  expect(toVitals([])).toEqual([]);
});
