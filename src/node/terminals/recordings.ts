// Recordings of terminals on this machine. Keepers write them; here they are read, also when their agent is long gone.

import { chown, mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { SequenceReader } from "../../base/escape-sequences.ts";
import { Fault } from "../../base/fault.ts";
import { readHanded } from "../handed-file.ts";
import { finderOf } from "../relay/redactor.ts";
import {
  type RecordingHead,
  recordingHeadName,
  recordingPieceName,
  recordingPieces,
  type RecordingTime,
} from "../../protocol/keeper/terminal-wire.ts";

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

export class Recordings {
  readonly #options: RecordingsOptions;

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
    const file = await stat(join(folder, recordingPieceName("bytes", last))).catch(() => undefined);
    return last + (file?.size ?? 0);
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
    const bytes = blot(await readPiece(folder, "bytes", piece), secrets);
    const last = pieces.at(-1) ?? 0;
    const totalBytes = last === piece ? piece + bytes.length : last + (await readPiece(folder, "bytes", last)).length;
    const events: RecordedEvent[] = [];
    // What came before this piece was let go: it begins with what was seen then.
    let at = Math.max(from, piece);
    if (from < piece) events.push({ atMs: 0, bytes: await readPiece(folder, "screen", piece) });
    const end = piece + bytes.length;
    for (const [atMs, upTo, cols, rows] of await readTimes(folder, piece)) {
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

function readOf(folder: string, name: string): Promise<Buffer> {
  return readHanded({ file: join(folder, name), folder, bytesMax: fileBytesMax });
}

async function readHead(folder: string, terminal: string): Promise<RecordingHead> {
  const bytes = await readOf(folder, recordingHeadName).catch(() => undefined);
  if (bytes !== undefined) return JSON.parse(bytes.toString("utf8")) as RecordingHead;
  throw new Fault("recording-missing", { retry: "never", message: `there is no recording of ${terminal} here` });
}

function readPiece(folder: string, kind: "bytes" | "screen", from: number): Promise<Buffer> {
  return readOf(folder, recordingPieceName(kind, from)).catch(() => Buffer.alloc(0));
}

async function readTimes(folder: string, from: number): Promise<RecordingTime[]> {
  const text = (await readOf(folder, recordingPieceName("times", from)).catch(() => "")).toString();
  // The last line may be on its way.
  return text
    .split("\n")
    .filter((line) => line.endsWith("]"))
    .map((line) => JSON.parse(line) as RecordingTime);
}

/** Blots values out, byte for byte, so that everything else stays where it is; short ones where they stand as they are. */
function blot(bytes: Buffer, secrets: readonly string[]): Buffer {
  const spans = [...finderOf(secrets).find(bytes, true).spans];
  for (const secret of secrets) {
    const value = Buffer.from(secret);
    if (value.length === 0) continue;
    for (let at = bytes.indexOf(value); at >= 0; at = bytes.indexOf(value, at + value.length))
      spans.push({ from: at, to: at + value.length });
  }
  for (const { from, to } of spans) bytes.fill("*", from, to);
  return bytes;
}
