import { expect, test } from "vitest";
import { KeptHeads } from "./kept-heads.ts";

test("[EN24] long outputs share what the agent may have, and one that is forgotten gives its part back", () => {
  const heads = new KeptHeads({ mayKeep: (bytes, _folder, othersBytes) => bytes + othersBytes <= 100 });
  const [one, other] = ["one", "other"].map((call) => heads.roomOf(call, "/", { isCounted: true }));
  const assistant = heads.roomOf("assistant", "/", { isCounted: false });
  expect([one?.(40), one?.(60), other?.(50), other?.(40)]).toEqual([true, true, false, true]);
  // What the assistant's program says goes with it.
  expect([assistant(10), heads.roomOf("next", "/", { isCounted: true })(1)]).toEqual([false, false]);
  heads.forget("one");
  heads.forget("one");
  heads.forget("nobody");
  expect([assistant(60), other?.(100), other?.(101)]).toEqual([true, true, false]);
});
