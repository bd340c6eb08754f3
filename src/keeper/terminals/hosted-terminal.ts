// One terminal in the host: our end of the pair, the recording of what comes out of it, and the screen that this gives.
// Whoever looks at the terminal reads the recording, so nobody who is slow holds it up; only our own screen and our own
// disk do.

import { closeSync, writeSync } from "node:fs";
import { ReadStream } from "node:tty";
import { wholeLength } from "../../base/escape-sequences.ts";
import type { TerminalScreenAnswer } from "../../protocol/keeper/terminal-wire.ts";
import { isErrno, toMessage } from "../os/errno.ts";
import { openPty, resizePty } from "./pty.ts";
import { Recording } from "./recording.ts";
import { Screen } from "./screen.ts";
import { say } from "../os/say.ts";

export type HostedOrder = {
  readonly terminal: string;
  readonly argv: readonly string[];
  readonly cols: number;
  readonly rows: number;
  readonly folder: string;
  readonly onSaid: (total: number) => void;
};

type Size = { readonly cols: number; readonly rows: number };

/** Whoever wants to have what is said as soon as it is recorded. */
export interface Listener {
  /** These bytes come after so many. */
  said(offset: number, bytes: Uint8Array): void;
  over(): void;
}

/** How much may wait to be drawn before we stop listening for a moment. */
const undrawnBytesMax = 512 * 1024;
const undrawnBytesMin = 64 * 1024;
/** What a program that does not read may have waiting for it. */
const inputBytesMax = 1024 * 1024;
const inputAgainMs = 10;
/** Tags of what was typed are remembered for as long as somebody may send it again. */
const tagsMax = 4096;
const diskAgainMs = 500;
/** Some other program may hold the terminal open after its own has ended. */
const quietMs = 500;
/** How much above the last screen of a terminal that has ended is kept at hand. */
const lastLines = 200;

export class HostedTerminal {
  readonly path: string;
  readonly folder: string;
  readonly listeners = new Set<Listener>();
  readonly #tags = new Set<string>();
  readonly #master: number;
  readonly #reader: ReadStream;
  readonly #recording: Recording;
  readonly #screen: Screen;
  readonly #onSaid: (total: number) => void;
  #slave: number | undefined;
  /** Said, but not yet drawn because a sequence in it is not whole. */
  #open: Uint8Array = new Uint8Array(0);
  #undrawn = 0;
  /** What the screen shows ends here. */
  #drawnTo = 0;
  #input: Buffer[] = [];
  #inputBytes = 0;
  #inputTimer: NodeJS.Timeout | undefined;
  #isClosed = false;
  #coming: Buffer[] = [];
  /** What the recording has not yet: more than a moment only while the disk takes nothing. */
  #unwritten: (Buffer | Size)[] = [];
  readonly #closed = Promise.withResolvers<void>();
  #quiet: NodeJS.Timeout | undefined;
  #isEnding = false;
  #again: NodeJS.Timeout | undefined;
  #last: Promise<TerminalScreenAnswer> | undefined;

  constructor({ terminal, argv, cols, rows, folder, onSaid }: HostedOrder) {
    this.#recording = new Recording(folder, { version: 1, terminal, argv, cols, rows, wallMs: Date.now() });
    const { master, slave, path } = openPty(cols, rows);
    this.path = path;
    this.folder = folder;
    this.#master = master;
    this.#slave = slave;
    this.#onSaid = onSaid;
    this.#screen = new Screen({ cols, rows, onAnswer: (text) => void this.input(Buffer.from(text)) });
    this.#reader = new ReadStream(master);
    this.#reader.on("data", (bytes: Buffer) => this.#take(bytes));
    // The end of a terminal is an error to whoever reads it.
    this.#reader.on("error", () => this.#reader.destroy());
    this.#reader.on("close", () => this.#close());
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** So many bytes are in the files. */
  get total(): number {
    return this.#recording.total;
  }

  begun(): void {
    if (this.#slave !== undefined) closeSync(this.#slave);
    this.#slave = undefined;
  }

  /** As input, once for each tag: what was taken under one is not taken again. */
  type(bytes: Buffer, tag: string): boolean {
    if (this.#tags.has(tag)) return true;
    if (!this.input(bytes)) return false;
    this.#tags.add(tag);
    for (const old of this.#tags) {
      if (this.#tags.size <= tagsMax) break;
      this.#tags.delete(old);
    }
    return true;
  }

  /** False when the program has too much to read already, or is gone. */
  input(bytes: Buffer): boolean {
    if (this.#isClosed || this.#inputBytes + bytes.length > inputBytesMax) return false;
    this.#input.push(bytes);
    this.#inputBytes += bytes.length;
    if (this.#inputTimer === undefined) this.#sendInput();
    return true;
  }

  resize(cols: number, rows: number): void {
    const last = this.#unwritten.findLast(isSize) ?? this.#screen;
    if (this.#isClosed || (cols === last.cols && rows === last.rows)) return;
    // Of sizes that wait for the disk the last one counts. The first in the queue may be half written, and stays.
    if (this.#unwritten.length > 1 && this.#unwritten.at(-1) === last) this.#unwritten.pop();
    this.#unwritten.push({ cols, rows });
    if (this.#again === undefined) this.#write();
  }

  /** What it shows once everything is drawn that has been said by now; of one that has ended, what it showed last. */
  screen(scrollback: number): Promise<TerminalScreenAnswer> {
    if (this.#last !== undefined) return this.#last;
    return new Promise((resolve) => {
      this.#screen.write(new Uint8Array(0), () => {
        const { cols, rows, title } = this.#screen;
        const screen = this.#screen.serialize(scrollback);
        resolve({ screen, offset: this.#drawnTo, cols, rows, title, lines: this.#screen.lines() });
      });
    });
  }

  /** Its program has ended: resolves when what it said last is in the files. */
  async end(): Promise<number> {
    this.begun();
    this.#isEnding = true;
    this.#listenForQuiet();
    await this.#closed.promise;
    return this.#recording.total;
  }

  #take(bytes: Buffer): void {
    if (this.#isEnding) this.#listenForQuiet();
    // A terminal speaks in small pieces: what comes in one go is dealt with in one go.
    if (this.#coming.length === 0) setImmediate(() => this.#takeAll());
    this.#coming.push(bytes);
  }

  #takeAll(): void {
    if (this.#coming.length === 0) return;
    this.#unwritten.push(Buffer.concat(this.#coming));
    this.#coming = [];
    if (this.#again === undefined) this.#write();
  }

  /** Nobody sees what is not in the files. While the disk is full the program waits. */
  #write(): void {
    for (let next = this.#unwritten[0]; next !== undefined; next = this.#unwritten[0]) {
      try {
        this.#record(next);
      } catch (error) {
        say(`a terminal waits for the disk: ${toMessage(error)}`);
        this.#reader.pause();
        this.#again ??= setTimeout(() => {
          this.#again = undefined;
          this.#write();
        }, diskAgainMs);
        return;
      }
      this.#unwritten.shift();
      if (!isSize(next)) this.#show(next);
      else if (!this.#isClosed) this.#fit(next);
    }
    this.#onSaid(this.#recording.total);
    this.#listen();
  }

  #record(next: Buffer | Size): void {
    if (isSize(next)) return this.#recording.resize(next.cols, next.rows);
    if (this.#recording.isPieceFull && this.#open.length === 0 && this.#undrawn === 0)
      this.#recording.cut(this.#screen.serialize(0));
    return this.#recording.write(next);
  }

  #fit({ cols, rows }: Size): void {
    this.#screen.resize(cols, rows);
    resizePty(this.#master, cols, rows);
  }

  #show(bytes: Buffer): void {
    const from = this.#recording.total - bytes.length;
    for (const listener of this.listeners) listener.said(from, bytes);
    this.#draw(bytes);
  }

  #draw(bytes: Buffer): void {
    const all = this.#open.length === 0 ? bytes : Buffer.concat([this.#open, bytes]);
    const whole = wholeLength(all);
    this.#open = all.subarray(whole);
    if (whole === 0) return;
    this.#undrawn += whole;
    this.#screen.write(all.subarray(0, whole), () => {
      this.#undrawn -= whole;
      this.#drawnTo += whole;
      this.#listen();
    });
  }

  #listen(): void {
    if (this.#isClosed) return;
    // What is to begin a piece is drawn first, so that the piece begins with it.
    const isDue = this.#recording.isPieceFull && this.#undrawn > 0;
    if (this.#undrawn > undrawnBytesMax || isDue || this.#unwritten.length > 0) this.#reader.pause();
    else if (this.#undrawn < undrawnBytesMin) this.#reader.resume();
  }

  #sendInput(): void {
    this.#inputTimer = undefined;
    for (let bytes = this.#input[0]; bytes !== undefined && !this.#isClosed; bytes = this.#input[0]) {
      try {
        const count = writeSync(this.#master, bytes);
        this.#inputBytes -= count;
        if (count === bytes.length) this.#input.shift();
        else this.#input[0] = bytes.subarray(count);
      } catch (error) {
        if (!isErrno(error, "EAGAIN")) return void (this.#input = []);
        // Its program does not read.
        this.#inputTimer = setTimeout(() => this.#sendInput(), inputAgainMs);
        return undefined;
      }
    }
    return undefined;
  }

  #listenForQuiet(): void {
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => {
      // While we ourselves do not listen, silence says nothing.
      if (this.#reader.isPaused() || this.#undrawn > 0 || this.#unwritten.length > 0) this.#listenForQuiet();
      else this.#reader.destroy();
    }, quietMs);
  }

  #close(): void {
    if (this.#isClosed) return;
    this.#takeAll();
    this.#isClosed = true;
    clearTimeout(this.#quiet);
    clearTimeout(this.#inputTimer);
    this.begun();
    // A last piece may be on its way to a disk that is full.
    const finish = (): void => {
      if (this.#unwritten.length > 0) return void setTimeout(finish, diskAgainMs);
      this.#recording.close();
      for (const listener of this.listeners) listener.over();
      this.#last = this.screen(lastLines);
      void this.#last.then(() => this.#screen.dispose());
      this.#closed.resolve();
      return undefined;
    };
    finish();
  }
}

function isSize(next: Buffer | Size): next is Size {
  return "cols" in next;
}
