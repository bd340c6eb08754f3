import fc from "fast-check";
import { expect, test } from "vitest";
import { land } from "../../../test/support/memory-workspace.ts";
import { MemoryMainline } from "../../adapters/git/memory-mainline.ts";
import { findTreeClashes } from "../../core/landing/candidate.ts";
import type { Entry } from "../../core/landing/entry.ts";
import { search } from "../../../test/support/search.ts";
import { namesNear } from "./names-near.ts";

const name = fc.constantFrom("a", "b", "A", "K", "\u212a", "\u00e9", "e\u0301");
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join("/"));
const entry = fc.constantFrom<Entry>("100644:x", null);

/** Paths of which none is both a file and a folder. */
function fitting(paths: readonly string[]): string[] {
  return paths.filter((each) => !paths.some((other) => other.startsWith(`${each}/`)));
}

test("[LD28] the names near a candidate's paths clash as all names of mainline would", async () => {
  const given = { there: fc.uniqueArray(path, { maxLength: 8 }), changed: fc.array(fc.tuple(path, entry)) };
  await fc.assert(
    fc.asyncProperty(fc.record(given), fc.boolean(), async ({ there, changed }, foldCase) => {
      const mainline = new MemoryMainline();
      const files = Object.fromEntries(fitting(there).map((each) => [each, "x"]));
      const head = await land(mainline, files);
      const replace = new Map(changed);
      const all = new Set((await mainline.listTree(head)).keys());
      const near = await namesNear(mainline, head, [...replace.keys()], { foldCase });
      const clashes = (paths: ReadonlySet<string>): unknown => findTreeClashes(replace, { paths, rule: { foldCase } });
      expect(clashes(near)).toEqual(clashes(all));
    }),
    search(200),
  );
});

test("[LD28] names far away are not even looked at", async () => {
  const mainline = new MemoryMainline();
  const far = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`far/${at}`, "x"]));
  const head = await land(mainline, { ...far, a: "file", "b/c": "x", "b/d": "x" });
  expect([...(await namesNear(mainline, head, ["a/x", "b", "new"], { foldCase: false }))]).toEqual(["a", "b/c", "b/d"]);
});
