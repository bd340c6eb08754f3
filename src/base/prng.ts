/**
 * A seeded source of chance. `stream` derives an independent one by name, so that one more draw in the workload does
 * not shift the faults.
 */
export class Prng {
  #a: number;
  #b: number;
  #c: number;
  #d: number;
  readonly #seed: number;

  constructor(seed: number) {
    this.#seed = seed;
    let x = (seed ^ 0x9e3779b9) | 0;
    const next = (): number => {
      x = (x + 0x9e3779b9) | 0;
      let z = x;
      z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
      z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
      return (z ^ (z >>> 15)) | 0;
    };
    this.#a = next() ^ Math.floor(seed / 0x1_0000_0000);
    this.#b = next();
    this.#c = next();
    this.#d = next() | 1;
    for (let i = 0; i < 12; i++) this.u32();
  }

  /** A named child. The same seed and name always give the same stream. */
  stream(name: string): Prng {
    let hash = 0x811c9dc5;
    for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
    return new Prng((this.#seed ^ (hash >>> 0)) >>> 0 || 1);
  }

  u32(): number {
    const t = (this.#a + this.#b + this.#d) | 0;
    this.#d = (this.#d + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + t;
    return t >>> 0;
  }

  /** In [0, 1). */
  unit(): number {
    return this.u32() / 0x1_0000_0000;
  }

  /** A whole number in [0, below). */
  below(below: number): number {
    return Math.floor(this.unit() * below);
  }

  between(min: number, max: number): number {
    return min + this.below(max - min + 1);
  }

  chance(probability: number): boolean {
    return this.unit() < probability;
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new RangeError("pick needs at least one item");
    return item;
  }

  bytes(count: number): Uint8Array {
    const bytes = new Uint8Array(count);
    for (let i = 0; i < count; i++) bytes[i] = this.u32() & 255;
    return bytes;
  }
}
