// A line that a person writes to the others at a terminal. Its letters never reach the program.

export type SayEnd = { readonly text: string } | "left";

const charsMax = 500;
const enter = "\r";
const escape = "\u001b";
const interrupt = "\u0003";
const erase = new Set(["\u007f", "\b"]);
const eraseAll = "\u0015";

export class SayLine {
  readonly #decoder = new TextDecoder();
  text = "";

  /** Takes keys; answers how it ended, once it has. What is typed after that is nobody's. */
  take(bytes: Uint8Array): SayEnd | undefined {
    const typed = this.#decoder.decode(bytes, { stream: true });
    // Keys such as arrows begin like the one that leaves, and mean nothing here.
    if (typed.startsWith(escape)) return typed === escape ? "left" : undefined;
    for (const key of typed) {
      if (key === enter) return this.text.trim() === "" ? "left" : { text: this.text.trim() };
      if (key === interrupt) return "left";
      if (erase.has(key)) this.text = Array.from(this.text).slice(0, -1).join("");
      else if (key === eraseAll) this.text = "";
      else if (key >= " " && this.text.length + key.length <= charsMax) this.text += key;
    }
    return undefined;
  }
}
