// The floor: processes that are spawned, and spawned again when they end, by a program that does nothing else.

import { fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { Herald } from "./herald.ts";
import type { SpawnOrder } from "./plain-spawn-process.ts";
import { endAll, Folk, mortalCount, type Supervisor } from "./supervisor.ts";

export async function startPlainSpawn(folder: string, count: number): Promise<Supervisor> {
  const folk = new Folk();
  const file = path.join(folder, "plain-herald");
  const herald = Herald.make(file);
  const child = fork(path.join(import.meta.dirname, "plain-spawn-process.ts"), { stdio: "inherit" });
  await once(child, "message");
  const spawn = (order: SpawnOrder): void => void child.send(order);
  spawn({ line: folk.line("mortal", file), count: mortalCount, again: true });
  await herald.until(mortalCount);
  return {
    ...{ herald, ...folk.above(() => [child.pid ?? -1]) },
    start: async () => spawn({ line: folk.line("crowd", file), count, again: false }),
    halt: async () => {
      endAll(folk.find("crowd"));
      await folk.gone();
    },
    mortals: () => folk.find("mortal"),
    stop: async () => {
      const gone = once(child, "exit");
      child.disconnect();
      await gone;
      endAll([...folk.find("crowd"), ...folk.find("mortal")]);
      herald.close();
    },
  };
}
