import type { Heard } from "../../core/run/heard.ts";
import { isOfTheWorld } from "../is-of-the-world.ts";
import type { Artifacts } from "./artifacts.ts";

/** Puts what comes along with a report on disk, and answers what goes into the log. What the disk would not take, or there is no room for, is not named there. */
export async function keepHeard(
  artifacts: Artifacts,
  items: readonly Heard[],
  outputs: ReadonlyMap<string, string> = new Map(),
): Promise<readonly Heard[]> {
  const lost = new Set<string>();
  for (const [name, text] of outputs) {
    const isKept = await artifacts.keepOwn(name, text).catch((error: unknown) => {
      if (!isOfTheWorld(error)) throw error;
      return false;
    });
    if (!isKept) lost.add(name);
  }
  if (lost.size === 0) return items;
  return items.map((item) =>
    item.is === "result" && item.output !== null && lost.has(item.output) ? { ...item, output: null } : item,
  );
}
