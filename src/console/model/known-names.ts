// Which names a field of a form may have in it, where that is known: whoever writes one does not have to know them by heart.

import type { Field } from "./form-fields.ts";

export type Known = {
  readonly projects: readonly string[];
  readonly profiles: readonly string[];
  readonly policies: readonly string[];
  readonly runners: readonly string[];
  readonly agents: readonly string[];
  readonly secrets: readonly string[];
};

export const nothingKnown: Known = { projects: [], profiles: [], policies: [], runners: [], agents: [], secrets: [] };

const kinds: Readonly<Record<string, keyof Known>> = {
  project: "projects",
  profile: "profiles",
  policy: "policies",
  runner: "runners",
  agent: "agents",
  credential: "secrets",
  fallbacks: "runners",
  allowedRunners: "runners",
  deniedRunners: "runners",
};

/** The same fields, with what is known to choose from. Other names can be written all the same: not everything is there yet. */
export function withKnown(fields: readonly Field[], known: Known): Field[] {
  return fields.map((field) => {
    if (field.kind === "group") return { ...field, fields: withKnown(field.fields, known) };
    const kind = kinds[field.path.slice(field.path.lastIndexOf(".") + 1)];
    const names = kind === undefined ? [] : known[kind];
    if (names.length === 0) return field;
    if (field.kind === "text") return { ...field, options: names };
    // One on each line: there the names are said.
    return field.kind === "list" ? { ...field, help: `${field.help} There is ${names.join(", ")}.`.trim() } : field;
  });
}
