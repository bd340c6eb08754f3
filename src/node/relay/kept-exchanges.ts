// What was asked of models for a run, and what they answered, for people to read. It was written without secrets (BG15), and is read as
// it was written.

import { createReadStream } from "node:fs";
import { open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { createGunzip } from "node:zlib";
import { isErrno } from "../../os/errno.ts";

export type KeptExchange = { readonly request: string; readonly bytes: number };

const fileName = /^([a-z]+_[0-9a-z]+)\.json\.gz$/;
/** What a compressed file ends with: how long it is when it is no longer compressed. */
const sizeBytes = 4;

export class KeptExchanges {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Those of a run, the oldest first. */
  async list(run: string): Promise<KeptExchange[]> {
    const names = await readdir(join(this.#folder, run)).catch((): string[] => []);
    const requests = names.flatMap((name) => fileName.exec(name)?.[1] ?? []);
    const found: KeptExchange[] = [];
    // Their names count up: a shorter one is older.
    for (const request of requests.toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1))) {
      const bytes = await this.#sizeOf(run, request);
      if (bytes !== undefined) found.push({ request, bytes });
    }
    return found;
  }

  /** A part of one, as JSON; undefined where there is none of the name. */
  async read(
    run: string,
    request: string,
    { from, limit }: { readonly from: number; readonly limit: number },
  ): Promise<{ readonly bytes: Buffer; readonly from: number; readonly total: number } | undefined> {
    const total = fileName.test(`${request}.json.gz`) ? await this.#sizeOf(run, request) : undefined;
    if (total === undefined) return undefined;
    const parts: Buffer[] = [];
    const until = Math.min(from + limit, total);
    const packed = createReadStream(this.#fileOf(run, request));
    const plain = createGunzip();
    packed.on("error", (error) => plain.destroy(error));
    let at = 0;
    // Nobody reads on once there is enough.
    for await (const piece of packed.pipe(plain) as AsyncIterable<Buffer>) {
      parts.push(piece.subarray(Math.max(0, from - at), Math.max(0, until - at)));
      at += piece.length;
      if (at >= until) break;
    }
    packed.destroy();
    return { bytes: Buffer.concat(parts), from, total };
  }

  async #sizeOf(run: string, request: string): Promise<number | undefined> {
    try {
      const file = await open(this.#fileOf(run, request), "r");
      try {
        const { size } = await file.stat();
        const { buffer, bytesRead } = await file.read(
          Buffer.alloc(sizeBytes),
          0,
          sizeBytes,
          Math.max(0, size - sizeBytes),
        );
        return bytesRead === sizeBytes ? buffer.readUInt32LE() : undefined;
      } finally {
        await file.close();
      }
    } catch (error) {
      if (isErrno(error, "ENOENT")) return undefined;
      throw error;
    }
  }

  #fileOf(run: string, request: string): string {
    return join(this.#folder, run, `${request}.json.gz`);
  }
}
