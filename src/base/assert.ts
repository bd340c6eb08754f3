/** Our own mistake. It is thrown, never returned: the process stops and the restart replays the log. */
export class Defect extends Error {
  override readonly name = "Defect";
}

/**
 * States what must hold. Asserts ship: a state that breaks one is worse than a restart. Where every event comes by, `what`
 * is a function: a sentence that nobody will read costs more than the check.
 */
export function assert(condition: unknown, what: string | (() => string)): asserts condition {
  if (!condition) throw new Defect(typeof what === "string" ? what : what());
}

/** Marks a branch that the types say cannot be reached. */
export function unreachable(value: never): never {
  throw new Defect(`unreachable: ${JSON.stringify(value)}`);
}

/** Reads a map entry that must be there. */
export function mustGet<K, V>(map: ReadonlyMap<K, V>, key: K, what: string): V {
  const value = map.get(key);
  if (value === undefined) throw new Defect(`${what} ${String(key)} is not known`);
  return value;
}
