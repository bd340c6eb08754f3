// What agents use and who is at their terminals, for the document of everything: as it was noted last, so that whoever reads it
// makes nobody look.

import { usableBy } from "../../core/agent/agent-limits.ts";
import type { Agent } from "../../core/agent/agent-state.ts";
import type { State } from "../../core/state.ts";
import type { Terminal } from "../../core/terminal/terminal-events.ts";
import type { UseHistory } from "../../node/usage/use-history.ts";
import { type StateDocument, stateLimits } from "../../protocol/wire/state.ts";

type InState = StateDocument["agents"]["items"][number];

/** What is known of now; nothing of it is in the log. */
export type Noted = {
  readonly seen: Pick<UseHistory, "read" | "shares">;
  readonly presentAt: (terminal: string) => readonly unknown[];
};

export function useIn(state: State, agent: Agent, { seen }: Noted): InState["use"] {
  const { fine, coarse } = seen.read(agent.id);
  const last = fine.at(-1);
  if (last === undefined) return null;
  // What takes the disk is looked at more seldom.
  const onDisk = (points: typeof fine): number | null =>
    points.findLast(({ diskBytes }) => diskBytes !== null)?.diskBytes ?? null;
  const { atMs, cpu, memoryBytes, processes, files } = last;
  const limits = usableBy(state, agent);
  const shares = seen.shares(agent.id);
  return {
    ...{ atMs, cpu, memoryBytes, processes, files, diskBytes: onDisk(fine) ?? onDisk(coarse) },
    limits: {
      cpu: limits?.cpu ?? null,
      memoryBytes: shares.memoryBytes ?? limits?.memoryBytes ?? null,
      processes: limits?.processes ?? null,
      diskBytes: limits?.diskBytes ?? shares.diskBytes,
    },
  };
}

/** Those that are open in its cage, also those of the run in it, the newest first. */
export function terminalsIn(open: readonly Terminal[], noted: Noted | undefined): InState["terminals"] {
  const items = open.slice(0, stateLimits.terminalsMax).map(({ id, window, by, keyboard }) => {
    const viewers = noted?.presentAt(id).length ?? null;
    return { id, window, by, keyboard: keyboard?.name ?? null, viewers };
  });
  return { total: open.length, items };
}

/** By the agent in whose cage they are. */
export function openTerminals({ terminals }: State): Map<string, Terminal[]> {
  const open = [...terminals.values()]
    .filter(({ ended, place }) => ended === null && place.agent !== null)
    .toReversed();
  return Map.groupBy(open, ({ place }) => place.agent?.id ?? "");
}
