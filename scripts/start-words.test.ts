import { expect, test } from "vitest";
import { toUpWords } from "./start-words.ts";

const desk = { env: { DISPLAY: ":0" }, isTerminal: true, platform: "linux" } as const;

test.each([
  ["at a desk", {}],
  ["under Wayland", { env: { WAYLAND_DISPLAY: "wayland-0" } }],
  ["on a Mac", { env: {}, platform: "darwin" }],
] as const)("npm start opens the console %s", (_, more) => {
  expect(toUpWords(["--port", "0"], { ...desk, ...more })).toEqual(["--port", "0", "--open"]);
});

test.each([
  ["without a desktop", { env: {} }],
  ["whose output goes into a file", { isTerminal: false }],
  ["over SSH", { env: { ...desk.env, SSH_CONNECTION: "here there" } }],
  ["in CI", { env: { ...desk.env, CI: "true" } }],
] as const)("npm start opens nothing for somebody %s", (_, more) => {
  expect(toUpWords([], { ...desk, ...more })).toEqual([]);
});

test("whoever says where the link goes is heard, and only what up knows gets to it", () => {
  const said = [["--no-open"], ["--open"], ["--json"], ["--watch"], ["--watch", "--open"]];
  expect(said.map((words) => toUpWords(words, desk))).toEqual([[], ["--open"], ["--json"], [], ["--open"]]);
});
