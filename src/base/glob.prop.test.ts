import fc from "fast-check";
import { expect, test } from "vitest";
import { search } from "../../test/support/search.ts";
import { matchesGlob } from "./glob.ts";

const part = fc.oneof(
  fc.constantFrom("**", "*", "?", "a", "b*", "*b", "a?c", "a**b", "🔒", "?*?"),
  fc.string({ unit: fc.constantFrom("a", "b", "*", "?", ".", "🔒"), maxLength: 4 }),
);
const pattern = fc
  .tuple(fc.array(part, { minLength: 1, maxLength: 4 }), fc.boolean())
  .map(([parts, all]) => parts.join("/") + (all ? "/" : ""));
const path = fc
  .array(fc.string({ unit: fc.constantFrom("a", "b", "c", ".", "🔒"), minLength: 1, maxLength: 4 }), { maxLength: 5 })
  .map((parts) => parts.join("/"));

/** The same as a regular expression: slow on hostile patterns, obvious on all. */
function slowly(glob: string, text: string): boolean {
  const full = glob.endsWith("/") ? `${glob}**` : glob;
  const name = (one: string): string =>
    Array.from(one)
      .map((char) => (char === "*" ? "[^/]*" : char === "?" ? "[^/]" : char.replaceAll(/[.\\^$+{}()|[\]]/g, "\\$&")))
      .join("");
  // Each part takes its name with a slash before it, so that `**` can take any number of them, also none.
  const parts = full.split("/").map((one) => (one === "**" ? "(?:/[^/]+)*" : `/${name(one)}`));
  return new RegExp(`^${parts.join("")}$`, "u").test(text === "" ? "" : `/${text}`);
}

test("patterns mean what the same regular expression means", { timeout: 600_000 }, () => {
  let hits = 0;
  fc.assert(
    fc.property(pattern, path, (glob, text) => {
      const expected = slowly(glob, text);
      if (expected) hits++;
      expect(matchesGlob(glob, text)).toBe(expected);
    }),
    search(5_000),
  );
  expect(hits).toBeGreaterThan(100);
});

test("a hostile pattern is answered at once", () => {
  expect(matchesGlob(`${"*a".repeat(100)}b`, "a".repeat(250))).toBe(false);
  expect(matchesGlob(`${"**/".repeat(100)}b`, `${"a/".repeat(120)}c`)).toBe(false);
});
