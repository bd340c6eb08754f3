// From what a template says to what an agent is made of. Only for templates in which nothing is wrong.

import {
  type AgentSpec,
  assistantDefaults,
  type AssistantSpec,
  type EgressSpec,
  type EnvValue,
  faceDefaults,
  type FaceSpec,
  generateDefaults,
  logDefaults,
  type LogRule,
  healthDefaults,
  type HealthCheck,
  type HealthProbe,
  type Hook,
  hookDefaults,
  hookNames,
  type Need,
  restartDefaults,
  type RestartRule,
  type ScheduleRule,
  type ServiceEnvValue,
  type ServiceSpec,
  stopDefaults,
  type UseLimits,
} from "./agent-spec.ts";
import { statedNeeds } from "./check-needs.ts";
import { delaysOf } from "./check-services.ts";
import { type Draft, type DraftFace, type DraftService, policyOf } from "./draft.ts";
import { toMs } from "./duration.ts";
import type { SaidLimits } from "./limits-schema.ts";
import { toBytes } from "./size.ts";
import type { HookSaid, Template, TemplateService } from "./template-schema.ts";
import { saysNothing, toAlerts, toRecovery } from "./to-recovery.ts";
import { shiftsOf, utc } from "./zone.ts";

export function toSpec(template: Template, draft: Draft): AgentSpec {
  const external = draft.services.filter(({ kind }) => kind === "external");
  return {
    template: template.template,
    ...(template.project === undefined ? {} : { project: template.project }),
    ...(template.workspace === undefined ? {} : { workspace: template.workspace }),
    env: mapValues(template.env ?? {}, toEnvValue),
    services: draft.services.map((service) => toServiceSpec(service, external)),
    faces: draft.faces.map((face) => toFaceSpec(face, draft)),
    ...toLimits(template.limits),
    ...(template.hooks === undefined ? {} : { hooks: toHooks(template.hooks) }),
    ...(template.assistant === undefined ? {} : { assistant: toAssistant(template.assistant) }),
    ...(template.join === undefined ? {} : { join: template.join }),
    ...(template.egress === undefined ? {} : { egress: toEgressSpec(template.egress) }),
    ...(template.image === undefined ? {} : { image: toImage(template.image) }),
    ...(template.recovery === undefined ? {} : { recovery: toRecovery(template.recovery) }),
    ...(template.alerts === undefined || saysNothing(template.alerts) ? {} : { alerts: toAlerts(template.alerts) }),
  };
}

function toHooks(hooks: NonNullable<Template["hooks"]>): NonNullable<AgentSpec["hooks"]> {
  const said = hookNames.flatMap((name) => (hooks[name] === undefined ? [] : [[name, toHook(hooks[name])] as const]));
  return Object.fromEntries(said);
}

function toHook(said: HookSaid): Hook {
  if (typeof said === "string" || Array.isArray(said))
    return { argv: toArgv(said), cwd: null, timeoutMs: hookDefaults.timeoutMs };
  const { command, cwd, timeout } = said;
  return {
    argv: toArgv(command),
    cwd: toFolder(cwd),
    timeoutMs: timeout === undefined ? hookDefaults.timeoutMs : toMs(timeout),
  };
}

function toAssistant({ profile, prompt, start, permissions }: NonNullable<Template["assistant"]>): AssistantSpec {
  const { allow = null, deny = [] } = permissions ?? {};
  const narrows = allow !== null || deny.length > 0;
  return {
    ...{ profile, prompt, start: start ?? assistantDefaults.start },
    ...(narrows ? { permissions: { allow, deny } } : {}),
  };
}

function toEgressSpec(egress: NonNullable<Template["egress"]>): EgressSpec {
  return typeof egress === "string" ? { kind: egress, allow: null } : { kind: "list", allow: egress.allow };
}

function toImage(image: NonNullable<Template["image"]>): NonNullable<AgentSpec["image"]> {
  return image === "none" ? image : toOwnImage(image);
}

function toOwnImage(image: NonNullable<TemplateService["image"]>): NonNullable<ServiceSpec["image"]> {
  return typeof image === "object" ? image : { name: image };
}

function toFaceSpec({ name, said }: DraftFace, { byName }: Draft): FaceSpec {
  const { service, port, path = faceDefaults.path, kind = faceDefaults.kind, title = null } = said;
  return { name, service, port: port ?? byName.get(service)?.said.ports?.[0] ?? "", path, kind, title };
}

function toServiceSpec(service: DraftService, external: readonly DraftService[]): ServiceSpec {
  const { said, name, kind } = service;
  const { signal = stopDefaults.signal, grace } = said.stop ?? {};
  return {
    name,
    kind,
    argv: said.command === undefined ? [] : toArgv(said.command),
    ...(said.image === undefined ? {} : { image: toOwnImage(said.image) }),
    ...(said.entrypoint === undefined ? {} : { entrypoint: said.entrypoint.map(String) }),
    ...(said.data === undefined ? {} : { data: said.data }),
    ...(said.workspace === true ? { workspace: true } : {}),
    // An image has a folder of its own to begin in, unless one of the workspace is said.
    cwd: toFolder(said.cwd) ?? (said.image === undefined || said.cwd === undefined ? null : "."),
    env: mapValues(said.env ?? {}, toServiceEnvValue),
    needs: toNeeds(service, external),
    ports: said.ports ?? [],
    health: said.health === undefined ? null : toHealthCheck(said.health, said.ports ?? []),
    restart: toRestartRule(said),
    stop: { signal, graceMs: grace === undefined ? stopDefaults.graceMs : toMs(grace) },
    ...toLimits(said.limits),
    ...(said.instances === undefined || said.instances === 1 ? {} : { instances: said.instances }),
    ...(said.schedule === undefined ? {} : { schedule: toSchedule(said.schedule) }),
    ...(said.watch === undefined ? {} : { watch: said.watch }),
    ...(said.overlap === true ? { overlap: true } : {}),
    ...(said.env_signal === undefined ? {} : { envSignal: said.env_signal }),
    ...(said.logs === undefined ? {} : { logs: toLogRule(said.logs) }),
  };
}

/** Nothing where nothing is limited. */
function toLimits(said: SaidLimits | undefined): { readonly limits?: UseLimits } {
  const { memory, memory_max: most, cpu = null, processes = null, files = null, disk } = said ?? {};
  const limits = {
    memoryBytes: memory === undefined ? null : toBytes(memory),
    ...(most === undefined ? {} : { memoryBytesMax: toBytes(most) }),
    ...{ cpu, processes, files },
    ...(disk === undefined ? {} : { diskBytes: toBytes(disk) }),
  };
  return Object.values(limits).every((each) => each === null) ? {} : { limits };
}

function toLogRule({ max_size, keep = logDefaults.keep }: NonNullable<TemplateService["logs"]>): LogRule {
  return { maxBytes: max_size === undefined ? logDefaults.maxBytes : toBytes(max_size), keep };
}

function toSchedule(said: NonNullable<TemplateService["schedule"]>): ScheduleRule {
  const { cron, zone = utc } = typeof said === "string" ? { cron: said } : said;
  return { cron, zone, shifts: shiftsOf(zone) };
}

function toEnvValue(value: NonNullable<Template["env"]>[string]): EnvValue {
  if (typeof value !== "object" || "secret" in value) return toServiceEnvValue(value);
  return { generate: "hex", bytes: value.bytes ?? generateDefaults.bytes };
}

function toServiceEnvValue(value: NonNullable<TemplateService["env"]>[string]): ServiceEnvValue {
  return typeof value === "object" ? { secret: value.secret } : String(value);
}

function toArgv(command: NonNullable<TemplateService["command"]>): string[] {
  return Array.isArray(command) ? command.map(String) : ["/bin/sh", "-c", command];
}

function toFolder(cwd: string | undefined): string | null {
  const parts = (cwd ?? "").split("/").filter((part) => part !== "" && part !== ".");
  return parts.length === 0 ? null : parts.join("/");
}

/** An application stands on all that is external, unless it says itself how. */
function toNeeds(service: DraftService, external: readonly DraftService[]): Need[] {
  const stated = statedNeeds(service).map(({ service: name, until }) => ({ service: name, until }));
  if (service.kind === "external") return stated;
  const isStated = (name: string): boolean => stated.some((need) => need.service === name);
  return [
    ...stated,
    ...external.flatMap(({ name, said }): Need[] =>
      isStated(name) ? [] : [{ service: name, until: said.health === undefined ? "started" : "healthy" }],
    ),
  ];
}

type Health = NonNullable<TemplateService["health"]>;

function toHealthCheck(health: Health, ports: readonly string[]): HealthCheck {
  const { interval, timeout, retries = healthDefaults.retries, start_period } = health;
  const intervalMs = interval === undefined ? healthDefaults.intervalMs : toMs(interval);
  return {
    ...toProbe(health, ports),
    intervalMs,
    timeoutMs: timeout === undefined ? Math.min(healthDefaults.timeoutMs, intervalMs) : toMs(timeout),
    retries,
    startPeriodMs: start_period === undefined ? healthDefaults.startPeriodMs : toMs(start_period),
  };
}

function toProbe({ http, tcp, command, log }: Health, ports: readonly string[]): HealthProbe {
  if (typeof http === "string") return { kind: "http", port: ports[0] ?? "", path: http };
  if (http !== undefined) return { kind: "http", port: http.port, path: http.path ?? "/" };
  if (tcp !== undefined) return { kind: "tcp", port: tcp };
  return command === undefined ? { kind: "log", text: log ?? "" } : { kind: "command", argv: toArgv(command) };
}

function toRestartRule(said: TemplateService): RestartRule {
  const { limit = restartDefaults.limit, window, ...delays } = typeof said.restart === "object" ? said.restart : {};
  return {
    policy: policyOf(said),
    ...delaysOf(delays),
    limit,
    windowMs: window === undefined ? restartDefaults.windowMs : toMs(window),
  };
}

function mapValues<From, To>(object: Readonly<Record<string, From>>, to: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, to(value)]));
}
