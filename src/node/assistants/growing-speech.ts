// What an assistant has begun to say and has not said to its end, put together from its pieces. Secrets are covered here: they may
// come in pieces, too, between which whoever looks through what a program writes finds nothing.

import { StringDecoder } from "node:string_decoder";
import { SpelledStream } from "../../base/spellings/spelled-stream.ts";
import type { Heard } from "../../core/run/heard.ts";
import type { Growing, Piece } from "../../ports/growing-words.ts";
import { finderOf } from "../relay/redactor.ts";

/** As much as anybody reads while it grows. */
const shownCharsMax = 4000;
/** So many may speak at once. */
const speechesMax = 16;

type Speech = Pick<Piece, "of" | "parent"> & {
  readonly stream: SpelledStream;
  readonly decoder: StringDecoder;
  text: string;
  from: number;
};

export class GrowingSpeech {
  readonly #speeches = new Map<string, Speech>();
  readonly #finder: ReturnType<typeof finderOf>;
  #isNews = false;

  readonly #tell: (words: readonly Growing[]) => void;

  constructor(secrets: readonly string[], tell: (words: readonly Growing[]) => void) {
    this.#finder = finderOf(secrets);
    this.#tell = tell;
  }

  /** Takes in a line: what has ended with it first, then what goes on. */
  take(heard: readonly Heard[], pieces: readonly Piece[]): void {
    for (const item of heard) {
      if (item.is === "turn") this.#clear();
      else if (item.is === "message" || item.is === "thinking") this.#end(item.is, item.parent);
    }
    for (const piece of pieces) this.#grow(piece);
  }

  /** Tells what grows now, where that has changed. All that has ended has to be recorded before. */
  publish(): void {
    if (!this.#isNews) return;
    this.#isNews = false;
    this.#tell([...this.#speeches.values()].map(({ of, parent, text, from }) => ({ of, parent, text, from })));
  }

  /** Nobody says anything any more. */
  end(): void {
    this.#clear();
    this.publish();
  }

  #clear(): void {
    this.#isNews ||= this.#speeches.size > 0;
    this.#speeches.clear();
  }

  #end(of: Piece["of"], parent: string | null): void {
    if (this.#speeches.delete(`${of} ${parent}`)) this.#isNews = true;
  }

  #grow({ of, parent, text }: Piece): void {
    const key = `${of} ${parent}`;
    const speech = this.#speeches.get(key) ?? this.#begin(key, { of, parent });
    if (speech === undefined || text === "") return;
    const all = speech.text + speech.decoder.write(Buffer.from(speech.stream.push(Buffer.from(text))));
    const left = Math.max(0, all.length - shownCharsMax);
    speech.text = all.slice(left);
    speech.from += left;
    this.#isNews = true;
  }

  #begin(key: string, about: Pick<Piece, "of" | "parent">): Speech | undefined {
    if (this.#speeches.size >= speechesMax) return undefined;
    const stream = new SpelledStream(() => this.#finder);
    const speech = { ...about, stream, decoder: new StringDecoder("utf8"), text: "", from: 0 };
    this.#speeches.set(key, speech);
    return speech;
  }
}
