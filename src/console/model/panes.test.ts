import { describe, expect, test } from "vitest";
import {
  fitSizes,
  leaveAt,
  moveBorder,
  parsePanes,
  renew,
  showAt,
  splitAt,
  toPanesText,
  viewKey,
  windowOfView,
} from "./panes.ts";

const side = (...keys: string[]) => ({ way: "side", keys }) as const;

describe("panes", () => {
  test("are a part of the address, and what is none is left out", () => {
    const panes = { way: "stack", keys: ["te_1a", "v.web"] } as const;
    expect(parsePanes(toPanesText(panes))).toEqual(panes);
    expect(parsePanes("side~te_1,te_1,<b>,v.web.2,te_2,te_3,te_4")).toEqual(side("te_1", "v.web.2", "te_2", "te_3"));
    for (const bad of [null, "", "side~", "over~te_1", "side~te_1~te_2", "te_1"]) expect(parsePanes(bad)).toBe(null);
    expect([windowOfView(viewKey("web")), windowOfView("te_1")]).toEqual(["web", null]);
  });

  test("show each window once, where one wants it", () => {
    expect(showAt(null, 0, "te_1")).toEqual(side("te_1"));
    expect(showAt(side("te_1", "te_2"), 1, "te_3")).toEqual(side("te_1", "te_3"));
    expect(showAt(side("te_1", "te_2"), 1, "te_1")).toEqual(side("te_1", "te_2"));
    expect(splitAt(side("te_1", "te_2"), 0, "v.web", "stack")).toEqual({
      way: "stack",
      keys: ["te_1", "v.web", "te_2"],
    });
    expect(splitAt(side("te_1", "te_2", "te_3", "te_4"), 3, "te_5", "side")).toEqual(
      side("te_1", "te_2", "te_3", "te_5"),
    );
    expect(splitAt(null, 0, "te_1", "stack")).toEqual({ way: "stack", keys: ["te_1"] });
    expect(leaveAt(side("te_1", "te_2"), 0)).toEqual(side("te_2"));
    expect(leaveAt(side("te_1"), 0)).toBe(null);
    expect(renew(side("te_1", "te_2"), "te_1", "te_9")).toEqual(side("te_9", "te_2"));
  });

  test("have sizes that add up, and none too small to use", () => {
    expect(fitSizes([], 2)).toEqual([0.5, 0.5]);
    expect(fitSizes([0.7, 0.3], 2)).toEqual([0.7, 0.3]);
    const moved = moveBorder([0.5, 0.5], 0, 0.2);
    expect(moved.map((size) => size.toFixed(2))).toEqual(["0.70", "0.30"]);
    expect(moveBorder([0.5, 0.5], 0, 0.9).map((size) => size.toFixed(2))).toEqual(["0.85", "0.15"]);
    expect(moveBorder([0.5, 0.5], 0, -0.9).map((size) => size.toFixed(2))).toEqual(["0.15", "0.85"]);
  });
});
