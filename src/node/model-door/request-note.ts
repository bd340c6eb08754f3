// The request that is under way at a run's door, for the daemon that comes after. It is written before the call begins and
// not synced: a daemon that dies leaves it behind, and what a power cut leaves is told by its hash. The call is lost then,
// and ended as one that nobody knows the outcome of.

import { createHash } from "node:crypto";
import { closeSync, constants, mkdirSync, openSync, writeSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { isErrno } from "../../os/errno.ts";

export type NotedRequest = {
  readonly call: number;
  readonly tool: string;
  readonly args: unknown;
  /** Under which name it was asked for, if under any. */
  readonly request?: string | undefined;
  /** What the program that asks calls it. */
  readonly use?: string | undefined;
};

// Neither cut short nor appended to: it is written over from its beginning.
const flags = constants.O_WRONLY | constants.O_CREAT;

export class RequestNote {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /**
   * Puts a request in the place of the one before; what that had beyond this one's line counts for nothing. In one breath:
   * memory is all that it is written to, and going round by a thread takes longer.
   */
  write(noted: NotedRequest): void {
    const text = JSON.stringify(noted);
    const file = this.#open();
    try {
      writeSync(file, `${hashOf(text)} ${text}\n`, 0);
    } finally {
      closeSync(file);
    }
  }

  #open(): number {
    try {
      return openSync(this.#file, flags, 0o600);
    } catch (error) {
      if (!isErrno(error, "ENOENT")) throw error;
      mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
      return openSync(this.#file, flags, 0o600);
    }
  }

  /** The last request; undefined where there is none, or not all of it. */
  async read(): Promise<NotedRequest | undefined> {
    const whole = await readFile(this.#file, "utf8").catch(() => "");
    const [line = ""] = whole.split("\n", 1);
    const at = line.indexOf(" ");
    const text = line.slice(at + 1);
    return line.slice(0, at) === hashOf(text) ? (JSON.parse(text) as NotedRequest) : undefined;
  }

  async forget(): Promise<void> {
    await rm(this.#file, { force: true });
  }
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
