// What a program names is remembered under its names, and it may invent as many as it likes: only the newest are kept.

/** So much is awaited at once; whoever leaves more open has forgotten the first of it. */
const countMax = 1000;
/** Nobody calls anything by more; who does is not followed. */
export const nameCharsMax = 200;

export class Newest<Value> {
  readonly #values = new Map<string, Value>();

  get(name: string): Value | undefined {
    return this.#values.get(name);
  }

  set(name: string, value: Value): void {
    if (name.length > nameCharsMax) return;
    this.#values.set(name, value);
    const [oldest] = this.#values.keys();
    if (this.#values.size > countMax && oldest !== undefined) this.#values.delete(oldest);
  }

  /** What was there under the name, which it forgets. */
  take(name: string): Value | undefined {
    const value = this.#values.get(name);
    this.#values.delete(name);
    return value;
  }

  values(): Value[] {
    return [...this.#values.values()];
  }

  entries(): [string, Value][] {
    return [...this.#values];
  }
}
