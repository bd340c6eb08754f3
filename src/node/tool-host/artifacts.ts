// What a run leaves for others to read: files that it published, and what its commands have said. What comes along with its
// task lies there, too.

import { open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { isErrno } from "../errno.ts";
import { swapDurably } from "../durable-file.ts";

export type Artifact = { readonly name: string; readonly bytes: number };
export type ArtifactPart = { readonly bytes: Buffer; readonly from: number; readonly total: number };

const ofCall = /^output-(\d{1,9})$/;
const ofTask = /^attached-(?!\.{1,2}$)(.+)$/;
const published = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** The name of what the command of a call has said. */
export function artifactOfCall(call: number): string {
  return `output-${call}`;
}

/** The name of something that comes along with the run's task. */
export function artifactOfTask(name: string): string {
  return `attached-${name}`;
}

/** Whether a run may publish something of this name. */
export function isArtifactName(name: string): boolean {
  return published.test(name) && !ofCall.test(name) && !ofTask.test(name);
}

/** The artifacts of one run, in the folder of its calls. */
export class Artifacts {
  readonly #folder: string;

  constructor(callsFolder: string) {
    this.#folder = callsFolder;
  }

  async publish(name: string, bytes: Uint8Array): Promise<void> {
    await swapDurably(this.#fileOf(name), bytes);
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
    const calls = (await namesIn(this.#folder)).filter((name) => /^\d+$/.test(name));
    const all = [
      ...attached.toSorted().map(artifactOfTask),
      ...names.filter(isArtifactName).toSorted(),
      ...calls
        .map(Number)
        .toSorted((a, b) => a - b)
        .map(artifactOfCall),
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

  #fileOf(name: string): string {
    const call = ofCall.exec(name)?.[1];
    if (call !== undefined) return join(this.#folder, call, "output");
    const attached = ofTask.exec(name)?.[1];
    return attached === undefined ? join(this.#folder, "artifacts", name) : join(this.#folder, "attached", attached);
  }
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((): string[] => []);
}
