// Planted in runs that work in living agents: who is in one, who waits for it, and what becomes of the work when it goes.

import type { Mutant } from "./mutant.ts";

const state = "src/core/state.ts";
const tenancy = "src/core/agent/tenancy.ts";

export const lodgingMutants: readonly Mutant[] = [
  {
    name: "a second run begins in an agent",
    file: state,
    find: 'return agent.run === null && agent.state === "running" ? undefined : agent;',
    replace: 'return agent.state === "running" ? undefined : agent;',
  },
  {
    name: "a run begins in an agent that does not run",
    file: state,
    find: 'return agent.run === null && agent.state === "running" ? undefined : agent;',
    replace: "return agent.run === null ? undefined : agent;",
  },
  {
    name: "a run goes on in an agent whose place is gone",
    file: state,
    find: 'if (isIn) return agent.isMade && agent.state !== "stopping" ? undefined : agent;',
    replace: "if (isIn) return undefined;",
  },
  {
    name: "an agent goes before the work of its run is saved",
    file: "src/core/acts.ts",
    find: '  if (wish !== "run" && agent.run !== null) return [];\n',
    replace: "",
  },
  {
    name: "an agent that is begun anew leaves its run at work",
    file: tenancy,
    find: "if (takesSlot(member.state)) goOn(",
    replace: 'if (member.state === "blocked") goOn(',
  },
  {
    name: "a run that waits for an agent that is gone waits for ever",
    file: "src/core/react.ts",
    find: "      return failHomeless(step, event.agent);\n",
    replace: "      return;\n",
  },
  {
    name: "nobody hears that an agent is free",
    file: "src/core/run/run-evolve.ts",
    find: "  agent.run = null;\n  state.table.recheck.slots = true;\n",
    replace: "  agent.run = null;\n",
  },
  {
    name: "a run is held back by one that waits for its agent",
    file: "src/core/run/run-flow.ts",
    find: "  awaitAgent(step, run);\n",
    replace: "",
  },
  {
    name: "a late report of what was in an agent takes a run's own work away",
    file: "src/core/run/driver-inputs.ts",
    find: "if (agent === null || run.entered || isOver(run.state) ||",
    replace: "if (agent === null || isOver(run.state) ||",
  },
  {
    name: "an agent that was ending before it was wanted gone is gone before its run's work is saved",
    file: "src/core/agent/agent-decide.ts",
    find: 'if (agent.wish !== "run" && agent.run !== null) return done();',
    replace: "",
  },
];
