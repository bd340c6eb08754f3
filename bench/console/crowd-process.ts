// The daemon's faces over a crowd, in a process of its own: the browser is measured, and whoever measures is not in its way.

import path from "node:path";
import { openFaceWorld } from "../../test/support/faces/face-world.ts";
import { Crowd, type CrowdSize } from "./crowd.ts";
import { Bustle } from "./bustle.ts";
import type { Asked, Told } from "./messages.ts";

const beatMs = 5000;
const root = path.join(import.meta.dirname, "../..");
const { longCalls, ...size } = JSON.parse(process.argv[2] ?? "") as CrowdSize & { readonly longCalls: number };
const world = await openFaceWorld({ consoleFolder: path.join(root, "dist/console") });
const crowd = new Crowd(world.engine);
const beats = setInterval(() => void crowd.beat(), beatMs);
await crowd.gather(size);
const bustle = new Bustle(crowd);

process.on("message", (asked: Asked) => void answer(asked));
process.once("disconnect", () => void leave());
const [run = "", longRun = ""] = crowd.atWork;
for (let call = 0; call < longCalls; call++) await crowd.work(longRun);
const [agent = ""] = crowd.agents;
tell({ is: "ready", loginUrl: world.server.makeLoginLink().url, events: world.engine.state.seq, run, longRun, agent });

async function answer(asked: Asked): Promise<void> {
  switch (asked.do) {
    case "bustle":
      bustle.setRate(asked.eventsPerSecond);
      return tell({ is: "done", events: world.engine.state.seq });
    case "crowd": {
      const until = world.engine.state.seq + asked.events;
      await bustle.until(until);
      return tell({ is: "done", events: world.engine.state.seq });
    }
    default: {
      const before = world.engine.state.seq;
      const atMs = performance.timeOrigin + performance.now();
      if (asked.what === "agent") await crowd.flip(asked.id);
      else if (asked.what === "call") await crowd.work(asked.id);
      else await crowd.toggle(asked.id);
      return tell({ is: "touched", atMs, seq: before + 1 });
    }
  }
}

function tell(told: Told): void {
  process.send?.(told);
}

async function leave(): Promise<void> {
  bustle.setRate(0);
  clearInterval(beats);
  await world.close();
  process.exit(0);
}
