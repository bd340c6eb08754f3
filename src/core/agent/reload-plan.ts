// What differs between what an agent is made of and what a template says now, and what each difference would take: nothing, a
// restart of some services, a new place around the same files, or another agent.

import { canonical } from "../../base/canonical.ts";
import type { AgentSpec, ServiceSpec, UseLimits } from "./agent-spec.ts";
import { isGrouped } from "./instances.ts";

export const changeEffects = ["none", "service", "place", "never"] as const;
/** From the least to the most: none; its service restarts; the agent's place is made anew; it cannot be had. */
export type ChangeEffect = (typeof changeEffects)[number];

export type SpecChange = {
  /** Where, as in `services.web.env`. */
  readonly path: string;
  readonly effect: ChangeEffect;
  /** What the agent has and what the template says, as JSON; null where there is nothing. */
  readonly agent: string | null;
  readonly template: string | null;
};

export type ReloadPlan = {
  readonly changes: readonly SpecChange[];
  /** Services that have to be started again, in the order of the template: those that changed, and whoever stands on them. */
  readonly restarts: readonly string[];
  /** Services that are told of it while they run: what they may use is another, their variables are, or how and for which files they are looked at. */
  readonly adapts: readonly string[];
  /** Services that have other times. */
  readonly rescheduled: readonly string[];
  readonly effect: ChangeEffect;
};

type Parts = Readonly<Record<string, unknown>>;

/** What becomes so without anything being started again. */
const liveParts: readonly string[] = ["restart", "stop", "needs", "kind", "schedule", "health", "watch"];
/** What its keeper is told when the place is made: which ports there are, and which of them are shared. */
const placeParts: readonly string[] = ["ports", "overlap"];

/** What is not said here is a matter of the place. An image is decided once, when the workspace is made (IM3), and so is how that is laid out. */
const topEffects: Readonly<Record<string, ChangeEffect>> = {
  ...{
    template: "never",
    image: "never",
    workspace: "never",
    project: "none",
    faces: "none",
    hooks: "none",
    assistant: "none",
    join: "none",
    recovery: "none",
    alerts: "none",
  },
};

const noLimits: UseLimits = { memoryBytes: null, cpu: null, processes: null, files: null };

export function planReload(agent: AgentSpec, template: AgentSpec): ReloadPlan {
  const changes = [...topChanges(agent, template), ...serviceChanges(agent, template)];
  const own = changes.flatMap(({ path, effect }) =>
    effect === "service" && path !== "env" ? [path.split(".")[1] ?? ""] : [],
  );
  const touched = changes.some(({ path }) => path === "env") ? [...own, ...retold(agent, template)] : own;
  const effect = changeEffects.findLast((each) => changes.some((change) => change.effect === each)) ?? "none";
  const rescheduled = template.services
    .map(({ name }) => name)
    .filter((name) => changes.some(({ path }) => path === `services.${name}.schedule`));
  const restarts = withDependants(agent, template, touched);
  const adapts = effect === "place" ? [] : adapted(agent, template).filter((name) => !restarts.includes(name));
  return { changes, restarts, adapts, rescheduled, effect };
}

/** The same where limits hold for each process by itself: other ones take a restart of that service, and of nobody else. */
export function planWithoutGroups(plan: ReloadPlan, agent: AgentSpec, template: AgentSpec): ReloadPlan {
  const limitsOf = ({ services }: AgentSpec, name: string): unknown => {
    const { memoryBytes = null, processes = null } = services.find((each) => each.name === name)?.limits ?? {};
    return { memoryBytes, processes };
  };
  const anew = plan.adapts.filter((name) => canonical(limitsOf(agent, name)) !== canonical(limitsOf(template, name)));
  if (anew.length === 0) return plan;
  const paths = anew.map((name) => `services.${name}.limits`);
  return {
    ...plan,
    changes: plan.changes.map((each) => (paths.includes(each.path) ? { ...each, effect: "service" } : each)),
    restarts: template.services.map(({ name }) => name).filter((name) => [...plan.restarts, ...anew].includes(name)),
    adapts: plan.adapts.filter((name) => !anew.includes(name)),
    effect: plan.effect === "none" ? "service" : plan.effect,
  };
}

/** Those that differ in what one that runs can be told, or in what is seen of it from outside. How far a limit may be raised is told to nobody. */
function adapted(agent: AgentSpec, template: AgentSpec): string[] {
  const before = new Map(agent.services.map((service) => [service.name, service]));
  const isSame = (had: unknown, has: unknown): boolean => canonical(had) === canonical(has);
  const limitsOf = ({ limits }: ServiceSpec): unknown => ({ ...limits, memoryBytesMax: null });
  const isCommon = isSame(agent.env, template.env);
  return template.services.flatMap((has) => {
    const had = before.get(has.name);
    if (had === undefined) return [];
    const isTold = hears(had, has) && !(isCommon && isSame(had.env, has.env));
    const isSeen = isSame(had.health, has.health) && isSame(had.watch ?? null, has.watch ?? null);
    return isTold || !isSeen || !isSame(limitsOf(had), limitsOf(has)) ? [has.name] : [];
  });
}

/** Those that have to begin anew for other variables at the top. */
function retold(agent: AgentSpec, template: AgentSpec): string[] {
  const before = new Map(agent.services.map((service) => [service.name, service]));
  const isOpen = canonical(secretsOf(agent.env)) === canonical(secretsOf(template.env));
  return template.services.flatMap((has) => {
    const had = before.get(has.name);
    return isOpen && had !== undefined && hears(had, has) ? [] : [has.name];
  });
}

/** Whether it is told of other variables while it runs. What is secret is in no file. */
function hears(had: ServiceSpec, has: ServiceSpec): boolean {
  if (had.envSignal === undefined || had.envSignal !== has.envSignal) return false;
  return canonical(secretsOf(had.env)) === canonical(secretsOf(has.env));
}

function secretsOf(env: AgentSpec["env"]): object {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => typeof value === "object" && "secret" in value));
}

function topChanges(agent: AgentSpec, template: AgentSpec): SpecChange[] {
  const had = agent.egress?.kind ?? "none";
  const wants = template.egress?.kind ?? "none";
  // A cage that was made without a way out stays without (EG3).
  const egress = (had === "none") === (wants === "none") ? "none" : "place";
  const env = retold(agent, template).length === 0 ? "none" : "service";
  // How much of the disk it may take its keeper is told while it runs.
  const heldOf = ({ limits: said }: AgentSpec): unknown => ({ ...noLimits, ...said, diskBytes: null });
  const limits = canonical(heldOf(agent)) === canonical(heldOf(template)) ? "none" : "place";
  const effects: Readonly<Record<string, ChangeEffect>> = { ...topEffects, egress, env, limits };
  const keys = [...new Set([...Object.keys(agent), ...Object.keys(template)])].filter((key) => key !== "services");
  return keys.flatMap((key) => differing(key, partOf(agent, key), partOf(template, key), effects[key] ?? "place"));
}

function serviceChanges(agent: AgentSpec, template: AgentSpec): SpecChange[] {
  const before = new Map(agent.services.map((service) => [service.name, service]));
  const after = new Map(template.services.map((service) => [service.name, service]));
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return names.flatMap((name) => {
    const [had, has] = [before.get(name), after.get(name)];
    if (had === undefined || has === undefined) {
      // Whoever has ports comes and goes with the place: its keeper takes them when that is made.
      const effect = (had ?? has)?.ports.length === 0 ? "service" : "place";
      return differing(`services.${name}`, had ?? null, has ?? null, effect);
    }
    const keys = [...new Set([...Object.keys(had), ...Object.keys(has)])];
    return keys.flatMap((key) =>
      differing(`services.${name}.${key}`, partOf(had, key), partOf(has, key), effectOf(key, had, has)),
    );
  });
}

function effectOf(key: string, had: ServiceSpec, has: ServiceSpec): ChangeEffect {
  if (placeParts.includes(key)) return "place";
  // Whoever stands alone has the service's own port, and shares it with nobody: that is a matter of the place (SV26).
  if (key === "instances") return isGrouped(had) && isGrouped(has) ? "none" : "place";
  // Whoever comes and goes now, or stays now, begins anew with everybody: it is not started for a change of its times alone.
  if (key === "schedule" && (had.schedule === undefined) !== (has.schedule === undefined)) return "place";
  if (key === "env" && hears(had, has)) return "none";
  // What the kernel holds all of its processes to together can be another while they run; what each has by itself cannot.
  if (key === "limits") return (had.limits?.files ?? null) === (has.limits?.files ?? null) ? "none" : "service";
  return liveParts.includes(key) ? "none" : "service";
}

function partOf(spec: AgentSpec | ServiceSpec, key: string): unknown {
  return (spec as unknown as Parts)[key] ?? null;
}

function differing(path: string, had: unknown, has: unknown, effect: ChangeEffect): SpecChange[] {
  if (canonical(had) === canonical(has)) return [];
  const text = (value: unknown): string | null => (value === null ? null : canonical(value));
  return [{ path, effect, agent: text(had), template: text(has) }];
}

/** Those of them that stay, and whoever needs one of them, directly or through others. */
function withDependants(agent: AgentSpec, { services }: AgentSpec, touched: readonly string[]): string[] {
  const known = new Set(agent.services.map(({ name }) => name));
  const found = new Set(touched);
  for (let size = -1; size < found.size;) {
    size = found.size;
    for (const { name, needs } of services) if (needs.some(({ service }) => found.has(service))) found.add(name);
  }
  return services.map(({ name }) => name).filter((name) => found.has(name) && known.has(name));
}
