// Somebody at a terminal, whoever keeps it: keys go in, and what is to be seen comes out.

export type Seat = {
  readonly type: (text: string) => void;
  /** Resolves when something is to be seen that has this in it. It is looked for in what comes from now on. */
  readonly sees: (text: string) => Promise<void>;
  readonly cpuMs: () => number;
  readonly stop: () => Promise<void>;
};

/** Looks for words in what comes, also where they are cut in two. */
export class Looking {
  #wanted: string | undefined;
  #end = "";
  #found: PromiseWithResolvers<void> | undefined;

  take(bytes: Uint8Array): void {
    if (this.#wanted === undefined) return;
    const text = this.#end + Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
    this.#end = text.slice(-this.#wanted.length);
    if (!text.includes(this.#wanted)) return;
    this.#wanted = undefined;
    this.#found?.resolve();
  }

  until(text: string): Promise<void> {
    [this.#wanted, this.#end, this.#found] = [text, "", Promise.withResolvers<void>()];
    return this.#found.promise;
  }
}

/** What programs say when keys have become theirs: before that the terminal itself would show them once more. */
export const ready = "ready";

/** Says so many bytes in short lines whenever it is given a word, and then the word in another spelling. */
export function flooding(bytes: number): string[] {
  const line = "a short line of text, as a build says it";
  return [
    "/bin/sh",
    "-c",
    `stty -echo; echo ready; while read word; do yes '${line}' | head -c ${bytes}; echo; echo "<$word>"; done`,
  ];
}

/** Says every key again. */
export const echoing: readonly string[] = ["/bin/sh", "-c", "stty raw -echo; echo ready; exec cat"];
