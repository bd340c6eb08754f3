// Planted in what is said of runs that get nowhere.

import type { Mutant } from "./mutant.ts";

const stuck = "src/core/run/stuck.ts";
const acts = "src/core/run/stuck-acts.ts";

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
    find: "  takeUpAgain(step, run, what);\n}\n\nfunction sayStuck",
    replace: "}\n\nfunction sayStuck",
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
    find: "return run.stuck.why === why || strengthOf(chooseAct(state, run, why).act) <= strengthOf(run.stuck.act);",
    replace: "return run.stuck.why === why;",
  },
  {
    name: "what is told of one reason hides what another would have stopped",
    file: stuck,
    find: "return run.stuck.why === why || strengthOf(chooseAct(state, run, why).act) <= strengthOf(run.stuck.act);",
    replace: "return true;",
  },
  {
    name: "what is to be paused is told instead",
    file: acts,
    find: 'if (act === "pause") pauseRun(',
    replace: 'if (act === "pause" && run.sub) pauseRun(',
  },
  {
    name: "what is to be stopped goes on",
    file: acts,
    find: 'if (act === "stop") moveRun(',
    replace: 'if (act === "stop" && run.sub) moveRun(',
  },
  {
    name: "a nudge is taken for work",
    file: "src/core/run/run-evolve.ts",
    find: 'if (event.type === "run.messaged") return event.nudge !== true;',
    replace: 'if (event.type === "run.messaged") return true;',
  },
  {
    name: "nobody is escalated after a restart",
    file: "src/core/due.ts",
    find: "    watchSilence(state, run);\n    watchNeeds(state, run);\n",
    replace: "    watchSilence(state, run);\n",
  },
  {
    name: "the same wait is escalated again",
    file: "src/core/run/escalation.ts",
    find: 'kind !== "delayed" && run.escalated[kind] !== sinceMs',
    replace: 'kind !== "delayed"',
  },
  {
    name: "a new policy on patience counts from the next wait",
    file: "src/core/evolve.ts",
    find: '      watchAll(state);\n      watchAllNeeds(state);\n      return;\n    case "policy.removed":',
    replace: '      watchAll(state);\n      return;\n    case "policy.removed":',
  },
];
