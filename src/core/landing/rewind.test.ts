import { describe, expect, test } from "vitest";
import type { Result } from "../../base/result.ts";
import { answer, exact, file, lines } from "../../../test/support/landing-entries.ts";
import type { Entry } from "./entry.ts";
import { planRewind, type RewindPath, type RewindRefused, type Rewound, settleRewind } from "./rewind.ts";

const [one, two, three, four] = [file(lines("1")), file(lines("2")), file(lines("3")), file(lines("4"))];
type State = readonly [base: Entry, work: Entry];

describe("rewinding a path", () => {
  test("[LD34] that was clean then gets its present base: stale bytes under a new base would revert others", () => {
    expect(rewind({ p: { old: [one, one], now: [two, three] } })).toEqual(puts({ p: two }));
    expect(rewind({ p: { old: [null, null], now: [null, three] } })).toEqual(puts({ p: null }));
  });

  test("[LD34] that was dirty then, on the same base, gets the old work", () => {
    expect(rewind({ p: { old: [one, two], now: [one, three] } })).toEqual(puts({ p: two }));
    expect(rewind({ p: { old: [one, null], now: [one, three] } })).toEqual(puts({ p: null }));
    expect(rewind({ p: { old: [one, two], now: [one, two] } })).toEqual(puts({}));
  });

  test("[LD34] that was dirty then, on another base, is merged onto the present one", () => {
    const paths = { p: { old: [file(lines("abc")), file(lines("Abc"))], now: [file(lines("abC")), null] } } as const;
    expect(rewind(paths)).toEqual(puts({ p: file(lines("AbC")) }));
  });

  test("[LD34] stays as it is and is named when that conflicts", () => {
    expect(rewind({ p: { old: [one, two], now: [three, four] }, q: { old: [one, null], now: [three, four] } })).toEqual(
      {
        ok: true,
        value: {
          puts: [],
          conflicts: [
            { path: "p", base: one, ours: two, theirs: three, why: "touching" },
            { path: "q", base: one, ours: null, theirs: three, why: "removed" },
          ],
        },
      },
    );
  });

  test("[LD34] that is not covered is left", () => {
    expect(rewind({ p: { old: [one, two], now: [one, three], isCovered: false } })).toEqual(puts({}));
  });

  test("[LD34] a result that is no tree is refused whole", () => {
    const paths = {
      a: { old: [null, two], now: [null, null] },
      "a/x": { old: [null, null], now: [null, three], isCovered: false },
      b: { old: [one, two], now: [one, one] },
    } as const;
    expect(rewind(paths)).toEqual({
      ok: false,
      refusal: { code: "type-conflict", clashes: [{ kind: "file-and-folder", fresh: "a", other: "a/x" }] },
    });
    expect(rewind({ ...paths, "a/x": { ...paths["a/x"], isCovered: true } })).toEqual(
      puts({ a: two, "a/x": null, b: two }),
    );
  });
});

function rewind(
  paths: Readonly<Record<string, { old: State; now: State; isCovered?: boolean }>>,
): Result<Rewound, RewindRefused> {
  const steps = planRewind(
    Object.entries(paths).map(([path, { old, now, isCovered = true }]): RewindPath => ({
      path,
      old: { base: old[0], work: old[1] },
      now: { base: now[0], work: now[1] },
      isCovered,
    })),
  );
  return settleRewind(steps, answer(steps.filter((step) => step.kind === "merge")), exact);
}

function puts(works: Readonly<Record<string, Entry>>): Result<Rewound, RewindRefused> {
  return { ok: true, value: { puts: Object.entries(works).map(([path, work]) => ({ path, work })), conflicts: [] } };
}
