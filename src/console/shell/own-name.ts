// Under which name this person holds units. Claims under one name never conflict with each other.

import { keepPreference, readPreference } from "./preferences.ts";

const usual = "operator";

export function ownName(): string {
  return readPreference("name") ?? usual;
}

/** Answers whether it was kept: the daemon takes only such names. */
export function keepOwnName(name: string): boolean {
  if (!/^[a-zA-Z][a-zA-Z0-9.@-]{0,63}$/.test(name)) return false;
  keepPreference("name", name);
  return true;
}
