// Path patterns. `*` stays within a name, `**` crosses folders, `?` is one character; a pattern that ends in
// a slash means everything beneath. There is nothing else, so that a rule reads the same to everyone.

/** Whether the pattern names this path, which is relative to the project. */
export function matchesGlob(pattern: string, path: string): boolean {
  const full = pattern.endsWith("/") ? `${pattern}**` : pattern;
  return matchParts(full.split("/"), path === "" ? [] : path.split("/"));
}

function matchParts(pattern: readonly string[], path: readonly string[]): boolean {
  return fits(pattern, path, "**", matchName);
}

function matchName(pattern: string, name: string): boolean {
  return fits(Array.from(pattern), Array.from(name), "*", (one, other) => one === "?" || one === other);
}

/**
 * Whether the pattern stands for exactly these items, where a star stands for any number of them. When the rest does not
 * fit, only the last star takes one more: what came before it fitted already. So a hostile pattern costs at most its
 * length times that of the path.
 */
function fits(
  pattern: readonly string[],
  items: readonly string[],
  star: string,
  matches: (part: string, item: string) => boolean,
): boolean {
  let part = 0;
  let item = 0;
  let retry: { part: number; item: number } | undefined;
  while (item < items.length) {
    const wanted = pattern[part];
    if (wanted === star) {
      part++;
      retry = { part, item };
    } else if (wanted !== undefined && matches(wanted, items[item] ?? "")) {
      part++;
      item++;
    } else if (retry !== undefined) {
      retry.item++;
      part = retry.part;
      item = retry.item;
    } else {
      return false;
    }
  }
  while (pattern[part] === star) part++;
  return part === pattern.length;
}
