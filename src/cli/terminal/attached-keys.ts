// Keys that are for us and not for the program: ctrl-p, and then one more.

/** The last two open one more beside or below. */
export type AttachedKey = "detach" | "take" | "give" | "ask" | "say" | "side" | "stack";
/** Where there are several panes one may also go to the next, and put one away. */
export type PaneKey = AttachedKey | "next" | "away";

const prefix = 0x10;
export const keysOfOne: ReadonlyMap<number, AttachedKey> = new Map([
  [0x11, "detach"],
  [0x14, "take"],
  [0x07, "give"],
  [0x0b, "ask"],
  [0x13, "say"],
  [0x16, "side"],
  [0x04, "stack"],
]);
/** With those that are the program's elsewhere. */
export const keysAmongPanes: ReadonlyMap<number, PaneKey> = new Map<number, PaneKey>([
  ...keysOfOne,
  [0x0f, "next"],
  [0x1a, "away"],
]);

/** What a terminal puts around a paste, where the program has asked for it. */
export const pasteBegin = "\u001b[200~";
export const pasteEnd = "\u001b[201~";

/**
 * Divides what is typed. A ctrl-p that is not followed by one of ours is the program's, like everything else; and so is all of a
 * paste, for nobody has pressed a key that stands in it.
 */
export class AttachedKeys<Key extends PaneKey> {
  readonly #acts: ReadonlyMap<number, Key>;
  #isOpen = false;
  #isPasting = false;
  /** How much of what begins a paste, or ends it, has come. */
  #seen = 0;

  constructor(acts: ReadonlyMap<number, Key>) {
    this.#acts = acts;
  }

  take(bytes: Uint8Array): readonly (Uint8Array | Key)[] {
    const parts: (Uint8Array | Key)[] = [];
    let plain: number[] = [];
    const flush = (): void => {
      if (plain.length > 0) parts.push(Uint8Array.from(plain));
      plain = [];
    };
    for (const byte of bytes) {
      const isPasted = this.#isPasting;
      this.#watchPaste(byte);
      if (isPasted) {
        plain.push(byte);
        continue;
      }
      const act = this.#isOpen ? this.#acts.get(byte) : undefined;
      if (act !== undefined) {
        flush();
        parts.push(act);
        this.#isOpen = false;
        continue;
      }
      if (this.#isOpen) plain.push(prefix);
      this.#isOpen = byte === prefix;
      if (!this.#isOpen) plain.push(byte);
    }
    flush();
    return parts;
  }

  #watchPaste(byte: number): void {
    const awaited = this.#isPasting ? pasteEnd : pasteBegin;
    // No part of either stands in it once more, except for its first byte.
    this.#seen = byte === awaited.charCodeAt(this.#seen) ? this.#seen + 1 : Number(byte === awaited.charCodeAt(0));
    if (this.#seen < awaited.length) return;
    this.#isPasting = !this.#isPasting;
    this.#seen = 0;
  }
}
