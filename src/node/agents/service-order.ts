// What a service is started with: its command and its variables, with the numbers of ports put in.

import type { EnvValue } from "../../core/agent/agent-spec.ts";
import { type Agent, portKey, type Service } from "../../core/agent/agent-state.ts";
import { membersOf } from "../../core/agent/instances.ts";
import { envFileOf } from "./env-file.ts";
import type { OwnSystem } from "./service-systems.ts";
import { fill, type Reference } from "../../core/agent/references.ts";

export type ServiceOrder = {
  readonly argv: readonly string[];
  readonly cwd: string | null;
  readonly env: Readonly<Record<string, string>>;
  /** The system that it has for itself. */
  readonly system?: string;
};

/** What no template says itself: values that were made up for the agent, and secrets by their names. */
export type Given = {
  readonly made: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string>>;
  /** What is said of services of agents that it is joined to. */
  readonly joined: Readonly<Record<string, string>>;
  /** What it is started with on a system of its own. */
  readonly system?: OwnSystem | null;
};

export function orderOf(agent: Agent, { spec, group }: Service, given: Given): ServiceOrder {
  const put = (text: string): string => fill(text, spec.name, (reference) => valueOf(agent, reference));
  const own = Object.entries(spec.env).flatMap(([name, value]) => {
    const text = typeof value === "string" ? put(value) : given.secrets[value.secret];
    return text === undefined ? [] : [[name, text] as const];
  });
  const ports = spec.ports.map(
    (port) => [`PORT_${toVariable(port)}`, String(numberOf(agent, spec.name, port))] as const,
  );
  const [only, another] = ports;
  const { system = null } = given;
  return {
    // What an image says is no template's: nothing is put into it.
    argv: system === null ? spec.argv.map(put) : system.argv(put),
    cwd: spec.cwd,
    ...(system === null ? {} : { system: system.name }),
    env: {
      SIGNALBOX_SERVICE: group ?? spec.name,
      ...(spec.envSignal === undefined ? {} : { SIGNALBOX_ENV_FILE: envFileOf(agent.id, spec.name) }),
      ...(group === null ? {} : { SIGNALBOX_INSTANCE: spec.name.slice(group.length + 1) }),
      ...Object.fromEntries(ports),
      ...(only === undefined || another !== undefined ? {} : { PORT: only[1] }),
      ...envOf(agent, given),
      ...Object.fromEntries(own),
    },
  };
}

/** The variables that everything in an agent sees; a secret that is not given is none of them. */
export function envOf(agent: Agent, { made, secrets, joined }: Given): Record<string, string> {
  const toText = (name: string, value: EnvValue): string | undefined => {
    if (typeof value === "string") return fill(value, "", (reference) => valueOf(agent, reference));
    return "secret" in value ? secrets[value.secret] : (made[name] ?? "");
  };
  const common = Object.entries(agent.spec.env).flatMap(([name, value]) => {
    const text = toText(name, value);
    return text === undefined ? [] : [[name, text] as const];
  });
  return { SIGNALBOX_AGENT: agent.name, ...joined, ...Object.fromEntries(common) };
}

/** What whoever works beside its services is told of them: WEB_PORT and WEB_URL, or WEB_PORT_ADMIN where it has several. */
export function servicesEnvOf(agent: Agent): Record<string, string> {
  const found = agent.spec.services.flatMap((spec) =>
    spec.ports.flatMap((port) => {
      const number = String(numberOf(agent, spec.name, port));
      const more = spec.ports.length === 1 ? "" : `_${toVariable(port)}`;
      const name = toVariable(spec.name);
      return [[`${name}_PORT${more}`, number] as const, [`${name}_URL${more}`, urlOf(number)] as const];
    }),
  );
  return Object.fromEntries(found);
}

/** The command of a health check, with everything put in; it sees what its service does. */
export function checkOrderOf(agent: Agent, service: Service, argv: readonly string[], given: Given): ServiceOrder {
  const words = argv.map((text) => fill(text, service.spec.name, (reference) => valueOf(agent, reference)));
  return { ...orderOf(agent, service, given), argv: words };
}

/** What a text names, put in. */
export function valueOf(agent: Agent, reference: Reference): string {
  if (reference.of === "agent") return agent[reference.field];
  const port = String(numberOf(agent, reference.service, reference.port));
  return reference.of === "port" ? port : urlOf(port);
}

function urlOf(port: string): string {
  return `http://127.0.0.1:${port}`;
}

/** The number of a service's port; null means its only one. */
export function numberOf(agent: Agent, service: string, port: string | null): number | undefined {
  const [only] = membersOf(agent, service);
  const name = port ?? only?.spec.ports[0];
  return name === undefined ? undefined : agent.ports.get(portKey(service, name));
}

/** A name as part of the name of a variable. */
export function toVariable(name: string): string {
  return name.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_");
}
