// Windows of an agent side by side or one above the other: which are shown where, and how large each is. It is a part of the
// page's address, so that what one sees can be sent. Pure.

export type Panes = {
  readonly way: "side" | "stack";
  /** Terminals by their ids, views by `v.` and their names; each once. */
  readonly keys: readonly string[];
};

export const panesMax = 4;
const sizeMin = 0.15;
const keyPattern = /^(?:te_[0-9a-z]{1,16}|v\.[a-z0-9][a-z0-9.-]{0,63})$/;

export const viewKey = (window: string): string => `v.${window}`;
export const windowOfView = (key: string): string | null => (key.startsWith("v.") ? key.slice(2) : null);

/** `side~te_1a,v.web`; null where it is none. */
export function parsePanes(text: string | null): Panes | null {
  const [way, list, ...more] = (text ?? "").split("~");
  if ((way !== "side" && way !== "stack") || list === undefined || more.length > 0) return null;
  const keys = [...new Set(list.split(","))].filter((key) => keyPattern.test(key)).slice(0, panesMax);
  return keys.length === 0 ? null : { way, keys };
}

export function toPanesText(panes: Panes): string;
export function toPanesText(panes: Panes | null): string | null;
export function toPanesText(panes: Panes | null): string | null {
  return panes === null ? null : `${panes.way}~${panes.keys.join(",")}`;
}

/** Shows a window in the pane at a place; one that is shown already stays where it is. */
export function showAt(panes: Panes | null, at: number, key: string): Panes {
  if (panes === null) return { way: "side", keys: [key] };
  if (panes.keys.includes(key)) return panes;
  return { ...panes, keys: panes.keys.map((old, index) => (index === at ? key : old)) };
}

/** One more pane after the one at a place; where there is no room, that one shows it. */
export function splitAt(panes: Panes | null, at: number, key: string, way: Panes["way"]): Panes {
  if (panes === null) return { way, keys: [key] };
  if (panes.keys.includes(key)) return { ...panes, way };
  if (panes.keys.length >= panesMax) return { ...showAt(panes, at, key), way };
  return { way, keys: [...panes.keys.slice(0, at + 1), key, ...panes.keys.slice(at + 1)] };
}

/** Null when it was the last. */
export function leaveAt(panes: Panes, at: number): Panes | null {
  const keys = panes.keys.filter((_, index) => index !== at);
  return keys.length === 0 ? null : { ...panes, keys };
}

/** Another terminal stands in for one. */
export function renew(panes: Panes, from: string, to: string): Panes {
  return { ...panes, keys: [...new Set(panes.keys.map((key) => (key === from ? to : key)))] };
}

/** Shares of the room, one for each pane; those of another number of panes begin anew. */
export function fitSizes(sizes: readonly number[], count: number): readonly number[] {
  return sizes.length === count ? sizes : Array.from({ length: count }, () => 1 / count);
}

/** Moves the border after a pane; none gets smaller than one can use. */
export function moveBorder(sizes: readonly number[], at: number, by: number): readonly number[] {
  const [before = 0, after = 0] = [sizes[at], sizes[at + 1]];
  const least = Math.min(sizeMin, before, after);
  const moved = Math.max(least - before, Math.min(after - least, by));
  return sizes.map((size, index) => (index === at ? before + moved : index === at + 1 ? after - moved : size));
}
