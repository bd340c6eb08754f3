// Path patterns of policies. `*` stays within a name, `**` crosses folders, `?` is one character; a pattern that ends in
// a slash means everything beneath. There is nothing else, so that a rule reads the same to everyone.

/** Whether the pattern names this path, which is relative to the project. */
export function matchesGlob(pattern: string, path: string): boolean {
  const full = pattern.endsWith("/") ? `${pattern}**` : pattern;
  return matchParts(full.split("/"), path === "" ? [] : path.split("/"));
}

function matchParts(pattern: readonly string[], path: readonly string[]): boolean {
  // reachable[j]: the pattern read so far can stand for the first j names. One row per part keeps hostile patterns linear.
  let reachable = path.map(() => false);
  reachable = [true, ...reachable];
  for (const part of pattern) {
    const next = reachable.map(() => false);
    let open = false;
    for (let at = 0; at <= path.length; at++) {
      if (part === "**") {
        open ||= reachable[at] === true;
        next[at] = open;
      } else if (at > 0) {
        next[at] = reachable[at - 1] === true && matchName(part, path[at - 1] ?? "");
      }
    }
    reachable = next;
  }
  return reachable[path.length] === true;
}

function matchName(pattern: string, name: string): boolean {
  const chars = Array.from(name);
  let reachable = [true, ...chars.map(() => false)];
  for (const char of pattern) {
    const next = reachable.map(() => false);
    let open = false;
    for (let at = 0; at < reachable.length; at++) {
      if (char === "*") {
        open ||= reachable[at] === true;
        next[at] = open;
      } else if (at > 0) {
        next[at] = reachable[at - 1] === true && (char === "?" || char === chars[at - 1]);
      }
    }
    reachable = next;
  }
  return reachable.at(-1) === true;
}
