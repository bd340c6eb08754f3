import { describe, expect, test } from "vitest";
import { LandingRig } from "../../../test/support/landing-rig.ts";
import { commitOn } from "../../../test/support/memory-workspace.ts";

describe("people's commits", () => {
  test("[LD48] are there for everybody who asks at once, also where somebody looks already; one more look is enough for all", async () => {
    const rig = await LandingRig.with({ a: "a" });
    const fetch = rig.mainline.fetchPersons.bind(rig.mainline);
    const { promise: gate, resolve: open } = Promise.withResolvers<undefined>();
    let looks = 0;
    rig.mainline.fetchPersons = async () => {
      const seen = await fetch();
      if (looks++ === 0) await gate;
      return seen;
    };
    const first = rig.lander.bring(rig.project);
    await expect.poll(() => looks).toBe(1);
    // Committed while somebody looks who will not have seen it.
    const to = await commitOn(rig.mainline, await rig.mainline.head(), { b: "by hand" });
    rig.mainline.person.tip = to;
    const others = [1, 2, 3].map(async () => {
      await rig.lander.bring(rig.project);
      return rig.mainline.head();
    });
    open(undefined);
    await first;
    expect(await Promise.all(others)).toEqual([to, to, to]);
    expect(looks).toBe(2);
  });

  test("[LD48] are not waited for behind a landing, which may take long and has looked itself", async () => {
    const rig = await LandingRig.with({ a: "a" });
    const run = await rig.finished({ a: "A" });
    const { promise: gate, resolve: open } = Promise.withResolvers<undefined>();
    rig.beforeReport = async ({ type }) => {
      if (type === "landing.intend") await gate;
    };
    const landing = rig.lander.land(rig.act(run));
    await rig.lander.bring(rig.project);
    expect(rig.landed).toEqual([]);
    open(undefined);
    await landing;
    expect(rig.landed).toEqual([run]);
  });
});
