// Looks for everything on this machine that is ours and has no owner any more, and takes it away where somebody says so.
// What is ours is proven, by records, marks, control groups and folders of this home, and never guessed from a name: another
// home's daemon has other ones, and nothing of its is ever found here.

import { join } from "node:path";
import { isOver } from "../../core/run/run-states.ts";
import type { State } from "../../core/state.ts";
import { findingKinds, type Finding, type ReapReport } from "../../protocol/wire/audit.ts";
import type { Images } from "../images/images.ts";
import { keeperMarkName } from "../keepers/keeper-mark.ts";
import { identityOf, type KeeperPool, namesIn, readRecord } from "../keepers/keeper-pool.ts";
import type { Keepers } from "../workspace/keepers.ts";
import type { Workspaces } from "../workspace/workspaces.ts";
import { auditCalls, callMarkName } from "./audit-calls.ts";
import { auditFiles } from "./audit-files.ts";
import { auditKeepers } from "./audit-keepers.ts";
import { auditMounts, foldersWithOwners } from "./audit-mounts.ts";
import { auditPorts } from "./audit-ports.ts";
import { type Found, keyOf, type Owners } from "./found.ts";
import { markedProcesses } from "./marked-processes.ts";

export type AuditOptions = {
  /** Where agents live, and where the node has what it keeps itself. */
  readonly ground: string;
  readonly node: string;
  readonly pool: Pick<KeeperPool, "folder" | "mark" | "groupPrefix" | "discard" | "tidy">;
  readonly keepers: Pick<Keepers, "end">;
  readonly workspaces: Pick<Workspaces, "list" | "remove" | "isUntouched" | "isOpen" | "kept" | "done">;
  readonly images: Pick<Images, "leftContainers">;
  readonly state: () => State;
  /** Resolves when what is just being ended is gone, or after so long, with those that are not. */
  readonly settled: (patienceMs: number) => Promise<ReadonlySet<string>>;
  readonly startedAtMs: number;
};

export type Reaped = ReapReport["findings"][number];

const graceMs = 2000;
/** What is being ended takes a grace and a moment; what takes longer may take for ever, and whoever asks wants an answer. */
const patienceMs = 10_000;

export class Audit {
  readonly #options: AuditOptions;
  /** One look at a time: two would take the same things away. */
  #line: Promise<unknown> = Promise.resolve();

  constructor(options: AuditOptions) {
    this.#options = options;
  }

  look(): Promise<Finding[]> {
    return this.#inLine(async () => (await this.#find()).map(toFinding));
  }

  /** Takes away what can be of what may go, and says of each what became of it. */
  reap(mayGo: (finding: Finding) => boolean = () => true): Promise<Reaped[]> {
    return this.#inLine(async () => {
      const reaped: Reaped[] = [];
      for (const found of await this.#find())
        reaped.push(mayGo(toFinding(found)) ? await reapOne(found) : { ...toFinding(found), done: null, failed: null });
      return reaped;
    });
  }

  /** What is on its way from one state to the next is there once, and what is left is there twice. */
  async #find(): Promise<Found[]> {
    const first = await this.#all(new Set());
    const ending = await this.#options.settled(patienceMs);
    if (first.length === 0) return [...ending].map(toEnding);
    // Whoever waited for an agent and went with a daemon that was killed never had anything: nobody need hear of it.
    this.#options.pool.tidy();
    const again = new Set((await this.#all(ending)).map(keyOf));
    const found = first.filter((each) => again.has(keyOf(each)));
    return [...found, ...[...ending].map(toEnding)].toSorted(
      (a, b) => findingKinds.indexOf(a.kind) - findingKinds.indexOf(b.kind),
    );
  }

  /** Whoever is still being ended has what is theirs until then. */
  async #all(ending: ReadonlySet<string>): Promise<Found[]> {
    const { ground, node, pool, keepers, workspaces, images, state, startedAtMs } = this.#options;
    const owners = this.#owners(ending);
    const carriers = await markedProcesses([keeperMarkName, callMarkName]);
    const end = (agent: string): Promise<void> => keepers.end(agent, graceMs);
    const kept = livingKeepers(pool.folder);
    const isKept = (agent: string): boolean => kept.agents.has(agent);
    const isKeeper = (name: string): boolean => kept.names.has(name);
    return [
      ...(await auditKeepers({ ...owners, pool, end }, carriers.get(keeperMarkName) ?? [])),
      ...(await auditCalls({ ...owners, places: join(ground, "agents"), isKept }, carriers.get(callMarkName) ?? [])),
      ...(await images.leftContainers()).map(toContainer),
      ...(await auditMounts({ owned: foldersWithOwners(ground, { owns: owners.owns, isKeeper }) })),
      ...(await auditPorts(state().agents.values(), isKept)),
      ...(await auditFiles({ ...owners, ground, node, state, workspaces, startedAtMs })),
    ];
  }

  #owners(ending: ReadonlySet<string>): Owners {
    const { state, workspaces } = this.#options;
    const isHeld = (id: string): boolean => ending.has(id) || workspaces.isOpen(id);
    const hasRun = (id: string): boolean => {
      const run = state().runs.get(id);
      return run !== undefined && !(isOver(run.state) && run.stopped);
    };
    return {
      owns: (id) => isHeld(id) || state().agents.has(id) || hasRun(id),
      keeps: (id) => isHeld(id) || (state().agents.get(id)?.state ?? "stopped") !== "stopped" || hasRun(id),
    };
  }

  #inLine<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.#line.then(act);
    this.#line = turn.catch(() => undefined);
    return turn;
  }
}

function livingKeepers(folder: string): { readonly names: ReadonlySet<string>; readonly agents: ReadonlySet<string> } {
  const records = namesIn(folder).map((name) => ({ name, record: readRecord(join(folder, name)) }));
  const living = records.filter(({ name, record }) => identityOf(join(folder, name), record) !== undefined);
  return {
    names: new Set(living.map(({ name }) => name)),
    agents: new Set(living.flatMap(({ record }) => record?.agent ?? [])),
  };
}

function toContainer({ id, tool, remove }: Awaited<ReturnType<Images["leftContainers"]>>[number]): Found {
  return {
    kind: "container",
    what: `${id} of ${tool}`,
    sinceMs: null,
    why: "it has this home's label: the files of an image were to be read out of it, and nobody does any more",
    advice: null,
    reap: {
      would: "remove it",
      act: async () => {
        await remove();
        return "it was removed";
      },
    },
  };
}

function toEnding(id: string): Found {
  return {
    kind: "ending",
    what: id,
    sinceMs: null,
    why: `${id} is still being ended, so what is left of it was not looked at`,
    advice: "signalbox inbox says what its end waits for; look again when it is over",
    reap: null,
  };
}

function toFinding({ kind, what, sinceMs, why, advice, reap }: Found): Finding {
  return { kind, what, sinceMs, why, would: reap?.would ?? null, advice };
}

async function reapOne(found: Found): Promise<Reaped> {
  const finding = toFinding(found);
  if (found.reap === null) return { ...finding, done: null, failed: null };
  try {
    return { ...finding, done: await found.reap.act(), failed: null };
  } catch (error) {
    return { ...finding, done: null, failed: error instanceof Error ? error.message : String(error) };
  }
}
