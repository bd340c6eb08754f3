// The folders in which the daemon keeps its token, its secrets and its agents. No project is, holds or lies in one of them:
// whoever works on it could read what opens everything else (EN38).

import { realpath, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { Fault } from "../base/fault.ts";

/** Throws where a project at this folder would meet one of the daemon's own, whatever name leads to either. */
export async function mustBeApart(root: string, own: readonly string[]): Promise<void> {
  const [place, ...above] = await placesOf(root);
  if (place === undefined) return;
  if (above.length === 0) throw ours(`${root} is the whole machine, with everything of the daemon in it`);
  for (const folder of own) {
    const [home, ...around] = await placesOf(folder);
    if (home === undefined) continue;
    if (home === place) throw ours(`${root} is a folder of the daemon's own`);
    if (above.includes(home)) throw ours(`${root} lies in ${folder}, a folder of the daemon's own`);
    if (around.includes(place)) throw ours(`${root} has ${folder} in it, a folder of the daemon's own`);
  }
}

/** A folder and all above it, each by what the file system knows it by: the same whatever link or mount leads there. */
async function placesOf(folder: string): Promise<string[]> {
  const real = await realpath(folder).catch(() => undefined);
  const places: string[] = [];
  for (let at = real; at !== undefined; at = at === "/" ? undefined : dirname(at)) {
    const { dev, ino } = await stat(at);
    places.push(`${dev}:${ino}`);
  }
  return places;
}

function ours(message: string): Fault {
  return new Fault("own-folder", { retry: "never", message });
}
