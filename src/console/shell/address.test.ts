import { expect, test } from "vitest";
import { parseAddress, toHref } from "./address.ts";

const at = (path: string) => parseAddress(new URL(path, "http://127.0.0.1:4180"));

test("an address says what is seen, and back again", () => {
  const address = at("/locks?project=track&signal=wait&find=a%26b&run=r_1");
  expect(address).toEqual({ place: "locks", project: "track", tone: "wait", find: "a&b", run: "r_1" });
  expect(at(toHref(address))).toEqual(address);
});

test("what it does not know it leaves out", () => {
  expect(toHref(at("/nowhere?signal=purple"))).toBe("/");
});
