// What services have of the disk for themselves: the folders that stay of those with an image of their own. Of everything else
// in an agent nobody can tell whose it is (AU32).

import { join } from "node:path";
import type { Agent } from "../../core/agent/agent-state.ts";
import type { GroundDisk } from "../disk/ground-disk.ts";
import { serviceDataOf } from "../workspace/image-pins.ts";

/** As what a service is asked for among those of all agents. */
export function dataKey(agent: string, service: string): string {
  return `${agent}/${service}`;
}

/** By agent and service; who has nothing of its own is left out. */
export async function dataOnDisk(
  disk: Pick<GroundDisk, "measure">,
  agents: readonly Pick<Agent, "id" | "services">[],
  folder: string,
): Promise<ReadonlyMap<string, number>> {
  const all = agents.flatMap(({ id, services }) =>
    [...services.values()].flatMap(({ spec: { name, image } }): [string, string][] =>
      image === undefined ? [] : [[serviceDataOf(join(folder, id), name), dataKey(id, name)]],
    ),
  );
  const keys = new Map(all);
  const sizes = all.length === 0 ? [] : await disk.measure([...keys.keys()]);
  return new Map([...sizes].map(([path, bytes]) => [keys.get(path) ?? "", bytes]));
}
