import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** How much more memory is held after something than before it, once all that nobody can reach is gone. */
export function heldBytes(act: () => void): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  const before = process.memoryUsage().heapUsed;
  act();
  collect();
  return process.memoryUsage().heapUsed - before;
}
