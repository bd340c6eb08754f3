// What comes through a pipe, a message in each line. One that is too long or is no JSON is answered here and goes no
// further: the library would stop at the first and say nothing of the second, and whoever asked would wait for ever.

import { Transform, type TransformCallback } from "node:stream";
import { toWireError, type WireError } from "../protocol/errors.ts";
import { parseJson } from "../protocol/json.ts";
import { limits } from "../protocol/limits.ts";
import { rpcErrorOf } from "./rpc-error.ts";

/** How much of the two ends of a long message is looked at, to find out whom to answer. */
const endBytesMax = 256;
const newline = 10;

/** Passes messages on, one chunk each. What is wrong with any other is told to `answer`, as a line of JSON-RPC. */
export class MessageLines extends Transform {
  readonly #answer: (line: string) => void;
  #parts: Buffer[] = [];
  #bytes = 0;
  /** The beginning and the end of a message that is too long to be kept. */
  #ends: { readonly head: string; tail: Buffer } | undefined;

  constructor(answer: (line: string) => void) {
    super({ readableObjectMode: true });
    this.#answer = answer;
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    let from = 0;
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, from)) {
      this.#add(chunk.subarray(from, at));
      this.#end();
      from = at + 1;
    }
    if (from < chunk.length) this.#add(chunk.subarray(from));
    done();
  }

  override _flush(done: TransformCallback): void {
    if (this.#bytes > 0) this.#end();
    done();
  }

  #add(bytes: Buffer): void {
    this.#bytes += bytes.length;
    if (this.#ends !== undefined) {
      this.#ends.tail = lastOf(Buffer.concat([this.#ends.tail, lastOf(bytes)]));
      return;
    }
    this.#parts.push(bytes);
    if (this.#bytes <= limits.requestBytesMax) return;
    const all = Buffer.concat(this.#parts);
    this.#ends = { head: all.toString("utf8", 0, endBytesMax), tail: Buffer.from(lastOf(all)) };
    this.#parts = [];
  }

  #end(): void {
    const ends = this.#ends;
    const line = Buffer.concat(this.#parts);
    const bytes = this.#bytes;
    this.#parts = [];
    this.#bytes = 0;
    this.#ends = undefined;
    if (ends !== undefined) {
      const why = `it has ${bytes} bytes, and at most ${limits.requestBytesMax} are taken`;
      return this.#refuse(findId(ends.head, ends.tail.toString("utf8")), toWireError("too-large", { why }));
    }
    const text = line.toString("utf8");
    if (text.trim() === "") return;
    const parsed = parseJson(text);
    if (parsed.ok) this.push(Buffer.concat([line, Buffer.of(newline)]));
    else
      this.#refuse(
        findId(text.slice(0, endBytesMax), text.slice(-endBytesMax)),
        toWireError(parsed.refusal.code, { why: parsed.refusal.why }),
      );
  }

  #refuse(id: number | string | null, error: WireError): void {
    this.#answer(`${JSON.stringify(rpcErrorOf(id, error))}\n`);
  }
}

function lastOf(bytes: Buffer): Buffer {
  return bytes.subarray(Math.max(0, bytes.length - endBytesMax));
}

const idText = String.raw`"id"\s*:\s*(-?\d{1,15}|"[^"\\]{0,128}")`;
const versionText = String.raw`"jsonrpc"\s*:\s*"2\.0"`;
const idFirst = new RegExp(String.raw`^\s*\{\s*(?:${versionText}\s*,\s*)?${idText}\s*,`);
const idLast = new RegExp(String.raw`,\s*${idText}\s*(?:,\s*${versionText}\s*)?\}\s*$`);

/** Whom to answer, where a message says so at its beginning or its end, as every client that we know writes it. */
function findId(head: string, tail: string): number | string | null {
  const found = idFirst.exec(head)?.[1] ?? idLast.exec(tail)?.[1];
  return found === undefined ? null : (JSON.parse(found) as number | string);
}
