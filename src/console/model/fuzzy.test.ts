import { expect, test } from "vitest";
import { fitOf } from "./fuzzy.ts";

const best = (typed: string, texts: readonly string[]): string | undefined =>
  texts
    .flatMap((text) => {
      const fit = fitOf(typed, text);
      return fit === undefined ? [] : [{ text, fit }];
    })
    .toSorted((a, b) => b.fit - a.fit)[0]?.text;

test.each([
  ["loc", "Locks"],
  ["lck", "Locks"],
  ["cache", "Cache the session lookup r_1a"],
  ["session r_1", "Cache the session lookup r_1a"],
  ["csl", "Cache the session lookup r_1a"],
  ["app", "file:src/app.ts"],
  ["dark", "Dark or light"],
])("%s finds %s", (typed, wanted) => {
  const texts = [
    "Locks",
    "Landing",
    "Cache the session lookup r_1a",
    "Mend the cart r_2b",
    "file:src/app.ts",
    "Dark or light",
  ];
  expect(best(typed, texts)).toBe(wanted);
});

test("nothing typed fits everything, and letters that are not there, or only by chance, nothing", () => {
  expect(fitOf("", "anything")).toBeDefined();
  expect(fitOf("xyz", "Cache the session lookup")).toBeUndefined();
  expect(fitOf("hko", "Cache the session lookup")).toBeUndefined();
  expect(fitOf("locks nowhere", "Locks")).toBeUndefined();
});
