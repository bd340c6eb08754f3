// Moves bytes between a workspace and the project's repository, however many they are: small ones in the lines that the keeper
// is spoken to in, large ones as files that both sides can open. Nothing here holds a large file in memory.

import { randomUUID } from "node:crypto";
import { mkdir, readdir, rm, unlink } from "node:fs/promises";
import { join } from "node:path";
import { Fault } from "../../base/fault.ts";
import { blobOf } from "../../core/landing/entry.ts";
import type { Work } from "../../core/workspace/workspace-state.ts";
import type { Mainline } from "../../ports/mainline.ts";
import {
  type KeepAnswer,
  keeperInlineBytesMax,
  type PlaceChange,
  type WireBytes,
} from "../../protocol/keeper/keeper-wire.ts";
import { pathOfOpen, readOpen, withHanded } from "../handed-file.ts";
import { lendFile } from "../lend-file.ts";
import type { Place } from "./base-journal.ts";
import type { KeeperLine } from "./keepers.ts";

/** Beside a workspace: where its keeper lays what goes to the repository, and where it finds what comes from there. */
export const outboxName = "outbox";
export const inboxName = "inbox";

const blobsAtOnce = 16;
/** Of all that one order brings along in its line. */
const inlineBytesMax = 16 * keeperInlineBytesMax;

export type CarrierOptions = {
  readonly folder: string;
  readonly mainline: Mainline;
  readonly keeper: KeeperLine;
};

export class Carrier {
  readonly #options: CarrierOptions;

  constructor(options: CarrierOptions) {
    this.#options = options;
  }

  /**
   * Copies the bytes of changed paths into the project's repository. Answers the works as they were copied: something in
   * the background may have written since they were looked at. What has grown too large by then is no work (LD57).
   */
  async bringHome(works: readonly Work[]): Promise<Work[]> {
    const { mainline, keeper } = this.#options;
    const present = works.flatMap(({ path, work }) => (work === null ? [] : [{ path, blob: blobOf(work) }]));
    // What was brought before need not be read again, and there may be much of it.
    const fresh = await mainline.freshen(present.map(({ blob }) => blob));
    const paths = present.filter(({ blob }) => !fresh.has(blob)).map(({ path }) => path);
    if (paths.length === 0) return [...works];
    const outbox = join(this.#options.folder, outboxName);
    const { paths: kept, oversized = [] } = (await keeper.request({ op: "keep", paths, outbox })) as KeepAnswer;
    const entries = new Map(kept.map(({ path, entry }) => [path, entry]));
    const sizes = new Map(kept.flatMap(({ entry, size }) => (entry === null ? [] : [[blobOf(entry), size] as const])));
    const blobs = [...sizes];
    // Together: the disk takes about as long for a few syncs at once as for one.
    for (let at = 0; at < blobs.length; at += blobsAtOnce)
      await Promise.all(blobs.slice(at, at + blobsAtOnce).map(([blob, size]) => this.#takeHome(outbox, blob, size)));
    const grown = new Set(oversized.map(({ path }) => path));
    return works.map((each) => {
      const { path, base } = each;
      if (grown.has(path)) return { path, base, work: base };
      return entries.has(path) ? { path, base, work: entries.get(path) ?? null } : each;
    });
  }

  /** Does something with an order to the keeper that brings the bytes of these entries along. */
  async withBytes(places: readonly Place[], act: (changes: readonly PlaceChange[]) => Promise<void>): Promise<void> {
    const sizes = await this.#options.mainline.blobSizes(places.flatMap(({ to }) => (to === null ? [] : blobOf(to))));
    const lent: string[] = [];
    let inline = 0;
    try {
      const changes: PlaceChange[] = [];
      for (const { path, from, to } of places) {
        const size = to === null ? 0 : (sizes.get(blobOf(to)) ?? 0);
        const mayInline = inline + size <= inlineBytesMax;
        const bytes = to === null ? {} : { bytes: await this.#bytesOf(blobOf(to), size, mayInline, lent) };
        if ("bytes" in bytes && "base64" in bytes.bytes) inline += size;
        changes.push({ path, ...(from === undefined ? {} : { expect: from }), to, ...bytes });
      }
      await act(changes);
    } finally {
      await Promise.all(lent.map((file) => rm(file, { force: true })));
    }
  }

  /** Takes away what a daemon left that was killed in the middle. */
  async tidy(): Promise<void> {
    const inbox = join(this.#options.folder, inboxName);
    const names = await readdir(inbox).catch((): string[] => []);
    await Promise.all(names.map((name) => rm(join(inbox, name), { force: true })));
  }

  async #bytesOf(blob: string, size: number, mayInline: boolean, lent: string[]): Promise<WireBytes> {
    const { mainline, folder } = this.#options;
    const isSmall = size <= keeperInlineBytesMax;
    if (isSmall && mayInline) return { base64: Buffer.from(await mainline.readBlob(blob)).toString("base64") };
    const inbox = join(folder, inboxName);
    // One that was made by an earlier release has none.
    await mkdir(inbox, { recursive: true, mode: 0o700 });
    const file = join(inbox, randomUUID());
    lent.push(file);
    // The keeper may be another user; nobody else gets into the folder.
    if (isSmall) await lendFile(file, await mainline.readBlob(blob));
    else await mainline.lendBlob(blob, file);
    return { file };
  }

  async #takeHome(outbox: string, blob: string, bytesMax: number): Promise<void> {
    const { mainline } = this.#options;
    const file = join(outbox, blob);
    const name = await withHanded({ file, folder: outbox, bytesMax }, async (open) => {
      const isSmall = open.size <= keeperInlineBytesMax;
      return isSmall ? mainline.writeBlob(await readOpen(open)) : mainline.writeBlobFrom(pathOfOpen(open));
    });
    if (name !== blob) throw new Fault("changed", { retry: "later", message: "a file changed on its way to safety" });
    await unlink(file);
  }
}
