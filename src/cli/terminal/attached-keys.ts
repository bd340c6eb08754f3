// Keys that are for us and not for the program: ctrl-p, and then one more.

export type AttachedKey = "detach" | "take" | "give" | "ask" | "say";

const prefix = 0x10;
const acts: ReadonlyMap<number, AttachedKey> = new Map([
  [0x11, "detach"],
  [0x14, "take"],
  [0x07, "give"],
  [0x0b, "ask"],
  [0x13, "say"],
]);

/** Divides what is typed. A ctrl-p that is not followed by one of ours is the program's, like everything else. */
export class AttachedKeys {
  #isOpen = false;

  take(bytes: Uint8Array): readonly (Uint8Array | AttachedKey)[] {
    const parts: (Uint8Array | AttachedKey)[] = [];
    let plain: number[] = [];
    const flush = (): void => {
      if (plain.length > 0) parts.push(Uint8Array.from(plain));
      plain = [];
    };
    for (const byte of bytes) {
      const act = this.#isOpen ? acts.get(byte) : undefined;
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
}
