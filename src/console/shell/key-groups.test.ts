import { expect, test } from "vitest";
import { places } from "./address.ts";
import { groupsAt, keyGroups, keysOf, unnamedKeys } from "./key-groups.ts";

test("the keys of a row are single keys, also of a range", () => {
  expect(keysOf({ key: "Shift+J Home", label: "" })).toEqual(["Shift+J", "Home"]);
  expect(keysOf({ key: "1 – 3", label: "" })).toEqual(["1", "2", "3"]);
});

test("what is listened for at a place and no group there speaks of is found, also where one elsewhere does", () => {
  expect(unnamedKeys("section", ["J", "Shift+K", "Escape", "ArrowDown", "PageUp", "N"])).toEqual([]);
  expect(unnamedKeys("section", ["M", "N", "ArrowLeft", "Y"])).toEqual(["M", "←", "Y"]);
  expect(unnamedKeys("run", [" ", "<"])).toEqual([]);
});

test("no group is without a place or a title of its own, and no row says nothing", () => {
  expect(new Set(keyGroups.map(({ title }) => title)).size).toBe(keyGroups.length);
  expect(keyGroups.filter((group) => !places.some((place) => groupsAt(place).includes(group)))).toEqual([]);
  expect(keyGroups.flatMap(({ rows }) => rows).filter(({ key, label }) => key === "" || label === "")).toEqual([]);
});
