// What a service says of itself: names, ports, health, restarts.

import { didYouMean } from "../../base/did-you-mean.ts";
import { quoted } from "../complaint.ts";
import { healthDefaults, restartDefaults } from "./agent-spec.ts";
import { type Draft, type DraftService, policyOf } from "./draft.ts";
import { spellMs, toMs } from "./duration.ts";
import { type Complain, type Path, toSentence } from "./problem.ts";
import {
  isTemplateName,
  isVariableName,
  nameRule,
  type Template,
  templateLimits,
  variableRule,
} from "./template-schema.ts";

const reserved = ["self", "agent"];

export function checkServices(template: Template, draft: Draft, complain: Complain, warn: Complain): void {
  checkVariables(template.env, ["env"], complain);
  if (draft.services.length > templateLimits.servicesMax)
    complain(
      ["services"],
      `There are ${draft.services.length} services, and a template has at most ${templateLimits.servicesMax}. Make two templates of it.`,
      "key",
    );
  for (const service of draft.services) {
    checkName(draft, service, complain);
    checkVariables(service.said.env, [...service.path, "env"], complain);
    checkPorts(service, complain);
    checkHealth(service, complain);
    checkRestart(service, complain, warn);
    checkStop(service, warn);
    checkOverlap(service, complain);
  }
}

function checkName(draft: Draft, service: DraftService, complain: Complain): void {
  const { name, path } = service;
  if (!isTemplateName(name)) complain(path, `${toSentence(nameRule)} Call ${quoted(name)} something else.`, "key");
  else if (reserved.includes(name))
    complain(path, `${quoted(name)} means something else in references. Give the service another name.`, "key");
  else if (draft.byName.get(name) !== service)
    complain(path, `There is an external service ${quoted(name)} as well. Give one of them another name.`, "key");
}

function checkVariables(env: object | undefined, path: Path, complain: Complain): void {
  for (const name of Object.keys(env ?? {})) {
    if (!isVariableName(name))
      complain([...path, name], `${toSentence(variableRule)} Call ${quoted(name)} something else.`, "key");
  }
}

function checkPorts({ said, path }: DraftService, complain: Complain): void {
  const ports = said.ports ?? [];
  for (const [at, port] of ports.entries()) {
    if (ports.indexOf(port) < at)
      complain([...path, "ports", at], `The port ${quoted(port)} is there twice. Give one of them another name.`);
  }
}

const probes = ["http", "tcp", "command", "log"] as const;

function checkHealth(service: DraftService, complain: Complain): void {
  const { health } = service.said;
  if (health === undefined) return;
  const path = [...service.path, "health"];
  const [first, second] = probes.filter((kind) => health[kind] !== undefined);
  if (first === undefined && !service.isSure("health")) return;
  if (first === undefined)
    return complain(path, `It does not say what is checked. Add one of ${probes.join(", ")}.`, "key");
  if (second !== undefined)
    complain([...path, second], `A service has one check, and there is ${first} already. Take one of them out.`, "key");
  checkProbedPort(service, complain);
  if (first === "log") {
    for (const key of ["interval", "timeout", "retries"] as const)
      if (health[key] !== undefined)
        complain(
          [...path, key],
          `A line of output is waited for once, so ${key} means nothing here. Take it out.`,
          "key",
        );
  }
  const { interval, timeout } = health;
  const intervalMs = interval === undefined ? healthDefaults.intervalMs : toMs(interval);
  if (timeout !== undefined && toMs(timeout) > intervalMs && service.isSure("health", "interval"))
    complain(
      [...path, "timeout"],
      `A check would take longer than the time to the next one, which is ${spellMs(intervalMs)}. Make the timeout shorter or the interval longer.`,
    );
}

function checkProbedPort(service: DraftService, complain: Complain): void {
  const { health, ports = [] } = service.said;
  if (!service.isSure("ports") || (health?.http === undefined && health?.tcp === undefined)) return;
  const kind = health.http === undefined ? "tcp" : "http";
  const path = [...service.path, "health", kind];
  if (ports.length === 0)
    return complain(path, `The service ${service.name} has no port to check. Give it one: ports: [http].`, "key");
  const short = typeof health.http === "string" ? health.http : undefined;
  const port = typeof health.http === "object" ? health.http.port : health.tcp;
  if (short !== undefined && ports.length > 1)
    complain(
      path,
      `The service ${service.name} has several ports. Say which: http: { port: ${ports[0] ?? ""}, path: ${short} }.`,
    );
  if (short === undefined && port !== undefined && !ports.includes(port))
    complain(
      typeof health.http === "object" ? [...path, "port"] : path,
      `The service ${service.name} has no port ${quoted(port)}.${didYouMean(port, ports) || ` It has: ${ports.join(", ")}.`}`,
    );
}

function checkRestart(service: DraftService, complain: Complain, warn: Complain): void {
  const { restart } = service.said;
  if (typeof restart !== "object" || !service.isSure("restart")) return;
  const path = [...service.path, "restart"];
  const { delay, max_delay, limit = restartDefaults.limit, window } = restart;
  if (delay !== undefined && max_delay !== undefined && toMs(delay) > toMs(max_delay))
    return complain(
      [...path, "max_delay"],
      `The first delay (${delay}) is longer than the longest (${max_delay}). Exchange them, or leave one out.`,
    );
  const { delayMs, delayMsMax } = delaysOf(restart);
  const windowMs = window === undefined ? restartDefaults.windowMs : toMs(window);
  const unused = (["delay", "max_delay", "limit", "window"] as const).find((key) => restart[key] !== undefined);
  if (policyOf(service.said) === "never" && unused !== undefined)
    return warn([...path, unused], `It is never started again, so ${unused} means nothing. Take it out.`, "key");
  if (spanMs(delayMs, delayMsMax, limit) > windowMs)
    warn(
      path,
      `With these delays ${limit} restarts never fall within ${spellMs(windowMs)}, so it would be started again for ever. Make the window longer, or the limit or the delays smaller.`,
      "key",
    );
}

function checkStop({ said, path, isSure }: DraftService, warn: Complain): void {
  if (said.stop?.signal !== "KILL" || said.stop.grace === undefined || !isSure("stop")) return;
  warn(
    [...path, "stop", "grace"],
    "KILL ends it at once, so grace means nothing. Take it out, or ask by another signal.",
    "key",
  );
}

function checkOverlap({ said, path, name, isSure }: DraftService, complain: Complain): void {
  if (said.overlap !== true || said.health !== undefined || !isSure("health")) return;
  complain(
    [...path, "overlap"],
    `Nobody can tell when a new ${name} is well, because it has no health check. Give it one, or take this out.`,
    "key",
  );
}

/** What is left out gives way to what was said. */
export function delaysOf(restart: { readonly delay?: string | undefined; readonly max_delay?: string | undefined }): {
  readonly delayMs: number;
  readonly delayMsMax: number;
} {
  const saidMs = restart.delay === undefined ? undefined : toMs(restart.delay);
  const saidMsMax = restart.max_delay === undefined ? undefined : toMs(restart.max_delay);
  return {
    delayMs: saidMs ?? Math.min(restartDefaults.delayMs, saidMsMax ?? restartDefaults.delayMs),
    delayMsMax: saidMsMax ?? Math.max(restartDefaults.delayMsMax, saidMs ?? 0),
  };
}

/** From the first restart to the last, of a service that ends as soon as it begins. */
function spanMs(delayMs: number, delayMsMax: number, restarts: number): number {
  let sumMs = 0;
  let nextMs = delayMs;
  for (let at = 1; at < restarts; at++) {
    nextMs = Math.min(nextMs * 2, delayMsMax);
    sumMs += nextMs;
  }
  return sumMs;
}
