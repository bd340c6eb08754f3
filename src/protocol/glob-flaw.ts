// Globs that say something else than their writer thinks, or nothing at all. A policy that never applies is worse than
// none: somebody relies on it.

/** Why a glob of a policy cannot be meant (SC9); undefined when it can. */
export function findGlobFlaw(glob: string): string | undefined {
  if (glob.startsWith("/")) return "a glob is relative to the project: it has no slash in front";
  if (glob.startsWith("!")) return "a glob cannot be turned round by !; use the other rule (allowed or denied) instead";
  if (glob.includes("\\")) return "a glob has no backslashes: folders are parted by /, and nothing needs escaping";
  const parts = (glob.endsWith("/") ? glob.slice(0, -1) : glob).split("/");
  if (parts.includes("")) return "a glob has no empty part between slashes";
  if (parts.includes(".") || parts.includes("..")) return "a glob names paths inside the project, without . and ..";
  if (parts.some((part) => part.includes("**") && part !== "**"))
    return "** stands alone between slashes: write src/**/*.ts rather than src/**.ts";
  if (/\{[^}/]*,[^}/]*\}/.test(glob)) return "braces offer no choice here: write one glob for each";
  return isBalanced(glob) ? undefined : "a bracket in it has no other half";
}

/** Brackets are plain characters, as in `[id].tsx`; a single one is a pattern that broke off. */
function isBalanced(glob: string): boolean {
  const halves = { "]": "[", "}": "{" } as const;
  const open: string[] = [];
  for (const char of glob) {
    if (char === "[" || char === "{") open.push(char);
    else if ((char === "]" || char === "}") && open.pop() !== halves[char]) return false;
  }
  return open.length === 0;
}
