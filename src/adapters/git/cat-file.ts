// One `git cat-file --batch` that stays: objects are asked for by name and answered in order. When it dies it is started
// again with the next question.

import type { ChildProcessByStdio } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { assert } from "../../base/assert.ts";
import { Fault } from "../../base/fault.ts";
import { type GitPlace, type GitRunner, gitFailed } from "./git-runner.ts";
import type { ObjectType } from "./object-codec.ts";

export type Found = { readonly id: string; readonly type: ObjectType; readonly size: number; readonly body: Buffer };

/** Where the bytes of an object go while they arrive. */
export type Sink = (chunk: Buffer) => void;

type Question = {
  readonly name: string;
  readonly bytesMax: number;
  readonly sink: Sink | null;
  readonly resolve: (found: Found | null) => void;
  readonly reject: (error: Error) => void;
};
type Body = {
  readonly id: string;
  readonly type: ObjectType;
  readonly size: number;
  readonly chunks: Buffer[];
  rest: number;
};
type Child = ChildProcessByStdio<Writable, Readable, Readable>;

const newline = 0x0a;
const args = ["cat-file", "--batch"];

export class CatFile {
  readonly #git: GitRunner;
  readonly #place: GitPlace;
  #child: Child | null = null;
  #waiting: Question[] = [];
  #head: Buffer = Buffer.alloc(0);
  #body: Body | null = null;
  #closed = false;

  constructor(git: GitRunner, place: GitPlace) {
    this.#git = git;
    this.#place = place;
  }

  /** An object by its id, or by a ref: null where there is none. Bytes beyond the bound are a fault. */
  async read(name: string, bytesMax: number): Promise<Found | null> {
    try {
      return await this.#ask(name, bytesMax, null);
    } catch (error) {
      // Reading twice is harmless, so one death of the reader is nobody's business.
      if (error instanceof ReaderGone && !this.#closed) return await this.#ask(name, bytesMax, null);
      throw error;
    }
  }

  /** Hands the bytes on as they come, so that their size does not matter. */
  async stream(name: string, sink: Sink): Promise<Found | null> {
    return await this.#ask(name, Number.POSITIVE_INFINITY, sink);
  }

  async close(): Promise<void> {
    this.#closed = true;
    const child = this.#child;
    if (child === null) return;
    const gone = new Promise((resolve) => child.once("close", resolve));
    child.stdin.end();
    const timer = setTimeout(() => child.kill("SIGKILL"), 2000);
    await gone;
    clearTimeout(timer);
  }

  #ask(name: string, bytesMax: number, sink: Sink | null): Promise<Found | null> {
    assert(!/[\s\0]/.test(name), "a name is one word");
    if (this.#closed) return Promise.reject(new ReaderGone("the repository is closed"));
    return new Promise((resolve, reject) => {
      const child = (this.#child ??= this.#begin());
      this.#waiting.push({ name, bytesMax, sink, resolve, reject });
      child.stdin.write(`${name}\n`);
    });
  }

  #begin(): Child {
    const child = this.#git.start(this.#place, args);
    child.stdin.on("error", () => undefined);
    child.stderr.resume();
    child.stdout.on("data", (chunk: Buffer) => {
      if (this.#child === child) this.#take(chunk);
    });
    const gone = (): void => {
      if (this.#child === child) this.#lose();
    };
    child.once("error", gone);
    child.once("close", gone);
    return child;
  }

  #lose(): void {
    const waiting = this.#waiting;
    this.#child = null;
    this.#waiting = [];
    this.#head = Buffer.alloc(0);
    this.#body = null;
    for (const { reject } of waiting) reject(new ReaderGone("the reader of objects has ended"));
  }

  #take(chunk: Buffer): void {
    let rest = chunk;
    while (rest.byteLength > 0) rest = this.#body === null ? this.#takeHead(rest) : this.#takeBody(this.#body, rest);
  }

  #takeHead(chunk: Buffer): Buffer {
    const end = chunk.indexOf(newline);
    if (end < 0) {
      this.#head = Buffer.concat([this.#head, chunk]);
      return Buffer.alloc(0);
    }
    const line = Buffer.concat([this.#head, chunk.subarray(0, end)]).toString();
    this.#head = Buffer.alloc(0);
    const [id = "", type = "", size = ""] = line.split(" ");
    if (/^\d+$/.test(size)) {
      this.#body = { id, type: type as ObjectType, size: Number(size), chunks: [], rest: Number(size) };
    } else {
      this.#waiting.shift()?.resolve(null);
    }
    return chunk.subarray(end + 1);
  }

  #takeBody(body: Body, chunk: Buffer): Buffer {
    const question = this.#waiting[0];
    assert(question !== undefined, "an answer has a question");
    const part = chunk.subarray(0, body.rest);
    if (part.byteLength > 0) {
      if (question.sink !== null) question.sink(part);
      else if (body.size <= question.bytesMax) body.chunks.push(part);
      body.rest -= part.byteLength;
    }
    const after = chunk.subarray(part.byteLength);
    if (body.rest > 0 || after.byteLength === 0) return after;
    // A newline follows the bytes.
    this.#body = null;
    this.#waiting.shift();
    const { id, type, size, chunks } = body;
    if (question.sink === null && size > question.bytesMax) {
      question.reject(tooBig(question.name, size, question.bytesMax));
    } else {
      question.resolve({
        id,
        type,
        size,
        body: chunks.length === 1 ? (chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(chunks),
      });
    }
    return after.subarray(1);
  }
}

class ReaderGone extends Fault {
  constructor(why: string) {
    super("git-failed", { retry: "now", message: gitFailed(args, why).message });
  }
}

function tooBig(name: string, size: number, bytesMax: number): Fault {
  const message = `the object ${name} has ${size} bytes; ${bytesMax} can be read at once`;
  return new Fault("unfit-tree", { retry: "never", message });
}
