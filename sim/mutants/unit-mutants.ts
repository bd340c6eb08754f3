// Planted in the names of units and in the index over them.

import type { Mutant } from "./mutant.ts";

const index = "src/core/lease/unit-index.ts";
const unit = "src/core/lease/unit.ts";
const guard = "src/core/lease/fence-guard.ts";

export const unitMutants: readonly Mutant[] = [
  {
    name: "the index forgets what lies beneath a folder",
    file: index,
    find: "return someBeneath(place, visit);",
    replace: "return false;",
  },
  {
    name: "the index looks only one level deep",
    file: index,
    find: "return place.beneath > 0 && someBeneath(place, visit);",
    replace: "return false;",
  },
  {
    name: "the index drops a folder that still has entries beneath",
    file: index,
    find: "if (place.entries.length === 0 && place.beneath === 0) dropChild",
    replace: "if (place.entries.length === 0) dropChild",
  },
  {
    name: "a file covers the folder of its name",
    file: unit,
    find: 'return outer.kind === "dir" || inner.kind === "file";',
    replace: "return true;",
  },
  {
    name: "a file covers what would lie beneath it",
    file: unit,
    find: 'return outer.kind === "dir" && isBeneath(inner, outer);',
    replace: "return isBeneath(inner, outer);",
  },
  {
    name: "ancestors are kin only upwards",
    file: unit,
    find: "return a.key === b.key || isBeneath(a, b) || isBeneath(b, a);",
    replace: "return a.key === b.key || isBeneath(b, a);",
  },
  {
    name: "case is never folded",
    file: unit,
    find: "return foldCase ? composed",
    replace: "return foldCase && composed === '' ? composed",
  },
  {
    name: "processes of one's own are shared",
    file: unit,
    find: "rule.ownProcesses.has(name) ? `${name}@${family}` : name",
    replace: "name",
  },
  {
    name: "the guard forgets that a family is over",
    file: guard,
    find: 'if (this.#over.has(act.family)) return "expired";',
    replace: "",
  },
  {
    name: "the guard looks only at the same unit",
    file: guard,
    find: "const stale = this.#seen.someConflict(\n      act.unit,",
    replace: "const stale = this.#seen.at(act.unit).some(",
  },
  {
    name: "the guard lets through what was given back",
    file: guard,
    find: 'if (this.#givenBack.get(act.family)?.has(act.fence) === true) return "stale-fence";',
    replace: "",
  },
  {
    name: "the guard believes any fence from before the restart",
    file: guard,
    find: "act.fence < primed.before && ",
    replace: "act.fence < 0 && ",
  },
];
