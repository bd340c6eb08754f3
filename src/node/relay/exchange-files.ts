// Keeps requests and answers as files, compressed and without secrets: replay needs them, and people who ask what was said.
// A file is whole and synced before anybody names it.

import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { Turns } from "../../base/turns.ts";
import { swapDurably } from "../../os/durable-file.ts";
import { redactInTurns } from "./redactor.ts";

export type Exchange = {
  readonly request: string;
  readonly method: string;
  readonly target: string;
  readonly body: Buffer;
  readonly status: number | null;
  readonly contentType: string;
  readonly answer: Buffer;
  /** Whether the answer went on after what is here. */
  readonly isCut: boolean;
};

/** Of one body; what goes beyond is left out, and said to be. */
export const bodyBytesMax = 8_388_608;
/** Of all exchanges of one run. */
const usualRunBytesMax = 1_073_741_824;
const largeBytesMin = 1_048_576;

const compress = promisify(gzip);

export class ExchangeFiles {
  readonly #folder: string;
  readonly #runBytesMax: number;
  /** Bytes that runs have on disk, as far as it was asked for. */
  readonly #sizes = new Map<string, number>();
  /** What is large is made ready one after the other: as text it takes several times as much. */
  readonly #turns = new Turns();

  constructor(folder: string, runBytesMax = usualRunBytesMax) {
    this.#folder = folder;
    this.#runBytesMax = runBytesMax;
  }

  /** Writes an exchange for good and answers its name, or null when the run has no room left. */
  keep(run: string, exchange: Exchange, secrets: readonly string[]): Promise<string | null> {
    const keep = (): Promise<string | null> => this.#keep(run, exchange, secrets);
    const isLarge = exchange.body.length + exchange.answer.length > largeBytesMin;
    return isLarge ? this.#turns.take("large", keep) : keep();
  }

  async #keep(run: string, exchange: Exchange, secrets: readonly string[]): Promise<string | null> {
    const size = this.#sizes.get(run) ?? (await this.#sizeOf(run));
    const bytes = await compress(Buffer.from(await redactInTurns(toText(exchange), secrets)));
    if (size + bytes.length > this.#runBytesMax) return null;
    const name = `${run}/${exchange.request}.json.gz`;
    await swapDurably(join(this.#folder, name), bytes);
    // Another of the same run may have been kept meanwhile.
    this.#sizes.set(run, (this.#sizes.get(run) ?? size) + bytes.length);
    return name;
  }

  async forget(run: string): Promise<void> {
    this.#sizes.delete(run);
    await rm(join(this.#folder, run), { recursive: true, force: true });
  }

  /** Runs that have files here. */
  async runs(): Promise<string[]> {
    return (await readdir(this.#folder).catch(() => [])).filter((name) => /^r_[0-9a-z]+$/.test(name));
  }

  async #sizeOf(run: string): Promise<number> {
    const folder = join(this.#folder, run);
    const names = await readdir(folder).catch(() => []);
    const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size));
    return sizes.reduce((sum, size) => sum + size, 0);
  }
}

function toText(exchange: Exchange): string {
  const { request, method, target, body, status, contentType, answer, isCut } = exchange;
  const asked = { method, target, ...toBody(body, false) };
  return JSON.stringify({ v: 1, request, asked, answered: { status, contentType, ...toBody(answer, isCut) } });
}

function toBody(bytes: Buffer, isCut: boolean): { readonly body: string; readonly isCut: boolean } {
  return { body: bytes.subarray(0, bodyBytesMax).toString("utf8"), isCut: isCut || bytes.length > bodyBytesMax };
}
