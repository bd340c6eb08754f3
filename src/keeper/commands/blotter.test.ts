import { expect, test } from "vitest";
import { Blotter } from "./blotter.ts";

const said = (values: readonly string[], parts: readonly string[]): string => {
  const blotter = new Blotter(new Set(values));
  return [...parts.map((part) => blotter.pass(Buffer.from(part))), blotter.rest()].map(String).join("");
};

test("[AW2] a value is blotted out wherever what is said is cut, and nothing else moves", () => {
  const text = "key=open-sesame; open-sesam is not it, open-sesameopen-sesame is twice";
  const wanted = "key=***********; open-sesam is not it, ********************** is twice";
  for (let at = 0; at <= text.length; at++)
    expect(said(["open-sesame"], [text.slice(0, at), text.slice(at)])).toBe(wanted);
  expect(said(["open-sesame"], text.split(""))).toBe(wanted);
});

test("[AW2] values that overlap or lie in each other leave no part of themselves", () => {
  expect(said(["abcdefgh", "efghijkl"], ["abcdefghijkl"])).toBe("************");
  expect(said(["abcdefgh", "efghijkl"], ["abcdefgh", "ijkl"])).toBe("************");
  expect(said(["abcdefgh", "efghijkl"], ["abcdefgh", "-"])).toBe("********-");
  expect(said(["aaaaaaaa"], ["aaaaaaaaaa-"])).toBe("**********-");
  expect(said(["bcdefghi", "abcdefghijkl"], ["abcd", "efghi-x"])).toBe("a********-x");
});

test("[AW2] a value is blotted out also where it is spelled otherwise", () => {
  const value = "open/sesame+";
  const spellings = [String.raw`open\/sesame\u002b`, "open%2fsesame%2B", "&#111;pen&sol;sesame&plus;"];
  const base64 = Buffer.from(value).toString("base64");
  const wrapped = `${base64.slice(0, 8)}\n${base64.slice(8)}`;
  for (const text of [...spellings, wrapped, Buffer.from(value).toString("hex")])
    expect(said([value], [`a ${text} z`])).toBe(`a ${"*".repeat(text.length)} z`);
});

test("[AW2] without a value nothing is held back, and one that is told later counts from then on", () => {
  const values = new Set<string>();
  const blotter = new Blotter(values);
  const bytes = Buffer.from("plain");
  expect(blotter.pass(bytes)).toBe(bytes);
  values.add("open-sesame");
  expect(String(blotter.pass(Buffer.from("open-sesame\n")))).toBe("***********\n");
});
