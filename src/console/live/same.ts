// Keeps the identity of what did not change, so that a list fetched anew redraws only the rows that differ.

/** Plain data only. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((each, at) => isSame(each, b[at]));
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => isSame((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]));
}

/** The old value where both say the same. */
export function keepSame<T>(old: T | undefined, fresh: T): T {
  return old !== undefined && isSame(old, fresh) ? old : fresh;
}
