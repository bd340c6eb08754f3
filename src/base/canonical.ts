/**
 * Writes plain data as JSON with sorted keys, so that equal values give equal bytes. Hashes and comparisons of state
 * stand on it.
 */
export function canonical(value: unknown): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value instanceof Map) return canonical([...value.entries()].toSorted(byKey));
  if (value instanceof Set) return canonical([...value].map(canonical).toSorted());
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return `{${fields
    .toSorted(byKey)
    .map(([key, field]) => `${JSON.stringify(key)}:${canonical(field)}`)
    .join(",")}}`;
}

function byKey(a: readonly [unknown, unknown], b: readonly [unknown, unknown]): number {
  return compareText(String(a[0]), String(b[0]));
}

/** Orders text by code unit: the same everywhere, whatever the machine's language. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
