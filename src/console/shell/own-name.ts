// Under which name this person holds units. Claims under one name never conflict with each other.

import { readPreference } from "./preferences.ts";

const usual = "operator";

export function ownName(): string {
  return readPreference("name") ?? usual;
}
