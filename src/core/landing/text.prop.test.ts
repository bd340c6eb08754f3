import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { search } from "../../../test/support/search.ts";
import { applyHunks, hunksOf } from "./hunks.ts";
import { diffLines, diffNumbered, numberLines, splitLines } from "./text-diff.ts";
import { mergeText, type TextMerge } from "./text-merge.ts";
import { decodeText, encodeText } from "./utf8.ts";

const line = fc.constantFrom("a\n", "b\n", "\n", "}\n", "c\r\n", "\r\n", "é🔒\n", "\ufeff\n");
const lastLine = fc.constantFrom("", "", "", "a", "b", "}", "\r");
/** Few different lines, so that they repeat: that is where diffs go wrong. */
const text = fc.tuple(fc.array(line, { maxLength: 12 }), lastLine).map(([lines, last]) => lines.join("") + last);
const edit = fc.record({ at: fc.nat(12), drop: fc.nat(2), put: fc.array(line, { maxLength: 2 }) });
/** A text and two others that somebody made of it. */
const three = fc
  .tuple(text, fc.array(edit, { maxLength: 2 }), fc.array(edit, { maxLength: 2 }), text, fc.nat(9))
  .map(
    ([base, ours, theirs, other, how]) => [base, how === 0 ? other : edited(base, ours), edited(base, theirs)] as const,
  );
const anyBytes = fc.oneof(
  fc.uint8Array({ maxLength: 12 }),
  fc.string({ unit: "binary", maxLength: 8 }).map((each) => new TextEncoder().encode(each)),
);
const readings = (["ahead", "back"] as const).flatMap((sought) =>
  (["first", "last"] as const).map((place) => ({ sought, place })),
);

describe("bytes", () => {
  test("are text exactly when a strict decoder says so, and come back as they were", { timeout: 600_000 }, () => {
    const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        const decoded = decodeText(bytes);
        let expected: string | undefined;
        try {
          expected = bytes.includes(0) ? undefined : strict.decode(bytes);
        } catch {
          expected = undefined;
        }
        expect(decoded).toBe(expected);
        expect(decoded === undefined ? bytes : encodeText(decoded)).toEqual(bytes);
      }),
      search(3_000),
    );
  });
});

describe("diffs", () => {
  test("lose no byte, and are as short as the longest common list allows", { timeout: 600_000 }, () => {
    fc.assert(
      fc.property(text, text, fc.constantFrom(...readings), (base, work, reading) => {
        const [from, to] = [splitLines(base), splitLines(work)];
        expect(from.join("")).toBe(base);
        const [baseIds, workIds] = numberLines([from, to]);
        const changes = diffNumbered({ base: baseIds, work: workIds }, reading);
        let at = 0;
        let kept = 0;
        const rebuilt: string[] = [];
        for (const { baseFrom, baseTo, workFrom, workTo } of changes) {
          expect(baseFrom < baseTo || workFrom < workTo).toBe(true);
          expect(at === 0 ? baseFrom >= 0 : baseFrom > at).toBe(true);
          kept += baseFrom - at;
          rebuilt.push(...from.slice(at, baseFrom));
          expect(rebuilt).toHaveLength(workFrom);
          rebuilt.push(...to.slice(workFrom, workTo));
          at = baseTo;
        }
        expect([...rebuilt, ...from.slice(at)].join("")).toBe(work);
        expect(kept + from.length - at).toBe(longestCommon(from, to));
      }),
      search(2_000),
    );
  });
});

const linesIn = (changes: readonly { baseFrom: number; baseTo: number; workFrom: number; workTo: number }[]): number =>
  changes.reduce((sum, { baseFrom, baseTo, workFrom, workTo }) => sum + baseTo - baseFrom + workTo - workFrom, 0);

describe("hunks", () => {
  test(
    "[LD23] all of them give the work, none the base, and any others something between",
    { timeout: 600_000 },
    () => {
      fc.assert(
        fc.property(text, text, fc.nat(), (base, work, mask) => {
          const hunks = hunksOf({ base, work });
          const ids = hunks.map(({ id }) => id);
          expect(applyHunks(base, hunks, new Set(ids))).toBe(work);
          expect(applyHunks(base, hunks, new Set())).toBe(base);
          const chosen = hunks.filter((_, at) => ((mask >> at) & 1) === 1);
          const some = applyHunks(base, hunks, new Set(chosen.map(({ id }) => id)));
          // It may be told in more pieces than were chosen, but never in more lines.
          const told = diffLines(splitLines(base), splitLines(some));
          expect(linesIn(told)).toBeLessThanOrEqual(linesIn(chosen));
        }),
        search(2_000),
      );
    },
  );

  test("[LD23] approved a few at a time, in any order, they come to the work", { timeout: 600_000 }, () => {
    fc.assert(
      fc.property(text, text, fc.array(fc.nat(), { minLength: 1 }), (base, work, choices) => {
        let drawn = 0;
        const draw = (): number => choices[drawn++ % choices.length] ?? 0;
        let landed = base;
        for (let left = hunksOf({ base: landed, work }); left.length > 0; left = hunksOf({ base: landed, work })) {
          const always = draw() % left.length;
          const mask = draw();
          const chosen = left.filter((_, at) => at === always || ((mask >> at) & 1) === 1).map(({ id }) => id);
          const before = landed;
          landed = applyHunks(landed, left, new Set(chosen));
          expect(landed).not.toBe(before);
        }
        expect(landed).toBe(work);
      }),
      search(1_000),
    );
  });

  test("[LD23] of lines that differ, two choices one after the other are both at once", { timeout: 600_000 }, () => {
    const edits = fc.array(fc.constantFrom("keep", "drop", "replace", "insert"), { maxLength: 20 });
    fc.assert(
      fc.property(edits, fc.nat(), fc.nat(), (plan, one, two) => {
        const base = plan.map((_, at) => `l${at}\n`).join("");
        const changed = { keep: "", drop: "", replace: "r", insert: "i" };
        const work = plan
          .map(
            (edit, at) =>
              (edit === "drop" ? "" : edit === "replace" ? "" : `l${at}\n`) +
              (changed[edit] && `${changed[edit]}${at}\n`),
          )
          .join("");
        const hunks = hunksOf({ base, work });
        const pick = (mask: number): Set<string> =>
          new Set(hunks.filter((_, at) => ((mask >> at) & 1) === 1).map(({ id }) => id));
        const first = applyHunks(base, hunks, pick(one));
        const rest = hunksOf({ base: first, work });
        const left = hunks.filter(({ id }) => !pick(one).has(id));
        expect(rest).toHaveLength(left.length);
        const chosen = rest.filter((_, at) => pick(two).has(left[at]?.id ?? "")).map(({ id }) => id);
        expect(applyHunks(first, rest, new Set(chosen))).toBe(
          applyHunks(base, hunks, new Set([...pick(one), ...pick(two)])),
        );
      }),
      search(500),
    );
  });
});

describe("merges", () => {
  test("[LD27] do not ask which side is whose", { timeout: 600_000 }, () => {
    fc.assert(
      fc.property(three, ([base, ours, theirs]) => {
        const here = merge(base, ours, theirs);
        const there = merge(base, theirs, ours);
        expect(there).toEqual(turn(here));
      }),
      search(2_000),
    );
  });

  test(
    "[LD27] with an unchanged side, or with equal sides, give the other, byte for byte",
    { timeout: 600_000 },
    () => {
      fc.assert(
        fc.property(anyBytes, anyBytes, (base, other) => {
          expect(mergeText({ base, ours: other, theirs: base })).toEqual({ kind: "clean", bytes: other });
          expect(mergeText({ base, ours: base, theirs: other })).toEqual({ kind: "clean", bytes: other });
          expect(mergeText({ base, ours: other, theirs: other })).toEqual({ kind: "clean", bytes: other });
        }),
        search(500),
      );
    },
  );

  test("[LD27] [LD40] keep what both sides did, and the panes of a conflict are whole", { timeout: 600_000 }, () => {
    const kinds = { clean: 0, conflict: 0 };
    fc.assert(
      fc.property(three, ([base, ours, theirs]) => {
        const merged = merge(base, ours, theirs);
        kinds[merged.kind]++;
        if (merged.kind === "conflict") return expectWholePanes(merged, [base, ours, theirs]);
        const result = decodeText(merged.bytes ?? new Uint8Array()) ?? "";
        // No line comes from nowhere, and none is run together with the next.
        const known = new Set([...splitLines(base), ...splitLines(ours), ...splitLines(theirs)]);
        expect(splitLines(result).filter((each) => !known.has(each))).toEqual([]);
        // A line stands as often as both sides together say. Both may have taken it from one place and put it into two, or from
        // two places and put it into one, so that is all that can be said without asking what was moved.
        for (const each of known) {
          const [b, o, t, r] = [base, ours, theirs, result].map((side) => countOf(side, each)) as [
            number,
            number,
            number,
            number,
          ];
          expect(2 * r).toBeGreaterThanOrEqual(o + t - b);
          expect(r).toBeLessThanOrEqual(o + t);
        }
      }),
      search(3_000),
    );
    expect(Math.min(kinds.clean, kinds.conflict)).toBeGreaterThan(50);
  });
});

function edited(base: string, edits: readonly { at: number; drop: number; put: readonly string[] }[]): string {
  const lines = splitLines(base);
  // The last line may lack its newline; nothing is put behind it.
  for (const { at, drop, put } of edits) lines.splice(Math.min(at, Math.max(0, lines.length - 1)), drop, ...put);
  return lines.join("");
}

function merge(base: string, ours: string, theirs: string): TextMerge {
  return mergeText({ base: encodeText(base), ours: encodeText(ours), theirs: encodeText(theirs) });
}

/** The same merge, seen from the other side. */
function turn(merged: TextMerge): TextMerge {
  if (merged.kind === "clean" || merged.why === "not-text") return merged;
  const other = { same: "same", both: "both", conflict: "conflict", ours: "theirs", theirs: "ours" } as const;
  const regions = merged.regions.map(({ kind, base, ours, theirs }) => ({
    kind: other[kind],
    base,
    ours: theirs,
    theirs: ours,
  }));
  return { ...merged, regions };
}

function expectWholePanes(merged: TextMerge, texts: readonly [base: string, ours: string, theirs: string]): void {
  if (merged.kind === "clean" || merged.why !== "touching") throw new Error("these are texts, and they conflict");
  const pane = (side: "base" | "ours" | "theirs"): string => merged.regions.map((each) => each[side]).join("");
  expect([pane("base"), pane("ours"), pane("theirs")]).toEqual(texts);
  expect(merged.regions.some(({ kind }) => kind === "conflict")).toBe(true);
}

function countOf(side: string, line: string): number {
  return splitLines(side).filter((each) => each === line).length;
}

/** The table of all pairs: slow and obvious. */
function longestCommon(a: readonly string[], b: readonly string[]): number {
  let row = Array.from({ length: b.length + 1 }, () => 0);
  for (const left of a) {
    const next = [0];
    for (const [at, right] of b.entries()) {
      next.push(left === right ? (row[at] ?? 0) + 1 : Math.max(row[at + 1] ?? 0, next[at] ?? 0));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
