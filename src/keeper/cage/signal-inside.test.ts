import { expect, test } from "vitest";
import { noCages } from "../../../test/support/keeper-rig.ts";
import { NumberedPlace } from "../../../test/support/numbered-place.ts";
import { lookAt } from "../os/processes.ts";
import { signalInside } from "./holder.ts";

test.skipIf(noCages)(
  "[EN26] whoever has the number of one that has ended is not signalled for it, in a cage either",
  async () => {
    const place = await NumberedPlace.open();
    try {
      const ours = await place.start();
      if (ours === undefined) throw new Error("nobody could be started");
      await ours.end();
      const stranger = await place.start(ours.whom.inner);
      expect(stranger?.whom.inner).toBe(ours.whom.inner);
      const living = await place.start();
      if (stranger === undefined || living === undefined) throw new Error("nobody could be started");
      // It was looked up before it ended; and once more with the stranger's own number outside, under the start of the other one.
      const old = { ...stranger.whom, startTicks: String(Number(stranger.whom.startTicks) - 1) };
      await signalInside(place.pid, "KILL", [ours.whom, old, living.whom]);
      await expect.poll(() => lookAt(living.whom.pid)).toBeUndefined();
      expect(lookAt(stranger.whom.pid)?.startTicks).toBe(stranger.whom.startTicks);
      await stranger.end();
    } finally {
      await place.close();
    }
  },
);
