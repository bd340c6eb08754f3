// Path patterns. `*` stays within a name, `**` crosses folders, `?` is one character; a pattern that ends in
// a slash means everything beneath. There is nothing else, so that a rule reads the same to everyone.

import { fits } from "./fits.ts";

/** Whether the pattern names this path, which is relative to the project. */
export function matchesGlob(pattern: string, path: string): boolean {
  const full = pattern.endsWith("/") ? `${pattern}**` : pattern;
  return matchParts(full.split("/"), path === "" ? [] : path.split("/"));
}

function matchParts(pattern: readonly string[], path: readonly string[]): boolean {
  return fits(pattern, path, { star: "**", matches: matchName });
}

function matchName(pattern: string, name: string): boolean {
  return fits(Array.from(pattern), Array.from(name), {
    star: "*",
    matches: (one, other) => one === "?" || one === other,
  });
}
