// Work units as they are shown: the kind as an icon, the folder dim, the name in full.

export type UnitKind = "file" | "dir" | "process";
export type UnitParts = { readonly kind: UnitKind; readonly folder: string; readonly name: string };

export function splitUnit(unit: string): UnitParts {
  const colon = unit.indexOf(":");
  const kind = unit.slice(0, colon);
  const rest = unit.slice(colon + 1);
  if (kind === "process") return { kind, folder: "", name: rest };
  const slash = rest.lastIndexOf("/");
  const folder = rest.slice(0, slash + 1);
  const name = rest.slice(slash + 1);
  // The whole project is a folder without a name.
  return kind === "dir" ? { kind, folder, name: name === "" ? "./" : `${name}/` } : { kind: "file", folder, name };
}

/** The shortest that still says which one: app.ts, media/, bench. */
export function toShortUnit(unit: string): string {
  return splitUnit(unit).name;
}

/** Whether two units cannot be held by two: the same process, or one path is or contains the other. */
export function doUnitsTouch(a: string, b: string): boolean {
  if (a === b) return true;
  const [one, other] = [pathOf(a), pathOf(b)];
  if (one === undefined || other === undefined) return false;
  return one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`) || isAll(one) || isAll(other);
}

/** The whole project. */
function isAll(path: string): boolean {
  return path === "" || path === ".";
}

function pathOf(unit: string): string | undefined {
  const [, kind, path] = /^(file|dir):(.*)$/s.exec(unit) ?? [];
  return kind === undefined ? undefined : path;
}

/** How an address names a unit of a project. */
export function toUnitAddress(projectName: string, unit: string): string {
  return `${projectName}:${unit}`;
}
