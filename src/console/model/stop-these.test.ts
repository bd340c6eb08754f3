import { expect, test } from "vitest";
import { protocolError } from "../../protocol/errors.ts";
import { stopEach, toStopCommand } from "./stop-these.ts";

test("the command names the runs that were shown, and no tag that others may carry by then", () => {
  expect(toStopCommand(["r_1", "r_2"])).toBe("signalbox stop r_1 r_2");
});

test("one that is refused in the middle keeps no other from being stopped, and all of them are counted", async () => {
  const asked: string[] = [];
  const { ended, over, kept } = await stopEach(["r_1", "r_2", "r_3", "r_4", "r_5"], async (run) => {
    asked.push(run);
    if (run === "r_2") throw new Error("the disk is full");
    // It has gone along with the first one.
    if (run === "r_3") throw Object.assign(new Error("is over"), { code: "wrong-state" });
    if (run === "r_4") throw protocolError("not-found", { what: "run", id: run });
    return run === "r_1" ? ["r_1", "r_3"] : [run];
  });
  expect(asked).toEqual(["r_1", "r_2", "r_3", "r_4", "r_5"]);
  expect([...ended]).toEqual(["r_1", "r_3", "r_5"]);
  expect(over).toEqual(["r_4"]);
  expect(kept).toEqual([{ run: "r_2", why: "the disk is full" }]);
});
