// Finds what conflicts with a unit (LS44). It owns a trie over path segments and a flat map of process names. Each node
// keeps the entries of its own path and how many lie beneath, so that a question costs the path's depth plus the number
// of real conflicts, whatever else is held.

import { assert } from "../../base/assert.ts";
import { placeIn } from "../../base/sorted.ts";
import type { Unit } from "./unit.ts";

/** Something that stands on a unit: a lease, or a claim that waits for it. */
export type Entry = { readonly unit: Unit };

type Place<E> = {
  readonly parent: Place<E> | undefined;
  readonly segment: string;
  readonly entries: E[];
  /** How many entries stand on paths strictly beneath this one. */
  beneath: number;
  /** The only child, while there has been no more than one: units come and go, and a map for each folder is dear. */
  child: Place<E> | undefined;
  /** All children, from the second one on. */
  children: Map<string, Place<E>> | undefined;
};

export class UnitIndex<E extends Entry> {
  readonly #root: Place<E> = makePlace<E>(undefined, "");
  readonly #processes = new Map<string, E[]>();
  readonly #order: ((entry: E) => number) | undefined;
  #size = 0;

  /** With an order, the entries of each name stand by it, smallest first; else as they came. */
  constructor(order?: (entry: E) => number) {
    this.#order = order;
  }

  get size(): number {
    return this.#size;
  }

  add(entry: E): void {
    this.#size++;
    const { unit } = entry;
    if (unit.kind === "process") {
      const list = this.#processes.get(unit.key);
      if (list === undefined) this.#processes.set(unit.key, [entry]);
      else this.#insert(list, entry);
      return;
    }
    let place = this.#root;
    for (const segment of unit.segments) {
      place.beneath++;
      place = childOf(place, segment) ?? addChild(place, segment);
    }
    this.#insert(place.entries, entry);
  }

  remove(entry: E): void {
    this.#size--;
    const { unit } = entry;
    if (unit.kind === "process") {
      const list = this.#processes.get(unit.key);
      assert(list !== undefined, () => `no entry stands on ${unit.text}`);
      this.#drop(list, entry);
      if (list.length === 0) this.#processes.delete(unit.key);
      return;
    }
    const place = this.#find(unit);
    assert(place !== undefined, () => `no entry stands on ${unit.text}`);
    this.#drop(place.entries, entry);
    this.#leave(place);
  }

  /** Brings what stands on these names back into order, after the order of entries has changed. */
  sort(units: Iterable<Unit>): void {
    const order = this.#order;
    assert(order !== undefined, "only what has an order is sorted");
    const lines = new Set<E[]>();
    for (const unit of units) {
      const line = unit.kind === "process" ? this.#processes.get(unit.key) : this.#find(unit)?.entries;
      if (line !== undefined) lines.add(line);
    }
    for (const line of lines) line.sort((a, b) => order(a) - order(b));
  }

  /** The entries that stand on exactly this path or process name. */
  at(unit: Unit): readonly E[] {
    if (unit.kind === "process") return this.#processes.get(unit.key) ?? [];
    return this.#find(unit)?.entries ?? [];
  }

  /** Visits every entry that conflicts with the unit (LS4), ancestors first, until the visitor returns true. */
  someConflict(unit: Unit, visit: (entry: E) => boolean): boolean {
    return this.someLine(unit, (line) => line.some(visit));
  }

  /**
   * The same, a name at a time: what stands on one name comes as one list. A list keeps its identity for as long as
   * anything stands on its name or beneath. `goesBeneath` is asked, with the list of the unit's own name, whether to
   * look at the names beneath.
   */
  someLine(unit: Unit, visit: (line: readonly E[]) => boolean, goesBeneath?: (line: readonly E[]) => boolean): boolean {
    if (this.#size === 0) return false;
    if (unit.kind === "process") {
      const line = this.#processes.get(unit.key);
      return line !== undefined && visit(line);
    }
    let place: Place<E> | undefined = this.#root;
    if (place.entries.length > 0 && visit(place.entries)) return true;
    for (const segment of unit.segments) {
      place = childOf(place, segment);
      if (place === undefined) return false;
      if (place.entries.length > 0 && visit(place.entries)) return true;
    }
    if (place.beneath === 0 || goesBeneath?.(place.entries) === false) return false;
    return someBeneath(place, visit);
  }

  /** Visits the entries on the unit's own name and on the folders above it. */
  someAbove(unit: Unit, visit: (entry: E) => boolean): boolean {
    if (unit.kind === "process") return (this.#processes.get(unit.key) ?? []).some(visit);
    let place: Place<E> | undefined = this.#root;
    if (place.entries.some(visit)) return true;
    for (const segment of unit.segments) {
      place = childOf(place, segment);
      if (place === undefined) return false;
      if (place.entries.some(visit)) return true;
    }
    return false;
  }

  #find(unit: Unit): Place<E> | undefined {
    let place: Place<E> | undefined = this.#root;
    for (const segment of unit.segments) {
      place = childOf(place, segment);
      if (place === undefined) return undefined;
    }
    return place;
  }

  #insert(list: E[], entry: E): void {
    const last = list.at(-1);
    if (this.#order === undefined || last === undefined || this.#order(last) <= this.#order(entry)) list.push(entry);
    else list.splice(this.#placeOf(list, entry), 0, entry);
  }

  #drop(list: E[], entry: E): void {
    // One claim may stand twice on a name, as a file and as a folder.
    const at = list.indexOf(entry, this.#placeOf(list, entry));
    assert(at >= 0, "an entry is removed once");
    list.splice(at, 1);
  }

  #placeOf(list: readonly E[], entry: E): number {
    const order = this.#order;
    if (order === undefined) return 0;
    const own = order(entry);
    return placeIn(list, (other) => order(other) < own);
  }

  #leave(from: Place<E>): void {
    let place = from;
    while (place.parent !== undefined) {
      const parent: Place<E> = place.parent;
      parent.beneath--;
      if (place.entries.length === 0 && place.beneath === 0) dropChild(parent, place);
      place = parent;
    }
  }
}

function makePlace<E>(parent: Place<E> | undefined, segment: string): Place<E> {
  return { parent, segment, entries: [], beneath: 0, child: undefined, children: undefined };
}

function childOf<E>(place: Place<E>, segment: string): Place<E> | undefined {
  if (place.children !== undefined) return place.children.get(segment);
  return place.child?.segment === segment ? place.child : undefined;
}

function addChild<E>(place: Place<E>, segment: string): Place<E> {
  const child = makePlace(place, segment);
  if (place.children !== undefined) place.children.set(segment, child);
  else if (place.child === undefined) place.child = child;
  else {
    place.children = new Map([
      [place.child.segment, place.child],
      [segment, child],
    ]);
    place.child = undefined;
  }
  return child;
}

function dropChild<E>(place: Place<E>, child: Place<E>): void {
  if (place.children === undefined) place.child = undefined;
  else place.children.delete(child.segment);
}

function someBeneath<E>(place: Place<E>, visit: (line: readonly E[]) => boolean): boolean {
  if (place.child !== undefined) return someAt(place.child, visit);
  if (place.children === undefined) return false;
  for (const child of place.children.values()) if (someAt(child, visit)) return true;
  return false;
}

function someAt<E>(place: Place<E>, visit: (line: readonly E[]) => boolean): boolean {
  if (place.entries.length > 0 && visit(place.entries)) return true;
  return place.beneath > 0 && someBeneath(place, visit);
}
