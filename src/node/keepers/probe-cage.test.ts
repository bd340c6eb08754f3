import { describe, expect, test } from "vitest";
import { asOf, noCages, whos } from "../../../test/support/keeper-rig.ts";
import { probeCage } from "./probe-cage.ts";

describe.skipIf(noCages).each(whos)("the parts of a cage, as %s", (who) => {
  test("each is tried, and what works needs no replacement", async () => {
    const parts = await probeCage({ as: asOf(who) });
    expect(parts.map(({ part }) => part)).toEqual(
      expect.arrayContaining(["namespaces", "overlay", "bwrap", "limits", "cage", "seccomp", "loopback", "egress"]),
    );
    const lacking = parts.filter(({ ok, needed }) => !ok && needed);
    expect(lacking.filter(({ part }) => part !== "overlay")).toEqual([]);
    for (const { ok, fallback } of parts) expect(fallback === null).toBe(ok);
  });
});
