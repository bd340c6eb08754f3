import { expect, test } from "vitest";
import { RepeatedNoes, tellingNoes } from "./repeated-noes.ts";

let nowMs = 0;

const refused = (noes: RepeatedNoes, same: string | undefined, status: number | null): void => {
  for (let at = 0; at < tellingNoes; at++) noes.note("r_1", same, status);
};

test.each([429, 500, 529, null])(
  "[RN32] a request that is refused with %s again and again is asked no more",
  (status) => {
    const noes = new RepeatedNoes(() => nowMs);
    refused(noes, "one", status);
    expect([noes.areEnough("r_1", "one"), noes.areEnough("r_1", "other"), noes.areEnough("r_2", "one")]).toEqual([
      true,
      false,
      false,
    ]);
    nowMs += 60_000;
    expect(noes.areEnough("r_1", "one")).toBe(false);
    refused(noes, "one", status);
    noes.forget("r_1");
    expect(noes.areEnough("r_1", "one")).toBe(false);
  },
);

test("[RN32] what goes well in between, what cannot be told apart, and other errors do not count", () => {
  const noes = new RepeatedNoes(() => nowMs);
  refused(noes, "one", 503);
  noes.note("r_1", "other", 200);
  refused(noes, undefined, 503);
  refused(noes, "two", 400);
  expect(["one", "two", undefined].map((same) => noes.areEnough("r_1", same))).toEqual([false, false, false]);
});

test("[RN32] only the newest requests of a run are remembered", () => {
  const noes = new RepeatedNoes(() => nowMs);
  refused(noes, "old", 503);
  for (let at = 0; at < 64; at++) noes.note("r_1", `new ${at}`, 503);
  expect(noes.areEnough("r_1", "old")).toBe(false);
});
