// What a run leaves for others to read: files that it published, and what its commands have said. What comes along with its
// task lies there, too.

import { open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { isErrno } from "../../os/errno.ts";
import { swapDurably } from "../../os/durable-file.ts";

export type Artifact = { readonly name: string; readonly bytes: number };
export type ArtifactPart = { readonly bytes: Buffer; readonly from: number; readonly total: number };

const ofCall = /^output-(\d{1,9})$/;
/** Of a program's life, at a byte of what it said. */
const ofOwn = /^own-(\d{1,9}-\d{1,15}(?:-\d{1,4})?)$/;
/** What leave was asked for, by the print of it. */
const ofAsked = /^asked-([0-9a-f]{40})$/;
const ofTask = /^attached-(?!\.{1,2}$)(.+)$/;
const ofExchange = /^exchange-([a-z]+_[0-9a-z]+)$/;
const published = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** The name of what the command of a call has said. */
export function artifactOfCall(call: number): string {
  return `output-${call}`;
}

/** The name of what came of a call that the door knows nothing of. */
export function artifactOfOwn(place: { readonly life: number; readonly end: number; readonly at: number }): string {
  return `own-${place.life}-${place.end}${place.at === 0 ? "" : `-${place.at}`}`;
}

/** The name of something that comes along with the run's task. */
export function artifactOfTask(name: string): string {
  return `attached-${name}`;
}

/** The name of what was asked of a model, with what it answered. */
export function artifactOfExchange(request: string): string {
  return `exchange-${request}`;
}

/** The request that a name of that kind is about. */
export function exchangeIn(name: string): string | undefined {
  return ofExchange.exec(name)?.[1];
}

/** Whether what has a name was said: by a command, or in an exchange with a model. That is kept for a while (RN50). */
export function isSaid(name: string): boolean {
  return [ofCall, ofOwn, ofExchange].some((kind) => kind.test(name));
}

/** Whether a run may publish something of this name. */
export function isArtifactName(name: string): boolean {
  return published.test(name) && ![ofCall, ofOwn, ofAsked, ofTask, ofExchange].some((other) => other.test(name));
}

/** What a run publishes, and what is kept of its own calls and of acts that leave is asked for, is together no more than this. */
const usualBytesMax = 1024 ** 3;
/** However little is in a file, the disk has a block for it. */
const fileBytesMin = 4096;
/** What is told of it. */
export const noRoom = {
  code: "disk-quota",
  message: "the artifacts of this run take as much as they may together: publish under names that are there, or less",
} as const;
const boundedFolders = ["artifacts", "own", "asked"];

/** The artifacts of one run, in the folder of its calls. */
export class Artifacts {
  readonly #folder: string;
  readonly #bytesMax: number;
  /** What there is of those that are bounded. Looked up when the first is to be kept; from then on only we write there. */
  #takenBytes: number | undefined;
  #line: Promise<unknown> = Promise.resolve();

  constructor(callsFolder: string, bytesMax = usualBytesMax) {
    this.#folder = callsFolder;
    this.#bytesMax = bytesMax;
  }

  /** False where the run has no room left. */
  publish(name: string, bytes: Uint8Array): Promise<boolean> {
    return this.#keep(name, bytes);
  }

  /**
   * Keeps what is too long for the log: what came of a call that the door knows nothing of, or an act that leave is asked for. False where
   * the run has no room left.
   */
  keepOwn(name: string, text: string): Promise<boolean> {
    return this.#keep(name, Buffer.from(text));
  }

  /** Lays out what comes along with the task. */
  async attach(name: string, bytes: Uint8Array): Promise<void> {
    await swapDurably(this.#fileOf(artifactOfTask(name)), bytes);
  }

  /** Takes away what comes along with the task no more. */
  async detachAllBut(names: ReadonlySet<string>): Promise<void> {
    for (const name of await namesIn(join(this.#folder, "attached")))
      if (!names.has(name)) await rm(this.#fileOf(artifactOfTask(name)), { force: true });
  }

  async list(): Promise<Artifact[]> {
    const attached = await namesIn(join(this.#folder, "attached"));
    const names = await namesIn(join(this.#folder, "artifacts"));
    const own = await namesIn(join(this.#folder, "own"));
    const asked = await namesIn(join(this.#folder, "asked"));
    const calls = (await namesIn(this.#folder)).filter((name) => /^\d+$/.test(name));
    const all = [
      ...attached.toSorted().map(artifactOfTask),
      ...names.filter(isArtifactName).toSorted(),
      ...calls
        .map(Number)
        .toSorted((a, b) => a - b)
        .map(artifactOfCall),
      ...own
        .map((name) => `own-${name}`)
        .filter((name) => ofOwn.test(name))
        .toSorted(),
      ...asked
        .map((name) => `asked-${name}`)
        .filter((name) => ofAsked.test(name))
        .toSorted(),
    ];
    const found: Artifact[] = [];
    for (const name of all) {
      const size = (await stat(this.#fileOf(name)).catch(() => undefined))?.size;
      if (size !== undefined) found.push({ name, bytes: size });
    }
    return found;
  }

  /** A part of an artifact, or undefined where there is none of the name. */
  async read(name: string, from: number, limit: number): Promise<ArtifactPart | undefined> {
    if (!published.test(name)) return undefined;
    try {
      const handle = await open(this.#fileOf(name), "r");
      try {
        const { size } = await handle.stat();
        const bytes = Buffer.alloc(Math.max(0, Math.min(limit, size - from)));
        const { bytesRead } = await handle.read(bytes, 0, bytes.length, from);
        return { bytes: bytes.subarray(0, bytesRead), from, total: size };
      } finally {
        await handle.close();
      }
    } catch (error) {
      if (isErrno(error, "ENOENT")) return undefined;
      throw error;
    }
  }

  /** One after another: none shall count on the room of another one. */
  #keep(name: string, bytes: Uint8Array): Promise<boolean> {
    const kept = this.#line.then(async () => {
      const taken = this.#takenBytes ?? (await this.#count());
      const file = this.#fileOf(name);
      const after = taken - (await takenBy(file)) + Math.max(bytes.length, fileBytesMin);
      this.#takenBytes = taken;
      // What takes no more than before may always be written again, after a crash above all.
      if (after > this.#bytesMax && after > taken) return false;
      await swapDurably(file, bytes);
      this.#takenBytes = after;
      return true;
    });
    this.#line = kept.catch(() => undefined);
    return kept;
  }

  async #count(): Promise<number> {
    let bytes = 0;
    for (const folder of boundedFolders.map((name) => join(this.#folder, name)))
      for (const name of await namesIn(folder)) bytes += await takenBy(join(folder, name));
    return bytes;
  }

  #fileOf(name: string): string {
    const call = ofCall.exec(name)?.[1];
    if (call !== undefined) return join(this.#folder, call, "output");
    const own = ofOwn.exec(name)?.[1];
    if (own !== undefined) return join(this.#folder, "own", own);
    const asked = ofAsked.exec(name)?.[1];
    if (asked !== undefined) return join(this.#folder, "asked", asked);
    const attached = ofTask.exec(name)?.[1];
    return attached === undefined ? join(this.#folder, "artifacts", name) : join(this.#folder, "attached", attached);
  }
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((): string[] => []);
}

async function takenBy(file: string): Promise<number> {
  const found = await stat(file).catch(() => undefined);
  return found === undefined ? 0 : Math.max(found.size, fileBytesMin);
}
