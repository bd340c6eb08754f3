// What is written down about each call, so that nothing runs twice and no end is lost: that it was begun, before it is, and
// how it ended, before anyone is told. A command that was begun and whose end nobody wrote is "unknown", never success.

import { closeSync, constants, mkdirSync, openSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "../../base/fault.ts";
import type { CommandEnd } from "../../protocol/keeper/keeper-wire.ts";
import { createDurably, readJson, syncFolder, writeDurably } from "../os/durable-file.ts";
import { readTail } from "./output-file.ts";

export type Started = { readonly mark: string; readonly caged: boolean; readonly list: string | undefined };
export type Leader = { readonly pid: number; readonly startTicks: string; readonly bootId: string };

export class CallJournal {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = join(folder, "calls");
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
  }

  list(): string[] {
    return readdirSync(this.#folder).toSorted();
  }

  folderOf(call: string): string {
    return join(this.#folder, safeName(call));
  }

  /** Says for ever that the call was begun. */
  async begin(call: string, started: Started): Promise<void> {
    const folder = this.folderOf(call);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // A file is durable only once its name is, and so is its folder's.
    const above = syncFolder(this.#folder);
    const isNew = await createDurably(join(folder, "started"), JSON.stringify(started));
    await above;
    if (!isNew) throw new Fault("bad-request", { retry: "never", message: `the call ${call} was begun before` });
  }

  readStarted(call: string): Started | undefined {
    const found = readJson(join(this.folderOf(call), "started")) as Partial<Started> | undefined;
    if (typeof found?.mark !== "string") return undefined;
    return { mark: found.mark, caged: found.caged !== false, list: found.list };
  }

  /** Only needed while the machine runs, so it need not survive a power cut. */
  writeLeader(call: string, leader: Leader): void {
    writeFileSync(join(this.folderOf(call), "leader"), JSON.stringify(leader), { mode: 0o600 });
  }

  readLeader(call: string): Leader | undefined {
    return readJson(join(this.folderOf(call), "leader")) as Leader | undefined;
  }

  readEnd(call: string): CommandEnd | undefined {
    return readJson(join(this.folderOf(call), "exit")) as CommandEnd | undefined;
  }

  async end(call: string, end: CommandEnd): Promise<void> {
    // Where it is cut short nobody was told yet, and the end is as unknown as without it.
    await writeDurably(join(this.folderOf(call), "exit"), JSON.stringify(end));
  }

  /** Nobody will say how it ended. */
  async lose(call: string): Promise<CommandEnd> {
    const { text, total } = readTail(this.folderOf(call));
    const end: CommandEnd = {
      ...{ exit: "unknown", signal: null, why: "lost" },
      ...{ outputBytes: total, leftOutBytes: 0, tail: text },
    };
    await this.end(call, end);
    return end;
  }

  forget(call: string): void {
    rmSync(this.folderOf(call), { recursive: true, force: true });
  }

  /** Whether the call was ever begun. */
  has(call: string): boolean {
    try {
      closeSync(openSync(join(this.folderOf(call), "started"), constants.O_RDONLY));
      return true;
    } catch {
      return false;
    }
  }
}

/** Calls and tags become names of folders. */
export function safeName(name: string): string {
  if (/^[A-Za-z0-9_][A-Za-z0-9._:-]{0,119}$/.test(name)) return name;
  throw new Fault("bad-request", { retry: "never", message: `"${name.slice(0, 120)}" is no name of a call` });
}
