// Planted in living agents: needs, ports, lives, order and the ladder.

import type { Mutant } from "./mutant.ts";

const flow = "src/core/agent/agent-flow.ts";
const decide = "src/core/agent/agent-decide.ts";
const evolve = "src/core/agent/agent-evolve.ts";
const ladder = "src/core/agent/ladder.ts";
const schedule = "src/core/agent/schedule.ts";
const renewal = "src/core/agent/renew.ts";
const state = "src/core/agent/agent-state.ts";

export const agentMutants: readonly Mutant[] = [
  {
    name: "a service does not wait for what it needs to be healthy",
    file: state,
    find: 'return until === "started" || (until === "healthy" && healthy === true);',
    replace: 'return until !== "completed";',
  },
  {
    name: "a service starts before the place of its agent is there",
    file: flow,
    find: "  if (!agent.isMade) return;\n",
    replace: "",
  },
  {
    name: "a port is given out that another agent has",
    file: "src/core/agent/agent-archive.ts",
    find: "return [...new Set(ports)].filter((port) => !reserved.has(port));",
    replace: "return [...new Set(ports)].filter((port) => !reserved.has(port - 1));",
  },
  {
    name: "one more agent is made than may be",
    file: "src/core/agent/agent-limit.ts",
    find: "if (count + more > max)",
    replace: "if (count > max)",
  },
  {
    name: "what is told of an earlier life of a service counts",
    file: decide,
    find: "const isNews = input.life === service.life;",
    replace: "const isNews = input.life <= service.life;",
  },
  {
    name: "services go down in no order",
    file: flow,
    find: "    if (!isNeeded(agent, service)) letGo(",
    replace: "    letGo(",
  },
  {
    name: "services go down while people are still in their terminals",
    file: flow,
    find: "if (agent.force || terminalsFirst(step.state, agent).length > 0) return;",
    replace: "if (agent.force) return;",
  },
  {
    name: "an agent that goes down forgets to look again when a service has ended",
    file: "src/core/acts.ts",
    find: '...shares, ...(agent.state === "stopping" ? placeActs(state, agent) : [])]',
    replace: "...shares]",
  },
  {
    name: "a rung of the ladder is tried again",
    file: ladder,
    find: "rungs.indexOf(each) > tried",
    replace: "rungs.indexOf(each) >= tried",
  },
  {
    name: "who runs into a limit of its own takes its agent along",
    file: ladder,
    find: 'return isOwn || cause === "port-taken" ?',
    replace: 'return cause === "port-taken" ?',
  },
  {
    name: "who was never well takes its siblings along",
    file: ladder,
    find: 'if (isOwnFault(agent, service, failing)) return ["ask"];',
    replace: 'if (isOwnFault(agent, service, failing)) return ["recreate", "ask"];',
  },
  {
    name: "who gets more memory for itself takes its agent along",
    file: ladder,
    find: 'if (room === "memory" && service !== null && service.state === "failed")',
    replace: 'if (room === "memory" && service !== null && service.state === "up")',
  },
  {
    name: "more memory is given than the template allows",
    file: "src/core/agent/room.ts",
    find: "Math.min(memoryBytes * 2, most)",
    replace: "memoryBytes * 2",
  },
  {
    name: "what was given is forgotten, and given again",
    file: evolve,
    find: 'const memory = { ...agent.room.memory, [service ?? ""]: memoryBytes ?? 0 };',
    replace: "const memory = agent.room.memory;",
  },
  {
    name: "other ports are given that another agent has",
    file: decide,
    find: "const others = unreserved(step.state, offered);",
    replace: "const others = [...new Set(offered)];",
  },
  {
    name: "what cannot be right is tried once more",
    file: ladder,
    find: 'if (failing.class === "configuration") return 0;',
    replace: 'if (failing.class === "configuration") return 1;',
  },
  {
    name: "a check that fails is no failure where nothing is started again",
    file: decide,
    find: "    return failAsItRuns(step, agent, service, failing, use ?? null);\n",
    replace: "    return;\n",
  },
  {
    name: "who is not well waits to be begun anew until it is",
    file: renewal,
    find: "if (each.outdated && isIll(each)) moveService(",
    replace: "if (each.outdated && isIll(each) && each.group === null) moveService(",
  },
  {
    name: "a renewal takes whom somebody stopped",
    file: renewal,
    find: "members.filter((each) => !each.wanted && !each.stopped)",
    replace: "members.filter((each) => !each.wanted)",
  },
  {
    name: "a mistake in the template is mended by beginning anew",
    file: ladder,
    find: 'configuration: ["ask"],',
    replace: 'configuration: ["respawn", "ask"],',
  },
  {
    name: "a failure is not told when it is tried again",
    file: ladder,
    find: "  tell(step, agent, service, failing, context);\n",
    replace: '  if (service.spec.restart.policy === "never") tell(step, agent, service, failing, context);\n',
  },
  {
    name: "whether it failed like this before is forgotten",
    file: evolve,
    find: "[found]: { count: count + 1, lastAtMs: atMs }",
    replace: "[found]: { count: 1, lastAtMs: atMs }",
  },
  {
    name: "the files of an agent are moved under a run in it",
    file: "src/core/agent/agent-refresh.ts",
    find: '  if (run !== null) return { code: "in-use", kind: "agent", id: name, by: run };\n',
    replace: "",
  },
  {
    name: "a policy for restarts is not asked",
    file: "src/core/agent/restart-budget.ts",
    find: "if (!enabled || rules.maxRestarts === undefined || !isFor || isOfRuns) return [];",
    replace: "if (!enabled || rules.maxRestarts === undefined || isFor || isOfRuns) return [];",
  },
  {
    name: "an old one goes before the new one is well",
    file: renewal,
    find: "if (wanted.length === 0 || !wanted.every(isWell)) return;",
    replace: "if (wanted.length === 0) return;",
  },
  {
    name: "a new one that does not come up takes its agent along",
    file: ladder,
    find: "  if (isNewcomer(agent, service)) {",
    replace: "  if (isNewcomer(agent, service) && service.life > 1000) {",
  },
  {
    name: "what is to be begun anew is forgotten while others are on their way",
    file: "src/core/react.ts",
    find: '    case "service.outdated":\n',
    replace: "",
  },
  {
    name: "a service that is starting misses that its files changed",
    file: "src/core/agent/service-asked.ts",
    find: 'if (service.state === "up" || service.state === "starting") markOutdated(step, agent, service, true, because);',
    replace: 'if (service.state === "up") markOutdated(step, agent, service, true, because);',
  },
  {
    name: "every time that passed is made up for",
    file: schedule,
    find: "const nextAtMs = nextOf(schedule, dayTimeOf(step));",
    replace: "const nextAtMs = nextOf(schedule, plannedAtMs);",
  },
  {
    name: "a schedule is forgotten when the engine is opened",
    file: "src/core/due.ts",
    find: "    for (const service of agent.services.values()) watchSchedule(state, agent, service);\n",
    replace: "",
  },
  {
    name: "a service that is delayed is never started again",
    file: evolve,
    find: "if (dueAtMs !== null) state.table.due.add(`service:${agent.id}/${spec.name}`, dueAtMs);",
    replace: "if (dueAtMs === 0) state.table.due.add(`service:${agent.id}/${spec.name}`, dueAtMs);",
  },
  {
    name: "an agent that is being removed can be started",
    file: "src/core/agent/agent-wish.ts",
    find: '  if (agent.wish === "remove" && want !== "remove") return;\n',
    replace: "",
  },
  {
    name: "an agent runs while a service of it does not",
    file: flow,
    find: 'if (agent.state === "running" || ![...agent.services.values()].every(isWell)) return;',
    replace: 'if (agent.state === "running" || ![...agent.services.values()].some(isWell)) return;',
  },
  {
    name: "an agent is stopped while its services still run",
    file: "src/core/acts.ts",
    find: "  if (!force && [...agent.services.values()].some((service) => hasProcess(service.state))) return [];\n",
    replace: "",
  },
  {
    name: "a snapshot forgets when services are started again",
    file: "src/core/due.ts",
    find: "    for (const service of agent.services.values()) watchDelayed(state, agent, service);\n",
    replace: "",
  },
  {
    name: "a service that somebody stopped comes up again",
    file: flow,
    find: "    if (!service.wanted) {\n      letGo(",
    replace: "    if (!service.wanted && service.life > 1000) {\n      letGo(",
  },
  {
    name: "a check of an agent that goes down stops a service out of turn",
    file: decide,
    find: 'if (healthy || agent.state === "stopping") return;',
    replace: "if (healthy) return;",
  },
  {
    name: "the files of an agent that was stopped before it was removed stay",
    file: flow,
    find: "if (agent.isCleared) step.emit",
    replace: 'if (agent.state === "stopped") step.emit',
  },
  {
    name: "a service that changed goes on as it was",
    file: "src/core/agent/agent-reload.ts",
    find: 'const isThere = state === "up" || state === "starting";',
    replace: 'const isThere = state === "starting";',
  },
  {
    name: "a service that its template does not have any more stays",
    file: evolve,
    find: "{ ...service, wanted: false, isDropped: true }",
    replace: "{ ...service, isDropped: true }",
  },
  {
    name: "an agent that goes down does not hear of the end of what its template has no more",
    file: "src/core/acts.ts",
    find: "if (service === undefined) return placeActs(state, agent);",
    replace: "if (service === undefined) return [];",
  },
  {
    name: "a service of which there are more now keeps some of them down",
    file: evolve,
    find: "const wanted = isSameNumber ? before?.wanted === true",
    replace: "const wanted = had.length > 0 ? before?.wanted === true",
  },
  {
    name: "other times of a template count when the last ones have come",
    file: "src/core/agent/agent-reload.ts",
    find: "if (service !== undefined && service.nextAtMs !== null)",
    replace: "if (service !== undefined && service.nextAtMs === 0)",
  },
  {
    name: "a reload gives out a port that another agent has",
    file: "src/core/agent/agent-reload.ts",
    find: "const free = unreserved(step.state, offered);",
    replace: "const free = [...offered];",
  },
  {
    name: "services do not wait for the setup",
    file: "src/core/agent/agent-hooks.ts",
    find: "return spec.hooks?.setup !== undefined && !isSetUp;",
    replace: "return spec.hooks?.setup !== undefined && !isSetUp && spec.services.length > 2;",
  },
  {
    name: "an agent is set up each time that it is made",
    file: evolve,
    find: '      if (hook === "setup" && ok) agent.isSetUp = true;\n',
    replace: '      if (hook === "setup" && ok) agent.isSetUp = agent.life > 1;\n',
  },
  {
    name: "an agent is archived without what it does before",
    file: flow,
    find: 'if (agent.wish === "archive" && awaitsArchiving(agent)) {',
    replace: 'if (agent.wish === "archive" && agent.hook === "archive" && awaitsArchiving(agent)) {',
  },
  {
    name: "a hook that failed counts as done before an archive",
    file: "src/core/agent/hook-end.ts",
    find: 'if (hook === "archive" && agent.wish === "archive")',
    replace: 'if (hook === "archive" && agent.wish === "stop")',
  },
  {
    name: "an agent that is restored takes a port that another has",
    file: "src/core/agent/agent-archive.ts",
    find: "const kept = unreserved(step.state, [...agent.ports.values()]);",
    replace: "const kept = [...agent.ports.values()];",
  },
  {
    name: "an archived agent can be started",
    file: decide,
    find: 'if (agent.isArchived && ["agent.start", "agent.restart", "agent.reload"].includes(input.type))',
    replace: 'if (agent.isArchived && agent.isMade && input.type === "agent.start")',
  },
  {
    name: "a new making of an agent has the old life",
    file: "src/core/agent/agent-moves.ts",
    find: 'to === "spawning" && !isMade ? agent.life + 1 : agent.life',
    replace: 'to === "spawning" && isMade ? agent.life + 1 : agent.life',
  },
];
