// Recordings of terminals on this machine. Keepers write them; here they are read, also when their agent is long gone.

import { createHash } from "node:crypto";
import { chown, mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as others } from "node:timers/promises";
import { SequenceReader } from "../../base/escape-sequences.ts";
import { Fault } from "../../base/fault.ts";
import { isErrno } from "../../os/errno.ts";
import { readHanded } from "../handed-file.ts";
import {
  type RecordingHead,
  recordingHeadName,
  recordingPieceName,
  recordingPieces,
  type RecordingTime,
} from "../../protocol/keeper/terminal-wire.ts";
import { blotScreen } from "./blot.ts";

export type RecordingsOptions = {
  readonly folder: string;
  /** Whom keepers run as. */
  readonly owner: { readonly uid: number; readonly gid: number };
};

/** Something was said, or the size was changed. */
export type RecordedEvent =
  | { readonly atMs: number; readonly bytes: Uint8Array }
  | { readonly atMs: number; readonly cols: number; readonly rows: number };

export type RecordedPage = {
  readonly head: RecordingHead;
  readonly events: readonly RecordedEvent[];
  /** From where to go on; null at the end. */
  readonly next: number | null;
  readonly totalBytes: number;
};

export type FoundLine = { readonly atMs: number; readonly line: string };

const pageBytesMax = 512 * 1024;
const lineCharsMax = 400;
/** Of any file of a recording; keepers begin another long before. */
const fileBytesMax = 256 * 1024 * 1024;
/** Longer than any secret is in any spelling. */
const crossingBytesMax = 64 * 1024;
const keptBytesMax = 16 * 1024 * 1024;
/** So many lines of times are read in one breath: of letters that came one at a time there may be millions. */
const turnLines = 4096;
const nothing = Buffer.alloc(0);

export class Recordings {
  readonly #options: RecordingsOptions;
  #last: { readonly key: string; readonly bytes: Buffer } | undefined;

  constructor(options: RecordingsOptions) {
    this.#options = options;
  }

  folderOf(terminal: string): string {
    return join(this.#options.folder, terminal);
  }

  /** A folder that a keeper can write to. */
  async make(terminal: string): Promise<string> {
    const folder = this.folderOf(terminal);
    const { uid, gid } = this.#options.owner;
    await mkdir(this.#options.folder, { recursive: true, mode: 0o711 });
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await chown(folder, uid, gid);
    return folder;
  }

  async remove(terminal: string): Promise<void> {
    await rm(this.folderOf(terminal), { recursive: true, force: true });
  }

  /** Removes those that nobody knows any more. */
  async sweep(isKnown: (terminal: string) => boolean): Promise<void> {
    const names = await readdir(this.#options.folder).catch((): string[] => []);
    for (const name of names) if (!isKnown(name)) await this.remove(name);
  }

  /** What each takes on the disk. */
  async sizes(): Promise<Map<string, number>> {
    const sizes = new Map<string, number>();
    for (const terminal of await readdir(this.#options.folder).catch((): string[] => [])) {
      const folder = this.folderOf(terminal);
      const names = await readdir(folder).catch((): string[] => []);
      // One of them may go meanwhile.
      const files = await Promise.all(names.map((name) => stat(join(folder, name)).catch(() => undefined)));
      sizes.set(
        terminal,
        files.reduce((sum, file) => sum + (file?.size ?? 0), 0),
      );
    }
    return sizes;
  }

  /** How much was said in a terminal, whatever of it is still there. */
  async saidBytes(terminal: string): Promise<number> {
    const folder = this.folderOf(terminal);
    const last = recordingPieces(await readdir(folder).catch((): string[] => [])).at(-1) ?? 0;
    return last + (await sizeOf(folder, last));
  }

  /** A part of a recording from an offset that a page before it ended at. Secrets in it are blotted out. */
  async read(terminal: string, from: number, secrets: readonly string[]): Promise<RecordedPage> {
    const folder = this.folderOf(terminal);
    const pieces = recordingPieces(await readdir(folder).catch((): string[] => []));
    const head = await readHead(folder, terminal);
    const index = Math.max(
      0,
      pieces.findLastIndex((piece) => piece <= from),
    );
    const piece = pieces[index] ?? 0;
    const bytes = await this.#readBlotted(
      terminal,
      { before: pieces[index - 1], piece, after: pieces[index + 1] },
      secrets,
    );
    const last = pieces.at(-1) ?? 0;
    const totalBytes = last === piece ? piece + bytes.length : last + (await sizeOf(folder, last));
    const events: RecordedEvent[] = [];
    // What came before this piece was let go: it begins with what was seen then.
    let at = Math.max(from, piece);
    if (from < piece)
      events.push({ atMs: 0, bytes: await blotScreen(await readPiece(folder, "screen", piece), secrets) });
    const end = piece + bytes.length;
    const times = await readOf(folder, recordingPieceName("times", piece));
    let lines = 0;
    for (const [atMs, upTo, cols, rows] of timesIn(times ?? nothing)) {
      if (++lines % turnLines === 0) await others();
      if (cols !== undefined && rows !== undefined) {
        if (upTo > from || (from === 0 && upTo === 0)) events.push({ atMs, cols, rows });
        continue;
      }
      const to = Math.min(upTo, end);
      if (to <= at) continue;
      if (at - Math.max(from, piece) >= pageBytesMax) return { head, events, next: at, totalBytes };
      events.push({ atMs, bytes: bytes.subarray(at - piece, to - piece) });
      at = to;
    }
    const next = pieces[index + 1] ?? null;
    return { head, events, next, totalBytes };
  }

  /**
   * A piece without secrets, also where one stands partly in the piece before or after it. What was read last is kept: its
   * pages are asked for one by one.
   */
  async #readBlotted(
    terminal: string,
    {
      before,
      piece,
      after,
    }: { readonly before: number | undefined; readonly piece: number; readonly after: number | undefined },
    secrets: readonly string[],
  ): Promise<Buffer> {
    const folder = this.folderOf(terminal);
    const sizes = await Promise.all([sizeOf(folder, piece), after === undefined ? 0 : sizeOf(folder, after)]);
    const key = createHash("sha256")
      .update(JSON.stringify([terminal, piece, ...sizes, secrets]))
      .digest("hex");
    if (this.#last?.key === key) return this.#last.bytes;
    const own = await readPiece(folder, "bytes", piece);
    const bytes = secrets.length === 0 ? own : await blotBetween(folder, { before, own, after }, secrets);
    this.#last = bytes.length > keptBytesMax ? undefined : { key, bytes };
    return bytes;
  }

  /** Lines in which a text is, as far as it was printed in one go. */
  async search(terminal: string, text: string, limit: number, secrets: readonly string[]): Promise<FoundLine[]> {
    const found: FoundLine[] = [];
    const wanted = text.toLowerCase();
    const reader = new SequenceReader();
    const decoder = new TextDecoder();
    let open = "";
    for (let from: number | null = 0; from !== null && found.length < limit;) {
      const page: RecordedPage = await this.read(terminal, from, secrets);
      for (const event of page.events) {
        if (!("bytes" in event)) continue;
        const stretches = reader.read(event.bytes).filter(({ kind }) => kind === "text");
        const said = open + stretches.map(({ bytes }) => decoder.decode(bytes, { stream: true })).join("");
        const lines = said.split(/\r?\n|\r/);
        open = (lines.pop() ?? "").slice(-lineCharsMax);
        for (const line of lines) {
          if (line.toLowerCase().includes(wanted) && found.length < limit)
            found.push({ atMs: event.atMs, line: line.slice(0, lineCharsMax) });
        }
      }
      from = page.next;
    }
    if (open.toLowerCase().includes(wanted) && found.length < limit) found.push({ atMs: 0, line: open });
    return found;
  }
}

/** Blots out what stands in a piece, together with the ends of its neighbours. */
async function blotBetween(
  folder: string,
  {
    before,
    own,
    after,
  }: { readonly before: number | undefined; readonly own: Buffer; readonly after: number | undefined },
  secrets: readonly string[],
): Promise<Buffer> {
  const head = before === undefined ? nothing : (await readPiece(folder, "bytes", before)).subarray(-crossingBytesMax);
  const tail = after === undefined ? nothing : (await readPiece(folder, "bytes", after)).subarray(0, crossingBytesMax);
  const all = await blotScreen(Buffer.concat([head, own, tail]), secrets);
  return all.subarray(head.length, head.length + own.length);
}

/** Undefined where there is none. What is there and cannot be read is not taken for nothing: a secret may stand in it. */
async function readOf(folder: string, name: string): Promise<Buffer | undefined> {
  try {
    return await readHanded({ file: join(folder, name), folder, bytesMax: fileBytesMax });
  } catch (cause) {
    if (isErrno(cause, "ENOENT")) return undefined;
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new Fault("recording-unreadable", { retry: "later", cause, message });
  }
}

async function readHead(folder: string, terminal: string): Promise<RecordingHead> {
  const bytes = await readOf(folder, recordingHeadName);
  if (bytes !== undefined) return JSON.parse(bytes.toString("utf8")) as RecordingHead;
  throw new Fault("recording-missing", { retry: "never", message: `there is no recording of ${terminal} here` });
}

/** The oldest may go while they are listed. */
async function readPiece(folder: string, kind: "bytes" | "screen", from: number): Promise<Buffer> {
  return (await readOf(folder, recordingPieceName(kind, from))) ?? nothing;
}

function* timesIn(bytes: Buffer): Generator<RecordingTime> {
  for (let at = 0; at < bytes.length;) {
    const found = bytes.indexOf(0x0a, at);
    const end = found < 0 ? bytes.length : found;
    const line = bytes.toString("latin1", at, end);
    // The last line may be on its way.
    if (line.endsWith("]")) yield JSON.parse(line) as RecordingTime;
    at = end + 1;
  }
}

async function sizeOf(folder: string, piece: number): Promise<number> {
  return (await stat(join(folder, recordingPieceName("bytes", piece))).catch(() => undefined))?.size ?? 0;
}
