import { expect, test } from "vitest";
import { makeLease } from "../../../test/support/wire-samples.ts";
import { holdEndOf } from "./hold-end.ts";

test("[LS35] a hold ends when the first of its units goes to somebody who waits", () => {
  const leases = [
    makeLease("file:a", "r_1", { state: "hold", yieldsAtMs: 20 }),
    makeLease("file:b", "r_1", { state: "hold", yieldsAtMs: 10 }),
    makeLease("file:c", "r_2", { state: "hold", yieldsAtMs: 5 }),
    makeLease("file:d", "r_3"),
  ];
  expect(["r_1", "r_2", "r_3", "r_4"].map((run) => holdEndOf({ leases }, run))).toEqual([10, 5, null, null]);
});
