// Which lines of two lists have no partner in the other: the shortest edit script, by Myers' search from both ends in
// linear space. Lists that have too little in common for that are split at lines that both have once (patience), and
// what is left then counts as changed whole: an answer that is never wrong, only coarse.

/** One mark for each line: 1 where it has no partner. */
export type Unpaired = { readonly base: Uint8Array; readonly work: Uint8Array };

/** Steps of the search in all; about 20 ms. Two versions of a file by the same hands need a thousandth of it. */
const stepsMax = 4_000_000;
const splitDepthMax = 24;

type Box = {
  readonly baseFrom: number;
  readonly baseTo: number;
  readonly workFrom: number;
  readonly workTo: number;
  /** How often it was split at lines that are there once. */
  readonly depth: number;
};

/** Marks what is not common to both lists. Equal numbers are equal lines. */
export function findUnpaired(base: Int32Array, work: Int32Array): Unpaired {
  const unpaired = { base: new Uint8Array(base.length), work: new Uint8Array(work.length) };
  const search = new Search(base, work);
  const open: Box[] = [{ baseFrom: 0, baseTo: base.length, workFrom: 0, workTo: work.length, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const box = trim(next, base, work);
    if (box.baseFrom === box.baseTo || box.workFrom === box.workTo) {
      unpaired.base.fill(1, box.baseFrom, box.baseTo);
      unpaired.work.fill(1, box.workFrom, box.workTo);
      continue;
    }
    const middle = search.findMiddle(box);
    if (middle !== undefined) {
      open.push({ ...box, baseTo: middle.base, workTo: middle.work });
      open.push({ ...box, baseFrom: middle.base, workFrom: middle.work });
      continue;
    }
    const anchors = box.depth < splitDepthMax ? findAnchors(box, base, work) : [];
    let { baseFrom, workFrom } = box;
    const depth = box.depth + 1;
    for (const anchor of anchors) {
      open.push({ baseFrom, baseTo: anchor.base, workFrom, workTo: anchor.work, depth });
      baseFrom = anchor.base + 1;
      workFrom = anchor.work + 1;
    }
    // Without an anchor nothing would change from here on: such a box counts as changed whole.
    const rest = { baseFrom, baseTo: box.baseTo, workFrom, workTo: box.workTo, depth };
    if (anchors.length > 0) {
      open.push(rest);
    } else {
      unpaired.base.fill(1, rest.baseFrom, rest.baseTo);
      unpaired.work.fill(1, rest.workFrom, rest.workTo);
    }
  }
  return unpaired;
}

function trim(box: Box, base: Int32Array, work: Int32Array): Box {
  let { baseFrom, baseTo, workFrom, workTo } = box;
  while (baseFrom < baseTo && workFrom < workTo && base[baseFrom] === work[workFrom]) {
    baseFrom++;
    workFrom++;
  }
  while (baseFrom < baseTo && workFrom < workTo && base[baseTo - 1] === work[workTo - 1]) {
    baseTo--;
    workTo--;
  }
  return { baseFrom, baseTo, workFrom, workTo, depth: box.depth };
}

type Point = { readonly base: number; readonly work: number };

/** The search for a point on a shortest path. A diagonal is base minus work; each keeps how far its best path came. */
class Search {
  readonly #base: Int32Array;
  readonly #work: Int32Array;
  readonly #ahead: Int32Array;
  readonly #back: Int32Array;
  readonly #zero: number;
  #stepsLeft = stepsMax;

  constructor(base: Int32Array, work: Int32Array) {
    this.#base = base;
    this.#work = work;
    this.#ahead = new Int32Array(base.length + work.length + 3);
    this.#back = new Int32Array(base.length + work.length + 3);
    this.#zero = work.length + 1;
  }

  /** Where paths from both ends of a trimmed box meet; undefined when that would take too long. */
  findMiddle(box: Box): Point | undefined {
    const { baseFrom, baseTo, workFrom, workTo } = box;
    const ahead = this.#ahead;
    const back = this.#back;
    const zero = this.#zero;
    const least = baseFrom - workTo;
    const most = baseTo - workFrom;
    const start = baseFrom - workFrom;
    const end = baseTo - workTo;
    const meetsAhead = ((start - end) & 1) !== 0;
    let aheadMin = start;
    let aheadMax = start;
    let backMin = end;
    let backMax = end;
    // A hopeless box must not spend what the others need.
    let steps = this.#stepsLeft >> 1;
    ahead[zero + start] = baseFrom;
    back[zero + end] = baseTo;
    for (;;) {
      if (aheadMin > least) ahead[zero + --aheadMin - 1] = -1;
      else aheadMin++;
      if (aheadMax < most) ahead[zero + ++aheadMax + 1] = -1;
      else aheadMax--;
      for (let diagonal = aheadMax; diagonal >= aheadMin; diagonal -= 2) {
        const at = zero + diagonal;
        const left = ahead[at - 1] ?? 0;
        const right = ahead[at + 1] ?? 0;
        const from = left >= right ? left + 1 : right;
        const to = this.#slideAhead(from, diagonal, box);
        steps -= to - from + 1;
        ahead[at] = to;
        if (meetsAhead && diagonal >= backMin && diagonal <= backMax && (back[at] ?? 0) <= to) {
          return this.#found(to, diagonal, steps);
        }
      }
      if (backMin > least) back[zero + --backMin - 1] = 0x7fff_ffff;
      else backMin++;
      if (backMax < most) back[zero + ++backMax + 1] = 0x7fff_ffff;
      else backMax--;
      for (let diagonal = backMax; diagonal >= backMin; diagonal -= 2) {
        const at = zero + diagonal;
        const left = back[at - 1] ?? 0;
        const right = back[at + 1] ?? 0;
        const from = left < right ? left : right - 1;
        const to = this.#slideBack(from, diagonal, box);
        steps -= from - to + 1;
        back[at] = to;
        if (!meetsAhead && diagonal >= aheadMin && diagonal <= aheadMax && to <= (ahead[at] ?? 0)) {
          return this.#found(to, diagonal, steps);
        }
      }
      if (steps <= 0) {
        this.#spend(steps);
        return undefined;
      }
    }
  }

  #found(at: number, diagonal: number, steps: number): Point {
    this.#spend(steps);
    return { base: at, work: at - diagonal };
  }

  /** Half of what is left was allowed, and this much of it was not needed. */
  #spend(unneeded: number): void {
    this.#stepsLeft = Math.max(0, this.#stepsLeft - (this.#stepsLeft >> 1) + unneeded);
  }

  #slideAhead(from: number, diagonal: number, box: Box): number {
    let at = from;
    while (at < box.baseTo && at - diagonal < box.workTo && this.#base[at] === this.#work[at - diagonal]) at++;
    return at;
  }

  #slideBack(from: number, diagonal: number, box: Box): number {
    let at = from;
    while (at > box.baseFrom && at - diagonal > box.workFrom && this.#base[at - 1] === this.#work[at - diagonal - 1]) {
      at--;
    }
    return at;
  }
}

/** The longest list of lines that both sides of the box have exactly once, in the same order on both. */
function findAnchors(box: Box, base: Int32Array, work: Int32Array): Point[] {
  const inWork = onceIn(work, box.workFrom, box.workTo);
  const pairs: Point[] = [];
  for (const [line, at] of onceIn(base, box.baseFrom, box.baseTo)) {
    const other = inWork.get(line);
    if (at >= 0 && other !== undefined && other >= 0) pairs.push({ base: at, work: other });
  }
  return longestRising(pairs.toSorted((a, b) => a.base - b.base));
}

/** Where each line is, or -1 where it is more than once. */
function onceIn(lines: Int32Array, from: number, to: number): Map<number, number> {
  const places = new Map<number, number>();
  for (let at = from; at < to; at++) {
    const line = lines[at] ?? 0;
    places.set(line, places.has(line) ? -1 : at);
  }
  return places;
}

/** Patience sorting: each pile's top is the best end of a rising list of that length. */
function longestRising(pairs: readonly Point[]): Point[] {
  const piles: number[] = [];
  const before: number[] = [];
  for (const [at, pair] of pairs.entries()) {
    let low = 0;
    let high = piles.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[piles[middle] ?? 0]?.work ?? 0) < pair.work) low = middle + 1;
      else high = middle;
    }
    before.push(low > 0 ? (piles[low - 1] ?? -1) : -1);
    piles[low] = at;
  }
  const rising: Point[] = [];
  for (let at = piles.at(-1) ?? -1; at >= 0; at = before[at] ?? -1) {
    const pair = pairs[at];
    if (pair !== undefined) rising.push(pair);
  }
  return rising.toReversed();
}
