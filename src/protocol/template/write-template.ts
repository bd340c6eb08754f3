// What an agent is made of, as a template that says all of it. Read again, it is the same.

import { stringify } from "yaml";
import type {
  AgentSpec,
  AlertRule,
  AssistantSpec,
  EgressSpec,
  FaceSpec,
  HealthCheck,
  Hook,
  RecoveryRule,
  ServiceSpec,
  UseLimits,
} from "./agent-spec.ts";
import { spellMs } from "./duration.ts";
import { spellBytes } from "./size.ts";

export function writeTemplate(spec: AgentSpec): string {
  const ofKind = (kind: ServiceSpec["kind"]): object =>
    Object.fromEntries(spec.services.filter((each) => each.kind === kind).map((each) => [each.name, toService(each)]));
  const template = {
    template: spec.template,
    project: spec.project,
    workspace: spec.workspace,
    env: spec.env,
    limits: toLimits(spec.limits),
    external: ofKind("external"),
    services: ofKind("application"),
    faces: Object.fromEntries(spec.faces.map((face) => [face.name, toFace(face)])),
    hooks: mapHooks(spec.hooks ?? {}),
    assistant: spec.assistant === undefined ? undefined : toAssistant(spec.assistant),
    join: spec.join,
    egress: spec.egress === undefined ? undefined : toEgress(spec.egress),
    image: toImage(spec.image),
    recovery: spec.recovery === undefined ? undefined : toRecovery(spec.recovery),
    alerts: spec.alerts === undefined ? undefined : toAlerts(spec.alerts),
  };
  return stringify(withoutEmpty(template), { lineWidth: 0, aliasDuplicateObjects: false });
}

function mapHooks(hooks: NonNullable<AgentSpec["hooks"]>): object {
  return Object.fromEntries(Object.entries(hooks).map(([name, hook]) => [name, toHook(hook)]));
}

function toHook({ argv, cwd, timeoutMs }: Hook): object {
  return withoutEmpty({ command: toCommand(argv), cwd: cwd ?? undefined, timeout: spellMs(timeoutMs) });
}

function toAssistant({ profile, prompt, start, permissions }: AssistantSpec): object {
  const { allow, deny = [] } = permissions ?? {};
  const narrows = { ...(allow ? { allow } : {}), ...(deny.length > 0 ? { deny } : {}) };
  return { profile, prompt, start, ...(permissions === undefined ? {} : { permissions: narrows }) };
}

function toEgress({ kind, allow }: EgressSpec): string | object {
  return allow === null ? kind : { allow };
}

function toRecovery({ rungs, tries, delayMs, delayMsMax, resetMs }: RecoveryRule): object {
  return { rungs, tries, delay: spellMs(delayMs), max_delay: spellMs(delayMsMax), reset: spellMs(resetMs) };
}

function toAlerts({ rung, restarts, unwellMs }: AlertRule): object {
  return {
    ...(rung === null ? {} : { rung }),
    ...(restarts === null ? {} : { restarts }),
    ...(unwellMs === null ? {} : { unwell: spellMs(unwellMs) }),
  };
}

function toFace({ service, port, path, kind, title }: FaceSpec): object {
  return { service, port, path, kind, ...(title === null ? {} : { title }) };
}

function toService(service: ServiceSpec): object {
  const { argv, cwd, env, ports, needs, health, restart, stop, logs, schedule } = service;
  const { entrypoint } = service;
  // An empty one is not the same as none.
  const first = entrypoint?.length === 0 ? { entrypoint } : {};
  const said = withoutEmpty({
    command: toCommand(argv),
    image: toImage(service.image),
    entrypoint,
    data: service.data,
    workspace: service.workspace,
    cwd: cwd ?? undefined,
    env,
    ports,
    depends_on: Object.fromEntries(needs.map((need) => [need.service, need.until])),
    health: health === null ? undefined : toHealth(health),
    restart: {
      policy: restart.policy,
      delay: spellMs(restart.delayMs),
      max_delay: spellMs(restart.delayMsMax),
      limit: restart.limit,
      window: spellMs(restart.windowMs),
    },
    stop: { signal: stop.signal, grace: spellMs(stop.graceMs) },
    instances: service.instances,
    overlap: service.overlap,
    env_signal: service.envSignal,
    watch: service.watch,
    schedule: schedule === undefined ? undefined : { cron: schedule.cron, zone: schedule.zone },
    limits: toLimits(service.limits),
    logs: logs === undefined ? undefined : { max_size: spellBytes(logs.maxBytes), keep: logs.keep },
  });
  return { ...said, ...first };
}

function toImage(image: AgentSpec["image"]): object | string | undefined {
  return typeof image === "object" && "name" in image ? image.name : image;
}

function toLimits(limits: UseLimits | undefined): object | undefined {
  if (limits === undefined) return undefined;
  const { memoryBytes, memoryBytesMax, cpu, processes, files, diskBytes } = limits;
  return {
    ...(memoryBytes === null ? {} : { memory: spellBytes(memoryBytes) }),
    ...(memoryBytesMax === undefined ? {} : { memory_max: spellBytes(memoryBytesMax) }),
    ...(cpu === null ? {} : { cpu }),
    ...(processes === null ? {} : { processes }),
    ...(files === null ? {} : { files }),
    ...(diskBytes === undefined ? {} : { disk: spellBytes(diskBytes) }),
  };
}

function toCommand(argv: readonly string[]): string | readonly string[] {
  const [shell, flag, text, ...more] = argv;
  const isShell = shell === "/bin/sh" && flag === "-c" && more.length === 0;
  return isShell && text !== undefined && text !== "" ? text : argv;
}

function toHealth(health: HealthCheck): object {
  const start_period = spellMs(health.startPeriodMs);
  if (health.kind === "log") return { log: health.text, start_period };
  return {
    ...toProbe(health),
    interval: spellMs(health.intervalMs),
    timeout: spellMs(health.timeoutMs),
    retries: health.retries,
    start_period,
  };
}

function toProbe(health: Exclude<HealthCheck, { kind: "log" }>): object {
  if (health.kind === "http") return { http: { port: health.port, path: health.path } };
  return health.kind === "tcp" ? { tcp: health.port } : { command: toCommand(health.argv) };
}

function withoutEmpty(object: Readonly<Record<string, unknown>>): object {
  const isEmpty = (value: unknown): boolean =>
    value === undefined || (typeof value === "object" && value !== null && Object.keys(value).length === 0);
  return Object.fromEntries(Object.entries(object).filter(([, value]) => !isEmpty(value)));
}
