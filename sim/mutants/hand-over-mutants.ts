// Planted in what follows when an assistant fails its run.

import type { Mutant } from "./mutant.ts";

const failure = "src/core/run/failure.ts";

export const handOverMutants: readonly Mutant[] = [
  {
    name: "who is denied may take over",
    file: failure,
    find: "return checkRunner(policies, name) === undefined;",
    replace: "return policies.length >= 0;",
  },
  {
    name: "a refusal is taken elsewhere",
    file: failure,
    find: '    case "missing":\n      return true;\n    case "refused":',
    replace: '    case "missing":\n    case "refused":\n      return true;',
  },
  {
    name: "whoever failed takes over from itself",
    file: failure,
    find: "fallbacks.indexOf(run.runner) + 1;",
    replace: "fallbacks.indexOf(run.runner);",
  },
  {
    name: "what an earlier assistant says late counts for the next",
    file: failure,
    find: "if (failure.runner !== run.runner || failure.life <= run.failedLife) return;",
    replace: "if (failure.life <= run.failedLife) return;",
  },
  {
    name: "who takes over does not go on",
    file: failure,
    find: '  if (run.state === "parked") goOn(step, run, `${next} takes over`);\n',
    replace: "",
  },
  {
    name: "a sub-run is handed over",
    file: failure,
    find: "if (run.sub || (at === 0 &&",
    replace: "if ((at === 0 &&",
  },
  {
    name: "a run waits for hours although another could take over",
    file: failure,
    find: "  if (waitMs > longWaitMs && hasNext) return undefined;\n",
    replace: "",
  },
  {
    name: "a slot that a sub-run works on stays with who had the run before",
    file: "src/core/run/run-evolve.ts",
    find: "  const hasSlot = state.working.has(run.id);",
    replace: "  const hasSlot = state.working.size < 0;",
  },
  {
    name: "tries have no end",
    file: failure,
    find: "  if (attempt > attemptsMax) return undefined;\n",
    replace: "",
  },
];
