// Passes bytes on as they come, and covers what must not pass, one star for each byte, so that lengths stay as they were.
// Only bytes that may be the beginning of such a thing are held back, until it is clear.

const star = 0x2a;

export class MaskStream {
  readonly #forms: readonly Buffer[];
  #held: Buffer = Buffer.alloc(0);

  constructor(forms: readonly string[]) {
    this.#forms = forms.map((form) => Buffer.from(form));
  }

  /** The bytes that may pass now. */
  push(chunk: Buffer): Buffer {
    const isNew = this.#held.length > 0;
    const bytes = isNew ? Buffer.concat([this.#held, chunk]) : chunk;
    const masked = this.#mask(bytes);
    const keep = this.#openAt(masked);
    this.#held = masked.subarray(keep);
    return masked.subarray(0, keep);
  }

  /** What was held back, at the end. */
  end(): Buffer {
    const rest = this.#held;
    this.#held = Buffer.alloc(0);
    return rest;
  }

  #mask(bytes: Buffer): Buffer {
    let masked = bytes;
    for (const form of this.#forms) {
      for (let at = masked.indexOf(form); at !== -1; at = masked.indexOf(form, at)) {
        if (masked === bytes) masked = Buffer.from(bytes);
        masked.fill(star, at, at + form.length);
      }
    }
    return masked;
  }

  /** Where the end of the bytes begins to look like one of the forms. */
  #openAt(bytes: Buffer): number {
    let from = bytes.length;
    for (const form of this.#forms) {
      const [first = 0] = form;
      let at = bytes.indexOf(first, Math.max(0, bytes.length - form.length + 1));
      for (; at !== -1 && at < from; at = bytes.indexOf(first, at + 1))
        if (form.compare(bytes, at, bytes.length, 0, bytes.length - at) === 0) from = at;
    }
    return from;
  }
}
