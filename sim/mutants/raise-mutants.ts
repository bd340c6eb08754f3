// Planted in what people raise for a run.

import type { Mutant } from "./mutant.ts";

const raise = "src/core/run/raise.ts";

export const raiseMutants: readonly Mutant[] = [
  {
    name: "a limit of a run is lowered, too",
    file: raise,
    find: "if (value <= now) return",
    replace: "if (value === now) return",
  },
  {
    name: "what is over is raised, too",
    file: raise,
    find: "if (isOver(run.state)) return",
    replace: "if (run.state === undefined) return",
  },
  {
    name: "what was raised is forgotten",
    file: raise,
    find: "  run.settings = { ...run.settings, [limit]: value };\n",
    replace: "  run.settings = { ...run.settings };\n",
  },
];
