// Units have no wildcards: `*` is a letter that a file's name may have. Whoever writes one most likely means something else.

/** What to say to somebody who named such a unit; undefined where nobody did. */
export function wildcardHint(units: readonly string[]): string | undefined {
  const unit = units.find((each) => each.includes("*") && !each.startsWith("process:"));
  if (unit === undefined) return undefined;
  const folder = unit
    .slice(unit.indexOf(":") + 1, unit.indexOf("*"))
    .replace(/[^/]*$/, "")
    .replace(/\/+$/, "");
  return `"${unit}" is the one path of that very name: units have no wildcards. dir:${folder === "" ? "." : folder} is the folder with everything beneath.`;
}
