// Keepers that nobody has any more, and what is left of them: processes, control groups and folders. A keeper is ours by its
// record, which names pid, start and boot; by its environment, which carries the mark of this home; or by its control group.

import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { groupsLike, pidsInGroup, removeFolder } from "../keepers/keeper-groups.ts";
import { ageMsOf, identityOf, type KeeperPool, namesIn, readRecord, startMsMax } from "../keepers/keeper-pool.ts";
import { identify, type ProcessIdentity } from "../supervisor/process-identity.ts";
import { endProcess, type Found, type Owners } from "./found.ts";
import { type MarkedProcess, startedAtMs } from "./marked-processes.ts";

export type KeepersGround = Owners & {
  readonly pool: Pick<KeeperPool, "folder" | "mark" | "groupPrefix" | "discard">;
  /** Ends the keeper of an agent and everything in it, and proves it. */
  readonly end: (agent: string) => Promise<void>;
};

type Left = {
  readonly name: string;
  readonly folder: string;
  readonly keeper: ProcessIdentity | undefined;
  readonly agent: string | null;
  readonly marked: readonly MarkedProcess[];
  readonly groups: readonly string[];
};

/** What a process says of itself becomes part of a path: it may not lead out of the folder of keepers. */
const namePattern = /^k[0-9a-z]+$/;

export async function auditKeepers(ground: KeepersGround, carriers: readonly MarkedProcess[]): Promise<Found[]> {
  const { pool } = ground;
  const nameOf = ({ value }: MarkedProcess): string => value.slice(pool.mark.length + 1);
  const isOwn = (carrier: MarkedProcess): boolean =>
    carrier.value.startsWith(`${pool.mark}/`) && namePattern.test(nameOf(carrier));
  const own = carriers.filter(isOwn);
  const groups = await groupsLike(pool.groupPrefix);
  const grouped = [...groups.keys()].map((name) => name.slice(pool.groupPrefix.length));
  const names = new Set([...namesIn(pool.folder), ...own.map(nameOf), ...grouped]);
  return [...names].toSorted().flatMap((name) => {
    const folder = join(pool.folder, name);
    const record = readRecord(folder);
    const left: Left = {
      ...{ name, folder, keeper: identityOf(folder, record), agent: record?.agent ?? null },
      marked: own.filter((process) => nameOf(process) === name),
      groups: groups.get(pool.groupPrefix + name) ?? [],
    };
    if (record === undefined) return isComing(left) ? [] : leftOf(ground, left);
    // One that waits goes with the daemon that started it; what is left of one whose agent is there, the next one takes over.
    const isWanted = record.agent === null ? left.keeper !== undefined : ground.keeps(record.agent);
    return isWanted ? [] : leftOf(ground, left);
  });
}

/** Whether one that was only just started has not said yet who it is. */
function isComing({ folder, marked }: Left): boolean {
  const isYoung = (process: MarkedProcess): boolean => Date.now() - startedAtMs(process) < startMsMax;
  return existsSync(folder) && (marked.some(isYoung) || ageMsOf(folder) < startMsMax);
}

function leftOf(ground: KeepersGround, left: Left): Found[] {
  return [...keeperOf(ground, left), ...processesOf(left), ...left.groups.map(toGroup), ...folderOf(ground, left)];
}

function keeperOf({ end }: KeepersGround, { keeper, agent, name }: Left): Found[] {
  if (keeper === undefined || agent === null) return [];
  return [
    {
      kind: "keeper",
      what: `${name}, process ${keeper.pid}, of ${agent}`,
      sinceMs: startedAtMs(keeper),
      why: `its record names this process with its start and boot, and nothing of ${agent} is meant to run`,
      advice: null,
      reap: {
        would: "end it with everything in its cage",
        act: async () => {
          await end(agent);
          return "it has ended, and everything in its cage with it";
        },
      },
    },
  ];
}

function processesOf({ name, keeper, marked, groups }: Left): Found[] {
  const whys = new Map<number, string>();
  for (const folder of groups)
    for (const pid of pidsInGroup(folder)) whys.set(pid, `it is in the control group of ${name}`);
  for (const { pid } of marked) whys.set(pid, `it was started with the mark of this home, as ${name}`);
  if (keeper !== undefined) whys.delete(keeper.pid);
  const leads = new Set(marked.filter(({ parent }) => !whys.has(parent)).map(({ pid }) => pid));
  return [...whys].flatMap(([pid, why]) => {
    const identity = identify(pid);
    if (identity === undefined) return [];
    const isKeeper = leads.has(pid) && keeper === undefined;
    return [
      {
        kind: isKeeper ? "keeper" : "process",
        what: isKeeper ? `${name}, process ${pid}` : `process ${pid} of ${name}`,
        sinceMs: startedAtMs(identity),
        why: isKeeper ? `${why}, and no record leads to it: nobody can reach it` : `${why}, whom nobody has any more`,
        advice: null,
        reap: { would: "end it, first gently", act: () => endProcess(identity, { gently: true }) },
      } satisfies Found,
    ];
  });
}

function toGroup(folder: string): Found {
  return {
    kind: "cgroup",
    what: folder,
    sinceMs: statSync(folder, { throwIfNoEntry: false })?.ctimeMs ?? null,
    why: "it is named after this home's keepers, and there is no such keeper",
    advice: null,
    reap: {
      would: "remove it",
      act: async () => {
        removeFolder(folder);
        if (!existsSync(folder)) return "it was removed";
        const inside = pidsInGroup(folder).join(", ");
        throw new Error(inside === "" ? "the kernel keeps it" : `in it: ${inside}`);
      },
    },
  };
}

function folderOf({ pool }: KeepersGround, { folder, agent }: Left): Found[] {
  if (!existsSync(folder)) return [];
  return [
    {
      kind: "files",
      what: folder,
      sinceMs: statSync(folder, { throwIfNoEntry: false })?.ctimeMs ?? null,
      why: `a keeper of ours had its socket there${agent === null ? "" : ` for ${agent}`}, and nobody asks for it`,
      advice: null,
      reap: {
        would: "remove it",
        act: async () => {
          pool.discard(folder);
          return "it was removed";
        },
      },
    },
  ];
}
