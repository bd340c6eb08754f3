import { expect, test } from "vitest";
import { makeChange } from "../../../test/support/wire-samples.ts";
import {
  chooseFiles,
  nothingChosen,
  tally,
  toApproval,
  toApproveCommand,
  toggleFile,
  togglePart,
  toLandWords,
  unresolvedOf,
} from "./review-choice.ts";

const hunk = (id: string) => ({ id, from: Number(id), removed: [], added: ["x\n"] });
const a = makeChange("a.ts", { hunks: [hunk("1"), hunk("2"), hunk("3")] });
const b = makeChange("it's b.ts", { hunks: [hunk("1")] });
const image = makeChange("image.png", { binary: true, hunks: [] });
const lost = makeChange("lost.ts", { held: false, hunks: [hunk("1")] });
const changes = [a, b, image, lost];

test("nothing chosen, or everything that can be, approves the whole", () => {
  expect(toApproval(nothingChosen, changes)).toEqual({});
  const all = changes.reduce(toggleFile, nothingChosen);
  expect(tally(all, changes)).toEqual({ chosen: 5, all: 5 });
  expect(toApproval(all, changes)).toEqual({});
});

test("whole files are named as files, the others by their hunks in order", () => {
  const choice = [["3"], ["1"]].reduce((next, [id = ""]) => togglePart(next, a, id), toggleFile(nothingChosen, image));
  expect(toApproval(choice, changes)).toEqual({ files: ["image.png"], hunks: { "a.ts": ["1", "3"] } });
  expect(toApproval(togglePart(choice, a, "2"), changes)).toEqual({ files: ["a.ts", "image.png"] });
});

test("a second time takes it back, and what its run does not hold cannot be chosen", () => {
  const once = togglePart(nothingChosen, a, "2");
  expect(togglePart(once, a, "2")).toEqual(nothingChosen);
  expect(toggleFile(toggleFile(once, a), a)).toEqual(nothingChosen);
  expect(toggleFile(nothingChosen, lost)).toEqual(nothingChosen);
  expect(togglePart(nothingChosen, lost, "1")).toBe(nothingChosen);
  expect(togglePart(nothingChosen, a, "9")).toBe(nothingChosen);
});

test("what can only land together is added whole", () => {
  const choice = chooseFiles(togglePart(nothingChosen, b, "1"), changes, ["a.ts", "nowhere"]);
  expect(toApproval(choice, changes)).toEqual({ files: ["a.ts", "it's b.ts"] });
});

test("more files than one approval may name go by their hunks", () => {
  const many = Array.from({ length: 300 }, (_, at) => makeChange(`f${at}`, { hunks: [hunk("1")] }));
  const choice = many.reduce(toggleFile, nothingChosen);
  const { files, hunks } = toApproval(choice, [...many, a]);
  expect([files?.length, Object.keys(hunks ?? {}).length]).toEqual([256, 44]);
});

test("the command approves the same, in a way that a shell understands", () => {
  const choice = togglePart(toggleFile(nothingChosen, b), a, "2");
  expect(toApproveCommand("r_1", toApproval(choice, changes), "0f3a5c7e9b1d2468")).toBe(
    `signalbox approve r_1 --file 'it'\\''s b.ts' --hunk a.ts:2 --seen 0f3a5c7e9b1d2468`,
  );
  expect(toApproveCommand("r_1", {}, "0f3a5c7e9b1d2468")).toBe("signalbox approve r_1 --seen 0f3a5c7e9b1d2468");
});

test("what met somebody else's change cannot land, whole or chosen; the others can", () => {
  const met = makeChange("met.ts", { hunks: [hunk("1")], theirs: { entry: null, patch: "" } });
  expect(unresolvedOf(nothingChosen, [a, b])).toEqual([]);
  expect(unresolvedOf(nothingChosen, [a, met])).toEqual(["met.ts"]);
  expect(unresolvedOf(togglePart(nothingChosen, met, "1"), [a, met])).toEqual(["met.ts"]);
  expect(unresolvedOf(togglePart(nothingChosen, a, "1"), [a, met])).toEqual([]);
});

test.each([
  [0, 2, "Land all of it"],
  [1, 2, "Land 1 chosen"],
  [2, 2, "Land all 2 chosen"],
  [1, 1, "Land 1 chosen"],
])("%d of %d chosen: landing it is called %j", (chosen, all, words) => {
  expect(toLandWords({ chosen, all })).toBe(words);
});
