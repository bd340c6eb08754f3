// Planted in what is said of runs that get nowhere.

import type { Mutant } from "./mutant.ts";

const stuck = "src/core/run/stuck.ts";

export const stuckMutants: readonly Mutant[] = [
  {
    name: "silence is told too early",
    file: stuck,
    find: "if (run.activeAtMs + value > step.nowMs) return watchSilence(step.state, run);",
    replace: "if (run.activeAtMs > step.nowMs) return watchSilence(step.state, run);",
  },
  {
    name: "whoever was silent once is not watched any more",
    file: stuck,
    find: "  run.stuck = null;\n  watchSilence(state, run);",
    replace: "  run.stuck = null;",
  },
  {
    name: "a sign of work stops the watch",
    file: stuck,
    find: "> step.nowMs) return watchSilence(step.state, run);",
    replace: "> step.nowMs) return;",
  },
  {
    name: "a new policy on silence counts from the next start",
    file: stuck,
    find: "for (const run of state.runs.values()) watchSilence(state, run);",
    replace: "",
  },
  {
    name: "a hung assistant is left alone",
    file: stuck,
    find: "if (isHung(step.state, run)) takeUpAgain(step, run, what);",
    replace: "",
  },
  {
    name: "going round in a circle is told one time too late",
    file: stuck,
    find: "if (run.repeats.count < value) return;",
    replace: "if (run.repeats.count <= value) return;",
  },
  {
    name: "another call does not end the circle",
    file: stuck,
    find: "count: isSame ? (run.repeats?.count ?? 0) + 1 : 1 };",
    replace: "count: (run.repeats?.count ?? 0) + 1 };",
  },
  {
    name: "calls that succeed count as failed ones",
    file: stuck,
    find: "run.toolErrors = ok ? 0 : run.toolErrors + 1;",
    replace: "run.toolErrors++;",
  },
  {
    name: "each reason is told in turn",
    file: stuck,
    find: "return stuck !== null;",
    replace: 'return stuck?.why === "silent";',
  },
];
