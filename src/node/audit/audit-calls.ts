// What the places of agents that are gone have left running: the first process of their namespaces, and commands without a
// cage. Both are written down in the place's journal, by pid, start and boot, and by the mark that a command carries.

import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { readHanded } from "../handed-file.ts";
import { identifyWritten, type ProcessIdentity, type WrittenProcess } from "../supervisor/process-identity.ts";
import { endProcess, type Found, type Owners } from "./found.ts";
import { type MarkedProcess, startedAtMs } from "./marked-processes.ts";

/** What commands carry in their environment. */
export const callMarkName = "SIGNALBOX_CALL";

/** Of a note in a journal. */
const bytesMax = 1024 * 1024;

export type CallsGround = Owners & {
  /** Where the places of agents are. */
  readonly places: string;
  /** Whether the keeper of an agent lives. */
  readonly isKept: (agent: string) => boolean;
};

export async function auditCalls(ground: CallsGround, carriers: readonly MarkedProcess[]): Promise<Found[]> {
  const found: Found[] = [];
  for (const agent of namesIn(ground.places)) {
    if (ground.isKept(agent)) continue;
    const journal = join(ground.places, agent, "journal");
    found.push(...toHolder(agent, await writtenIn(journal, "holder.json")));
    if (!ground.keeps(agent)) found.push(...(await commandsOf(agent, journal, carriers)));
  }
  return found;
}

function toHolder(agent: string, identity: ProcessIdentity | undefined): Found[] {
  if (identity === undefined) return [];
  return [
    {
      kind: "namespace",
      what: `the namespaces of ${agent}, held by process ${identity.pid}`,
      sinceMs: startedAtMs(identity),
      why: `the journal of ${agent} names this process with its start and boot, and its keeper is gone`,
      advice: null,
      reap: {
        would: "end its first process, and the kernel everything in it",
        act: () => endProcess(identity, { gently: false }),
      },
    },
  ];
}

/** Commands without a cage are not the kernel's to end when their keeper dies. */
async function commandsOf(agent: string, journal: string, carriers: readonly MarkedProcess[]): Promise<Found[]> {
  const found: Found[] = [];
  for (const call of namesIn(join(journal, "calls"))) {
    const name = join("calls", call, "started");
    const started = (await readJson(journal, name)) as { mark?: string; caged?: boolean } | undefined;
    if (started?.caged !== false) continue;
    const leader = await writtenIn(journal, join("calls", call, "leader"));
    const own = carriers.filter(({ value }) => value === started.mark);
    const all = new Map([...own, ...(leader === undefined ? [] : [leader])].map((each) => [each.pid, each]));
    for (const identity of all.values())
      found.push({
        kind: "process",
        what: `process ${identity.pid} of ${agent}`,
        sinceMs: startedAtMs(identity),
        why: `it was started for the call ${call} of ${agent}, as its journal says, and nobody has that any more`,
        advice: null,
        reap: { would: "end it, first gently", act: () => endProcess(identity, { gently: true }) },
      });
  }
  return found;
}

/** The process that was written down in a journal, if it is still the same one. */
async function writtenIn(journal: string, name: string): Promise<ProcessIdentity | undefined> {
  const written = (await readJson(journal, name)) as WrittenProcess | undefined;
  return written === undefined ? undefined : identifyWritten(written, journal);
}

async function readJson(folder: string, name: string): Promise<unknown> {
  try {
    const handed = { file: join(folder, name), folder, under: dirname(name), bytesMax };
    return JSON.parse((await readHanded(handed)).toString("utf8")) as unknown;
  } catch {
    // Nothing that cannot be read proves anything.
    return undefined;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
