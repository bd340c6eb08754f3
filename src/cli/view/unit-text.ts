/** A unit as people write it: the whole project is a folder without a name, and that is a dot. */
export function toUnitText(unit: string): string {
  return unit === "dir:" ? "dir:." : unit;
}
