// Living agents (AG11–AG26, I27, I32, I33, I37, I38): arrows, ports, needs, one process per service, rungs in order, and
// nothing of an agent that runs when it is said to be down.

import type { Logged } from "../../src/core/events.ts";
import { roomIsGivenRightly } from "./ag74-room.ts";
import { answers, type ModelAgent, type ModelService } from "../world/agent-model.ts";
import type { Services } from "../world/services.ts";
import type { Checker, Watch } from "../world/watch.ts";

const agentArrows: Readonly<Record<string, string>> = {
  spawning: "running stopping error",
  running: "stopping error",
  stopping: "stopped spawning",
  stopped: "spawning stopping",
  error: "spawning running stopping",
};

const serviceArrows: Readonly<Record<string, string>> = {
  down: "waiting scheduled",
  waiting: "starting down",
  starting: "up stopping delayed failed completed scheduled down",
  up: "stopping delayed failed completed scheduled down",
  stopping: "down waiting delayed failed scheduled",
  delayed: "waiting down failed",
  completed: "waiting down",
  failed: "waiting down",
  scheduled: "waiting down",
};

const rungs = ["recreate", "reallocate", "respawn", "ask"];
const wellMs = 600_000;
const stormMax = 32;
const stormMs = 10_000;

export function agentsKeepTheRules(services: Services): Checker {
  const climbed = new Map<string, { rung: string; atMs: number }>();
  const restarts: { agent: string; atMs: number }[] = [];
  const room = roomIsGivenRightly();
  const before = (event: Logged, { model, report, sometimes }: Watch): void => {
    if (!("agent" in event) || typeof event.agent !== "string") return;
    const agent = model.agents.get(event.agent);
    if (event.type === "agent.created") {
      checkNumber(event);
      return checkPorts(event.ports, undefined);
    }
    if (agent === undefined) return report("AG19", `${event.type} speaks of ${event.agent}, which is not there`);
    switch (event.type) {
      case "agent.renumbered":
        sometimes("agent renumbered");
        return checkPorts(event.ports, agent.id);
      case "agent.moved":
        sometimes(`agent ${event.to}`);
        room.moved(agent, event, { report });
        if (agent.state !== event.from || !(agentArrows[event.from] ?? "").split(" ").includes(event.to))
          report("AG11", `agent ${agent.name} is ${agent.state} and moves from ${event.from} to ${event.to}`);
        if (event.to === "running") checkRunning(agent);
        if (agent.isArchived && agent.wish !== "remove")
          report("AW9", `agent ${agent.name} is archived, and moves to ${event.to}`);
        if (event.to === "stopping" && agent.wish === "archive") checkArchiving(agent);
        if (event.to === "stopped") checkDown(agent, "AG16");
        if (event.to === "spawning" && !agent.isMade && event.life !== agent.life + 1)
          report("AG17", `agent ${agent.name} is made again in life ${event.life} after ${agent.life}`);
        return;
      case "agent.ended":
        checkLeft(agent);
        return checkDown(agent, "AG16");
      case "agent.removed":
        if (agent.wish !== "remove") report("AG19", `agent ${agent.name} is removed, and nobody wants that`);
        climbed.delete(agent.id);
        if (services.hasPlace(agent.id)) report("AG13", `agent ${agent.name} is removed, and its files are there`);
        return checkDown(agent, "AG13");
      case "agent.wished":
        if (agent.wish === "remove" && event.wish !== "remove")
          report("AG19", `agent ${agent.name} is being removed and is wanted to ${event.wish}`);
        if (event.wish === "run") climbed.delete(agent.id);
        return;
      case "hook.begun":
        sometimes(`hook: ${event.hook}`);
        return checkHook(agent, event.hook);
      case "agent.joined":
      case "agent.parted":
        sometimes(event.type === "agent.joined" ? "agents joined" : "agents parted");
        if (!model.agents.has(event.with) || event.with === agent.id)
          report("AW21", `agent ${agent.name} is ${event.type} with ${event.with}, which is not another one`);
        return;
      case "assistant.called":
        sometimes("assistant called");
        return checkAssistant(agent);
      case "assistant.begun":
        return sometimes("assistant begun");
      case "assistant.failed":
        return sometimes("assistant failed");
      case "agent.archived":
        sometimes("agent archived");
        if (agent.wish !== "archive") report("AW9", `agent ${agent.name} is archived, and nobody wants that`);
        return checkDown(agent, "AW9");
      case "agent.reloaded":
        sometimes("agent reloaded");
        return checkPorts(event.ports, agent.id);
      case "agent.restored":
        sometimes("agent restored");
        // A person's word begins at the foot of the ladder.
        climbed.delete(agent.id);
        if (!agent.isArchived) report("AW10", `agent ${agent.name} is restored, and was not archived`);
        return checkPorts(event.ports, agent.id);
      case "agent.recovered": {
        const last = climbed.get(agent.id);
        if (last !== undefined && event.atMs - last.atMs < wellMs)
          report("AG23", `agent ${agent.name} begins at the foot of its ladder too soon`);
        sometimes("agent recovered");
        climbed.delete(agent.id);
        return;
      }
      case "agent.climbed": {
        sometimes(`climbed: ${event.rung}`);
        const last = climbed.get(agent.id);
        // More may be given again and again, as long as there is more.
        const isMore = event.rung === "reallocate" && last?.rung === "reallocate" && event.failure === "resources";
        if (
          last !== undefined &&
          rungs.indexOf(event.rung) <= rungs.indexOf(last.rung) &&
          event.rung !== "ask" &&
          !isMore
        )
          report("AG22", `agent ${agent.name} tries ${event.rung} after ${last.rung}`);
        if (event.failure === "configuration" && event.rung !== "ask")
          report("AG22", `agent ${agent.name} tries ${event.rung} for what stays wrong`);
        climbed.set(agent.id, { rung: event.rung, atMs: event.atMs });
        checkBounded(agent, event);
        return;
      }
      case "agent.refreshed":
        return sometimes("agent refreshed");
      case "agent.reallocated":
        return room.before(agent, event, { report, sometimes });
      case "service.failed":
        return checkFailed(agent, event);
      case "service.held":
        sometimes("restart held");
        if (event.max !== mostRestarts(agent))
          report("AG24", `${event.max} restarts bind, and not ${mostRestarts(agent)}`);
        return;
      case "service.touched":
        return sometimes("files changed that a service watches");
      case "service.moved":
        return checkService(agent, event);
      default:
        return;
    }

    function checkNumber({ name, project, node }: Extract<Logged, { type: "agent.created" }>): void {
      for (const { name: policy, enabled, scope, rules } of model.policies.values()) {
        if (!enabled || rules.maxAgents === undefined || scope.profile !== undefined || scope.runner !== undefined)
          continue;
        const isFor = (each: { readonly project: string; readonly node: string }): boolean =>
          (scope.project ?? each.project) === each.project && (scope.node ?? each.node) === each.node;
        if (!isFor({ project, node })) continue;
        const count = [...model.agents.values()].filter((each) => !each.isArchived && isFor(each)).length;
        if (count + 1 === rules.maxAgents) sometimes("agents as many as may be");
        if (count >= rules.maxAgents)
          report("AG60", `agent ${name} is number ${count + 1} under ${policy}, which allows ${rules.maxAgents}`);
      }
    }

    /** Who runs into a limit of its own does not take the others of its agent along. */
    function checkBounded(
      { name, services: own }: ModelAgent,
      event: Extract<Logged, { type: "agent.climbed" }>,
    ): void {
      const service = own.get(event.service ?? "");
      if (service?.isBounded !== true || service.endedBy !== "out-of-memory" || event.failure !== "resources") return;
      sometimes("service over its own limit");
      if (event.rung !== "ask" && event.rung !== "reallocate")
        report("SV4", `agent ${name} tries ${event.rung}, because ${service.name} took more than it may`);
    }

    function checkPorts(ports: Readonly<Record<string, number>>, own: string | undefined): void {
      const taken = [...model.agents.values()]
        .filter(({ id, isArchived }) => id !== own && !isArchived)
        .flatMap((other) => Object.values(other.ports));
      const twice = Object.values(ports).find((port, at, all) => taken.includes(port) || all.indexOf(port) !== at);
      if (twice !== undefined) report("AG13", `port ${twice} is given out twice`);
    }

    function checkRunning({ name, services: own, isMade }: ModelAgent): void {
      const late = [...own.values()].find(
        (each) => each.wanted && !each.isScheduled && each.state !== "up" && each.state !== "completed",
      );
      if (late !== undefined || !isMade)
        report("AG15", `agent ${name} runs, and ${late?.name ?? "its place"} is not there`);
    }

    /** Setup comes once and first, the others when everything is there; and one at a time. */
    function checkHook(
      { name, hook, hooksDone, isMade, state, isReloaded, services: own }: ModelAgent,
      begun: string,
    ): void {
      if (hook !== null) report("AW6", `agent ${name} begins ${begun} while ${hook} is under way`);
      if (!isMade) report("AW6", `agent ${name} begins ${begun}, and has no place`);
      if (begun === "setup" && hooksDone.has("setup")) report("AW6", `agent ${name} is set up twice`);
      const started = [...own.values()].find(({ life }) => life > 0);
      if (begun === "setup" && started !== undefined && !isReloaded)
        report("AW6", `agent ${name} is set up after ${started.name}`);
      if (begun === "ready" && state !== "running") report("AW7", `agent ${name} is ${state}, and not ready`);
    }

    /** It begins where everything is up, as often as its template says. */
    function checkAssistant({ name, state, hook, assistant, isReloaded }: ModelAgent): void {
      if (state !== "running" || hook !== null)
        report("AW18", `the assistant of ${name} begins, and it is ${hook === null ? state : `at its ${hook}`}`);
      if (isReloaded) return;
      if (assistant === null || assistant.start === "never")
        return report("AW18", `the assistant of ${name} begins, and its template says that it does not`);
      if (assistant.start === "once" && assistant.begun > 0) report("AW18", `the assistant of ${name} begins again`);
    }

    function checkArchiving({ name, hooks, hooksDone, isMade, force, isReloaded }: ModelAgent): void {
      if (isMade && !isReloaded && !force && hooks.includes("archive") && !hooksDone.has("archive"))
        report("AW8", `agent ${name} goes down to be archived without what it does before`);
    }

    /** Nobody ends the place of services before they had their time to go, but by force. */
    function checkLeft({ name, force, services: own }: ModelAgent): void {
      const left = [...own.values()].find(({ state }) => ["starting", "up", "stopping"].includes(state));
      if (left !== undefined && !force) report("AG16", `agent ${name} is ended, and ${left.name} is ${left.state}`);
    }

    function checkDown({ id, name }: ModelAgent, rule: string): void {
      const left = services.of(id);
      if (left !== undefined) report(rule, `agent ${name} is said to be down, and ${left.service} of it runs`);
    }
  };

  function checkService(agent: ModelAgent, event: Extract<Logged, { type: "service.moved" }>): void {
    const service = agent.services.get(event.service);
    const watch = current;
    if (service === undefined || watch === undefined) return;
    const { report, sometimes } = watch;
    sometimes(`service ${event.to}`);
    if (service.state !== event.from || !(serviceArrows[event.from] ?? "").split(" ").includes(event.to))
      report("AG11", `service ${service.name} is ${service.state} and moves from ${event.from} to ${event.to}`);
    const isWanted = (name: string): boolean => agent.services.get(name)?.wanted === true;
    if (event.to === "stopping") checkRenewal(agent, service, event);
    if (event.to === "starting") {
      if (!agent.isMade) report("AG12", `service ${service.name} starts before the place of ${agent.name} is there`);
      if (agent.hooks.includes("setup") && !agent.hooksDone.has("setup") && !agent.isReloaded)
        report("AW6", `service ${service.name} starts before ${agent.name} is set up`);
      if (service.isDropped) report("AW14", `service ${service.name} starts, and its template does not have it`);
      if (!service.wanted || service.stopped)
        report("AG18", `service ${service.name} starts, and somebody has stopped it`);
      const missing = service.needs.find(({ service: other, until }) => {
        const needed = [...agent.services.values()].filter(
          ({ of, name }) => of === other && (of === name || isWanted(name)),
        );
        const isThere = ({ state, healthy }: ModelService): boolean =>
          state === "completed" ||
          (state === "up" && (until === "started" || (until === "healthy" && healthy === true)));
        return needed.length === 0 || !needed.every(isThere);
      });
      if (missing !== undefined)
        report("AG14", `service ${service.name} starts before ${missing.service} is ${missing.until}`);
      const alive = services.alive(agent.id, service.name);
      if (alive !== undefined) report("I37", `service ${service.name} starts again while its life ${alive} runs`);
    }
    if (event.to === "stopping" && agent.state === "stopping") {
      const needing = [...agent.services.values()].find(
        (other) =>
          ["starting", "up", "stopping"].includes(other.state) &&
          other.needs.some((need) => need.service === service.of),
      );
      if (needing !== undefined) report("AG16", `service ${service.name} goes before ${needing.name}, which needs it`);
    }
    if (event.to === "delayed") checkNewcomer(agent, service);
    if (event.to === "delayed" || (event.to === "failed" && event.from !== "waiting")) checkTold(agent, service);
    if (event.to === "delayed" && service.failed?.failure === "configuration")
      report("AG22", `service ${service.name} is tried again, and what is wrong with it stays so`);
    if (event.from === "delayed" && event.to === "waiting" && event.actor === "system") {
      restarts.push({ agent: agent.id, atMs: event.atMs });
      const within = restarts.filter(({ atMs }) => atMs > event.atMs - stormMs);
      const own = within.filter((each) => each.agent === agent.id).length;
      const most = mostRestarts(agent);
      if (within.length > most) report("AG24", `${within.length} services are started again within ten seconds`);
      if (own > most - Math.floor(most / 4)) report("AG24", `${own} of them are those of ${agent.name}`);
    }
  }

  /** How everything was is in the log before anything follows from it. */
  function checkTold({ name }: ModelAgent, service: ModelService): void {
    if (service.failed?.life !== service.life)
      current?.report("AG71", `service ${service.name} of ${name} failed, and nobody said how`);
  }

  function checkFailed({ services: own }: ModelAgent, event: Extract<Logged, { type: "service.failed" }>): void {
    current?.sometimes(`failed: ${event.failure}`);
    const service = own.get(event.service);
    const { memoryBytes = null } = event.limits ?? {};
    if (service?.isBounded === true && memoryBytes !== service.memory)
      current?.report("AG74", `${event.service} was given ${service.memory} bytes, and failed with ${memoryBytes}`);
    const known = service?.failures[event.found] ?? 0;
    if (event.before.count !== known)
      current?.report("AG71", `${event.service} failed ${known} times before, and ${event.before.count} are told`);
  }

  /** What a policy says that is enabled and speaks of it; a person's may lift what is built in. */
  function mostRestarts({ project, node }: ModelAgent): number {
    const stating = [...(current?.model.policies.values() ?? [])].filter(
      ({ enabled, rules, scope }) =>
        enabled &&
        rules.maxRestarts !== undefined &&
        (scope.project ?? project) === project &&
        (scope.node ?? node) === node &&
        scope.profile === undefined &&
        scope.runner === undefined,
    );
    const isLifted = stating.some(({ priority }) => priority >= 0);
    return Math.min(...(isLifted ? [] : [stormMax]), ...stating.map(({ rules }) => rules.maxRestarts ?? stormMax));
  }

  /** Nobody makes room for a new one before others answer in its place. */
  function checkRenewal(
    agent: ModelAgent,
    instance: ModelService,
    event: Extract<Logged, { type: "service.moved" }>,
  ): void {
    if (!instance.outdated || agent.state === "stopping" || event.failing !== undefined) return;
    const others = [...agent.services.values()].filter(
      ({ of, name, wanted }) => of === instance.of && name !== instance.name && wanted,
    );
    // Whoever stopped all of them wants nobody to answer; and nobody is brought to one that is not well.
    if (others.length === 0 && !instance.wanted) return;
    if (instance.healthy === false) return;
    current?.sometimes(instance.overlap ? "instance replaced beside itself" : "instances begun anew in turn");
    const late = others.find((other) => !answers(other));
    // Beside one another there are as many as ever, but for those that somebody stopped; in turn, the others are waited for. Who could
    // have one beside it does not go first.
    const members = [...agent.services.values()].filter(({ of, isDropped }) => of === instance.of && !isDropped);
    const least = instance.instances - members.filter(({ stopped }) => stopped).length;
    const isEarly = instance.wanted ? members.some((each) => !each.wanted && !each.stopped) : others.length < least;
    if (late !== undefined || (instance.overlap && isEarly))
      current?.report("SV22", `${instance.name} goes, and ${late?.name ?? "nobody else"} does not answer in its place`);
  }

  /** A new one that does not come up is not tried again: the old one goes on. */
  function checkNewcomer(agent: ModelAgent, instance: ModelService): void {
    const members = [...agent.services.values()].filter(({ of, wanted }) => of === instance.of && wanted);
    const old = members.find((each) => each.outdated && each.state === "up" && each !== instance);
    if (!instance.outdated && instance.standsIn && old !== undefined)
      current?.report("SV24", `${instance.name} of ${agent.name} is tried again, and ${old.name} is still there`);
  }

  let current: Watch | undefined;
  return {
    name: "AG agents keep the rules",
    before: (event, watch) => {
      current = watch;
      before(event, watch);
    },
    batch: (_, { model, report }) => {
      for (const { name, state, services: own } of model.agents.values()) {
        if (state !== "running" && state !== "spawning") continue;
        const ill = [...own.values()].find((each) => each.wanted && each.state === "up" && each.healthy === false);
        if (ill !== undefined) report("AG20", `${ill.name} of ${name} is not well, and nothing follows from it`);
      }
    },
  };
}
