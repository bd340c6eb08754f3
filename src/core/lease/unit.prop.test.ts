import fc from "fast-check";
import { expect, test } from "vitest";
import { search } from "../../../test/support/search.ts";
import { UnitIndex } from "./unit-index.ts";
import { conflicts, covers, nameKey, parseUnit, type Unit } from "./unit.ts";

const rules = [false, true].map((foldCase) => ({ foldCase, ownProcesses: new Set<string>() }));
const name = fc.oneof(
  fc.constantFrom(
    "a",
    "A",
    "b",
    "src",
    "Src",
    ".",
    "..",
    "",
    "é",
    "e\u0301",
    "ß",
    "SS",
    "ς",
    "Σ",
    "σ",
    "İ",
    "i̇",
    "ﬁ",
    "ǰ",
    "K",
    "ſ",
  ),
  fc.string({ unit: "grapheme", maxLength: 4 }),
);
const text = fc
  .tuple(fc.constantFrom("file:", "dir:"), fc.array(name, { maxLength: 5 }))
  .map(([kind, parts]) => kind + parts.join("/"));
const small = fc
  .tuple(fc.constantFrom("file:", "dir:"), fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 4 }))
  .map(([kind, parts]) => must(parts.length === 0 ? "dir:" : kind + parts.join("/")));
const any = fc.oneof(
  { weight: 9, arbitrary: small },
  { weight: 1, arbitrary: fc.constantFrom("process:p", "process:q").map(must) },
);

function must(spelled: string, rule = rules[0]): Unit {
  const parsed = parseUnit(spelled, rule ?? { foldCase: false, ownProcesses: new Set() }, "");
  if (!parsed.ok) throw new Error(parsed.refusal.why);
  return parsed.value;
}

test(
  "[LS2] reading a unit's own spelling, or its key, gives the same unit; nothing leads outside",
  { timeout: 600_000 },
  () => {
    fc.assert(
      fc.property(text, fc.constantFrom(...rules), (spelled, rule) => {
        const parsed = parseUnit(spelled, rule, "");
        if (!parsed.ok) return;
        const { kind, key, segments } = parsed.value;
        expect(must(parsed.value.text, rule)).toEqual(parsed.value);
        expect(must(`${kind}:${key.slice(1)}`, rule).key).toBe(key);
        expect(
          segments.some((segment) => segment === "" || segment === "." || segment === ".." || segment.includes("/")),
        ).toBe(false);
        expect(key.normalize("NFC")).toBe(key);
      }),
      search(2_000),
    );
  },
);

test("[LS2] other spellings of a name come to the same key", { timeout: 600_000 }, () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 6 }), (spelled) => {
      expect(nameKey(spelled.normalize("NFD"), false)).toBe(nameKey(spelled, false));
      const key = nameKey(spelled, true);
      expect(nameKey(key, true)).toBe(key);
      expect(nameKey(spelled.normalize("NFD"), true)).toBe(key);
      expect(nameKey(spelled.toLowerCase(), true)).toBe(key);
      expect(nameKey(spelled.toUpperCase(), true)).toBe(key);
    }),
    search(2_000),
  );
});

test("[LS2] every letter there is has one key for all its forms", () => {
  const wrong: string[] = [];
  for (let point = 0; point < 0x11_0000; point++) {
    if (point >= 0xd800 && point < 0xe000) continue;
    const letter = String.fromCodePoint(point);
    const key = nameKey(letter, true);
    const forms = [key, letter.toLowerCase(), letter.toUpperCase(), letter.normalize("NFD")];
    if (forms.some((form) => nameKey(form, true) !== key)) wrong.push(letter);
  }
  expect(wrong).toEqual([]);
});

test("[LS3] [LS4] conflicts are symmetric, and what covers also conflicts", { timeout: 600_000 }, () => {
  fc.assert(
    fc.property(any, any, any, (a, b, c) => {
      expect(conflicts(a, b)).toBe(conflicts(b, a));
      expect(!covers(a, b) || conflicts(a, b)).toBe(true);
      expect(!covers(a, b) || !covers(b, c) || covers(a, c)).toBe(true);
      expect(!covers(a, b) || !conflicts(b, c) || conflicts(a, c)).toBe(true);
      expect(conflicts(a, a)).toBe(true);
    }),
    search(2_000),
  );
});

test("[LS44] the index finds what a list finds, however entries come and go", { timeout: 600_000 }, () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(any, fc.nat(3)), { maxLength: 60, size: "max" }), any, (steps, asked) => {
      const index = new UnitIndex<{ readonly unit: Unit }>();
      const list: { readonly unit: Unit }[] = [];
      for (const [unit, choice] of steps) {
        if (choice === 0 && list.length > 0) {
          const [gone] = list.splice(unit.segments.length % list.length, 1);
          if (gone !== undefined) index.remove(gone);
        } else {
          const entry = { unit };
          index.add(entry);
          list.push(entry);
        }
        expect(index.size).toBe(list.length);
      }
      for (const unit of [asked, ...list.map((entry) => entry.unit)]) {
        expect(found(index.someConflict.bind(index), unit)).toEqual(
          new Set(list.filter((entry) => conflicts(entry.unit, unit))),
        );
        const above = list.filter(
          ({ unit: other }) => conflicts(other, unit) && other.segments.length <= unit.segments.length,
        );
        expect(found(index.someAbove.bind(index), unit)).toEqual(new Set(above));
        const same = list.filter(
          ({ unit: other }) => other.key === unit.key && (other.kind === "process") === (unit.kind === "process"),
        );
        expect(new Set(index.at(unit))).toEqual(new Set(same));
      }
    }),
    search(200),
  );
});

type Visit = (unit: Unit, visit: (entry: { readonly unit: Unit }) => boolean) => boolean;

function found(some: Visit, unit: Unit): Set<{ readonly unit: Unit }> {
  const entries = new Set<{ readonly unit: Unit }>();
  some(unit, (entry) => {
    entries.add(entry);
    return false;
  });
  return entries;
}
