// What tortures share: a real daemon on a real repository, kills of whatever belongs to it, and the log at the end.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Prng } from "../../../src/base/prng.ts";
import type { Client } from "../../../src/client/client.ts";
import type { Logged } from "../../../src/core/events.ts";
import { usualBounds } from "../../../src/node/workspace/done-places.ts";
import { identify, signalProcess } from "../../../src/node/supervisor/process-identity.ts";
import { ProtocolError } from "../../../src/protocol/errors.ts";
import { homePaths } from "../../../src/protocol/home.ts";
import { keeperRecordName, type KeeperRecord } from "../../../src/protocol/keeper/keeper-command.ts";
import type { InputOf, OperationName, OutputOf } from "../../../src/protocol/operations.ts";
import type { Run } from "../../../src/protocol/wire/run.ts";
import { DaemonProcess } from "../../support/daemon-process.ts";
import { processesWith } from "../../support/processes-with.ts";
import { SampleProject } from "../../support/sample-project.ts";

const lookEveryMs = 200;
/** How long something of a run may still be there after its end (I28). */
const goneMsMax = 20_000;
/** Where many end at once, they wait for each other. */
const goneMsEach = 300;

export class TortureRig {
  readonly daemon: DaemonProcess;
  readonly sample: SampleProject;
  /** Stands in every command that is run, so that whatever is left of them can be found. */
  readonly mark: string;
  #client: Client | undefined;

  private constructor(daemon: DaemonProcess, sample: SampleProject, mark: string) {
    this.daemon = daemon;
    this.sample = sample;
    this.mark = mark;
  }

  static async open(files: Readonly<Record<string, string>>, mark: string): Promise<TortureRig> {
    const sample = new SampleProject(files);
    return new TortureRig(await DaemonProcess.start(), sample, mark);
  }

  /** Asks the daemon; where it dies meanwhile, the next one. What is asked for can be asked for twice. */
  async ask<Name extends OperationName>(name: Name, input: InputOf<Name>): Promise<OutputOf<Name>> {
    for (;;) {
      try {
        this.#client ??= await this.daemon.connect();
        return await this.#client.call(name, input);
      } catch (error) {
        if (!isGone(error)) throw error;
        this.#client = undefined;
        await sleep(20);
        await this.daemon.whenUp();
      }
    }
  }

  async killDaemon(): Promise<void> {
    await this.daemon.kill();
    this.#client = undefined;
    await this.daemon.up();
  }

  /** Kills the keeper of some agent. False where there is none. */
  killKeeper(chance: Prng): boolean {
    const keepers = this.keepers().filter(({ agent }) => agent !== null);
    return keepers.length > 0 && kill(chance.pick(keepers).pid);
  }

  /** Kills a process of some command. False where there is none. */
  killCommand(chance: Prng): boolean {
    const pids = this.#commands();
    return pids.length > 0 && kill(chance.pick(pids));
  }

  /** The keepers that live. */
  keepers(): KeeperRecord[] {
    return this.#namesIn("keepers").flatMap((name) => {
      const record = readRecord(join(homePaths(this.daemon.home).node, "keepers", name, keeperRecordName));
      return record !== undefined && identify(record.pid)?.startTicks === record.startTicks ? [record] : [];
    });
  }

  /** Looks at all runs every now and then, until none of them has anything left to do. */
  async untilOver(runs: readonly string[], look: (active: readonly Run[]) => Promise<void>): Promise<void> {
    const wanted = new Set(runs);
    for (;;) {
      const { runs: active } = await this.ask("run.list", { active: true, limit: 500 });
      const left = active.filter(({ id }) => wanted.has(id));
      if (left.length === 0) return;
      await look(left);
      await sleep(lookEveryMs);
    }
  }

  async log(): Promise<Logged[]> {
    const found: Logged[] = [];
    for (;;) {
      const { events } = await this.ask("events.read", { after: found.at(-1)?.seq ?? 0, limit: 500 });
      if (events.length === 0) return found;
      found.push(...(events as unknown as Logged[]));
    }
  }

  /**
   * What there still is of runs that are over: processes, keepers, and workspaces but for those that are kept for whoever continues
   * a run that is done (RN16). It has a while to go.
   */
  async leftovers(agents = 0): Promise<string[]> {
    const untilMs = performance.now() + goneMsMax + agents * goneMsEach;
    for (;;) {
      const left = [
        ...this.#commands().map((pid) => `process ${pid}`),
        ...this.keepers().flatMap(({ agent, pid }) => (agent === null ? [] : `keeper ${pid} of ${agent}`)),
        ...(await this.#placesLeft()).map((agent) => `workspace of ${agent}`),
      ];
      if (left.length === 0 || performance.now() > untilMs) return left;
      await sleep(lookEveryMs);
    }
  }

  async #placesLeft(): Promise<string[]> {
    const names = this.#namesIn("agents");
    const { runs } = await this.ask("run.list", { state: ["done"], limit: 500 });
    const done = new Set(runs.map(({ id }) => id));
    const kept = names.filter((name) => done.has(name));
    return [...names.filter((name) => !done.has(name)), ...kept.slice(usualBounds.placesMax)];
  }

  async close(): Promise<void> {
    await this.daemon.remove();
    this.sample.remove();
  }

  /** Processes of commands, whatever they have become. */
  #commands(): number[] {
    return processesWith(this.mark).filter((pid) => pid !== this.daemon.pid);
  }

  #namesIn(folder: string): string[] {
    try {
      return readdirSync(join(homePaths(this.daemon.home).node, folder));
    } catch {
      return [];
    }
  }
}

/** Kills one thing after the other until it is told to stop; says what it has killed. */
export async function killAtRandom(
  rig: TortureRig,
  chance: Prng,
  how: { readonly kills: number; readonly pauseMs: readonly [number, number]; readonly signal: AbortSignal },
): Promise<Record<"daemon" | "keeper" | "command", number>> {
  const killed = { daemon: 0, keeper: 0, command: 0 };
  while (killed.daemon + killed.keeper + killed.command < how.kills) {
    await sleep(chance.between(...how.pauseMs));
    if (how.signal.aborted) break;
    const what = chance.pick(["daemon", "keeper", "command", "command"] as const);
    if (what === "daemon") await rig.killDaemon();
    else if (!(what === "keeper" ? rig.killKeeper(chance) : rig.killCommand(chance))) continue;
    killed[what]++;
  }
  return killed;
}

/** False when it has gone by itself. */
function kill(pid: number): boolean {
  const identity = identify(pid);
  if (identity !== undefined) signalProcess(identity, "SIGKILL");
  return identity !== undefined;
}

function isGone(error: unknown): boolean {
  return error instanceof ProtocolError
    ? error.code === "daemon-not-running" || error.code === "connection-lost"
    : (error as NodeJS.ErrnoException).code === "ENOENT";
}

/** Undefined where it is just being written, or its keeper is going. */
function readRecord(path: string): KeeperRecord | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as KeeperRecord;
  } catch {
    return undefined;
  }
}
