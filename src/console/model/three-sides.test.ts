import { expect, test } from "vitest";
import { renderDiff } from "../../core/landing/unified-diff.ts";
import { toMeetingPlaces } from "./three-sides.ts";

const patchOf = (from: string | null, to: string | null): string => {
  const side = (text: string | null, blob: string) => ({
    entry: text === null ? null : `100644:${blob.repeat(40)}`,
    bytes: text === null ? null : new TextEncoder().encode(text),
  });
  return renderDiff({ path: "a.txt", base: side(from, "a"), work: side(to, "b") });
};
const placesOf = (base: string | null, theirs: string | null, ours: string | null) =>
  toMeetingPlaces({ patch: patchOf(base, ours), theirs: { entry: null, patch: patchOf(base, theirs) } });

const lines = Array.from({ length: 40 }, (_, at) => `line ${at + 1}\n`);
const base = lines.join("");

test("a place that both have changed has three sides, with the lines around it", () => {
  const places = placesOf(base, base.replace("line 5\n", "LINE 5\nand more\n"), base.replace("line 5\n", "five\n"));
  expect(places).toEqual([
    {
      ...{ from: 5, isMet: true, base: ["line 5"], theirs: ["LINE 5", "and more"], ours: ["five"] },
      ...{ before: ["line 3", "line 4"], after: ["line 6", "line 7"] },
      starts: { base: 5, theirs: 5, ours: 5 },
    },
  ]);
});

test("each side counts its own lines: what it has added or removed further up moves all that comes after", () => {
  const theirs = base.replace("line 2\n", "line 2\nand\nmore\n").replace("line 30\n", "THIRTY\n");
  const ours = base.replace("line 9\n", "").replace("line 30\n", "thirty\n");
  const met = placesOf(base, theirs, ours).find(({ isMet }) => isMet);
  expect(met?.starts).toEqual({ base: 30, theirs: 32, ours: 29 });
});

test("edits that touch are one place; those that do not are places of one side", () => {
  const theirs = base.replace("line 5\n", "LINE 5\n").replace("line 30\n", "");
  const ours = base.replace("line 6\n", "").replace("line 20\n", "line 20\nnew\n");
  const places = placesOf(base, theirs, ours).map(({ from, isMet, base: was, theirs: their, ours: own }) => ({
    ...{ from, isMet, was, their, own },
  }));
  expect(places).toEqual([
    {
      ...{ from: 5, isMet: true, was: ["line 5", "line 6"] },
      ...{ their: ["LINE 5", "line 6"], own: ["line 5"] },
    },
    { from: 21, isMet: false, was: [], their: [], own: ["new"] },
    { from: 30, isMet: false, was: ["line 30"], their: [], own: ["line 30"] },
  ]);
});

test("what both have made the same met nobody, and a file that both began has an empty base", () => {
  const same = base.replace("line 9\n", "nine\n");
  expect(placesOf(base, same, same).map(({ isMet }) => isMet)).toEqual([false]);
  expect(placesOf(null, "a\n", "b\n")).toMatchObject([{ from: 1, isMet: true, base: [], theirs: ["a"], ours: ["b"] }]);
});

test("a file that mainline has let go of is its whole base beside the run's side", () => {
  expect(placesOf("a\nb\n", null, "a\nB\n")).toMatchObject([{ base: ["a", "b"], theirs: [], ours: ["a", "B"] }]);
});
