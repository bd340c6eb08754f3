// What an agent is made of, as its template says it: every default filled in, every name checked, nothing left to be read.

import type { EgressKind } from "../egress/egress.ts";
import type { Permissions } from "../profile/profile.ts";
import type { ImageChoice, RunImage } from "../project/image.ts";

export type AgentSpec = {
  /** The template's name. */
  readonly template: string;
  /** The project, by id or name, that an agent of it is made for where nobody says another. */
  readonly project?: string;
  /** How its files are laid out: layers over one another, or a copy. Left out: as its machine does it. */
  readonly workspace?: "overlay" | "clone";
  /** Variables that every service sees; its own are put over them. */
  readonly env: Readonly<Record<string, EnvValue>>;
  /** In the order of the template. Their needs name others of them, and go round in no circle. */
  readonly services: readonly ServiceSpec[];
  readonly faces: readonly FaceSpec[];
  /** What everything in it may use together; without it, what any agent may. */
  readonly limits?: UseLimits;
  /** Left out: no network beyond its own. */
  readonly egress?: EgressSpec;
  /** Left out: what its project has; `none` is the machine's own system. */
  readonly image?: RunImage;
  readonly hooks?: Readonly<Partial<Record<HookName, Hook>>>;
  readonly assistant?: AssistantSpec;
  /** Names of agents whose services it wants to see, and which may see its own where theirs say the same. */
  readonly join?: readonly string[];
  /** Left out: as `recoveryDefaults` say. */
  readonly recovery?: RecoveryRule;
  /** Left out: a person is told when everything was tried. */
  readonly alerts?: AlertRule;
};

/** How far is gone to mend an agent by itself. */
export type RecoveryRule = {
  /** What may be tried before a person is asked, from the least to the most. */
  readonly rungs: readonly RecoveryRung[];
  /** How often each of them is tried. */
  readonly tries: number;
  /** The first rung waits this long, each further one twice as long, up to the longest. */
  readonly delayMs: number;
  readonly delayMsMax: number;
  /** How long everything has to be well until it begins at the foot again. */
  readonly resetMs: number;
};

export const recoveryRungs = ["recreate", "reallocate", "respawn"] as const;
export type RecoveryRung = (typeof recoveryRungs)[number];

/** When a person is told although not everything was tried; null where they are not. */
export type AlertRule = {
  /** From this rung on. */
  readonly rung: RecoveryRung | null;
  /** When a service was started again so often within an hour. */
  readonly restarts: number | null;
  /** When a service was not well for so long. */
  readonly unwellMs: number | null;
};

/** Who works in it by itself, and on what. */
export type AssistantSpec = {
  readonly profile: string;
  readonly prompt: string;
  /** Once in the life of the agent, each time that it has come up, or only when somebody asks. */
  readonly start: "once" | "each" | "never";
  /** Left out: as its profile says. */
  readonly permissions?: Permissions;
};

export const hookNames = ["setup", "ready", "archive"] as const;
/** When a command of the agent's own is run: once before its services; each time it has come up; before it is put away. */
export type HookName = (typeof hookNames)[number];

export type Hook = {
  readonly argv: readonly string[];
  /** A folder of the workspace; null is the workspace itself. */
  readonly cwd: string | null;
  readonly timeoutMs: number;
};

/** Times as cron writes them, by the clocks of a zone; the shifts say how far these are ahead of UTC, from when on. */
export type ScheduleRule = {
  readonly cron: string;
  readonly zone: string;
  readonly shifts: readonly { readonly fromMs: number; readonly offsetMs: number }[];
};

/** What a life says goes into files of at most this size; of those that are full, so many are kept. */
export type LogRule = { readonly maxBytes: number; readonly keep: number };

/** Null where nothing is said. */
export type UseLimits = {
  readonly memoryBytes: number | null;
  /** How much memory it may be given where that was not enough; left out, no more. */
  readonly memoryBytesMax?: number;
  /** Processors, of which a part is a fraction. */
  readonly cpu: number | null;
  readonly processes: number | null;
  /** Of each process. */
  readonly files: number | null;
  /** What everything of an agent may take of the disk together; left out, what policies allow. No service has one of its own. */
  readonly diskBytes?: number;
};

/** A list of its own, or its project's. */
export type EgressSpec = { readonly kind: EgressKind; readonly allow: readonly string[] | null };

/** What services see; or something that is made up once, when the agent is. */
export type EnvValue = ServiceEnvValue | { readonly generate: "hex"; readonly bytes: number };

/** A text, which may name ports of services; or the name of a secret, whose value only the node ever reads. */
export type ServiceEnvValue = string | SecretRef;
export type SecretRef = { readonly secret: string };

/** The names of the secrets in these variables, each once. */
export function secretsIn(...envs: readonly Readonly<Record<string, EnvValue>>[]): string[] {
  const values = envs.flatMap((env) => Object.values(env));
  return [
    ...new Set(values.flatMap((value) => (typeof value === "object" && "secret" in value ? [value.secret] : []))),
  ];
}

export type ServiceSpec = {
  readonly name: string;
  /** External ones are what the application stands on: databases, queues. They come first and go last. */
  readonly kind: "external" | "application";
  /** Empty where its image says what to start. */
  readonly argv: readonly string[];
  /** The system that it has for itself; left out, it has its agent's. */
  readonly image?: ImageChoice;
  /** What comes before its command in place of what its image says. */
  readonly entrypoint?: readonly string[];
  /** Folders of its image that stay as long as its agent. */
  readonly data?: readonly string[];
  /** Whether it sees the workspace, on a system of its own. */
  readonly workspace?: true;
  /** A folder of the workspace; null is the workspace itself. */
  readonly cwd: string | null;
  readonly env: Readonly<Record<string, ServiceEnvValue>>;
  readonly needs: readonly Need[];
  /** Names of its ports. Each gets a number that nobody else on the machine has. */
  readonly ports: readonly string[];
  readonly health: HealthCheck | null;
  readonly restart: RestartRule;
  readonly stop: { readonly signal: StopSignal; readonly graceMs: number };
  /** What its processes may use together. */
  readonly limits?: UseLimits;
  /** How much of what it says is kept; without it, the beginning and the end. */
  readonly logs?: LogRule;
  /** How many of it run side by side, behind one port; one where nothing is said. */
  readonly instances?: number;
  /** Whether a new one is well before the old one goes. */
  readonly overlap?: true;
  /** What tells it that its variables have become others, which it reads from a file; left out, it is begun anew for them. */
  readonly envSignal?: EnvSignal;
  /** Globs of files in the workspace: when one of these changes, it is begun anew. */
  readonly watch?: readonly string[];
  /** When it is started, again and again; it ends by itself. */
  readonly schedule?: ScheduleRule;
};

/** A page or an MCP endpoint of a service, reached through the daemon on an origin of its own. */
export type FaceSpec = {
  readonly name: string;
  readonly service: string;
  /** The name of one of its ports. */
  readonly port: string;
  /** What opens. */
  readonly path: string;
  readonly kind: "web" | "mcp";
  readonly title: string | null;
};

/** A service that has to be so far before another one begins. */
export type Need = { readonly service: string; readonly until: "started" | "healthy" | "completed" };

export const stopSignals = ["TERM", "INT", "QUIT", "HUP", "USR1", "USR2", "WINCH", "KILL"] as const;
export type StopSignal = (typeof stopSignals)[number];

export const envSignals = ["HUP", "USR1", "USR2"] as const;
export type EnvSignal = (typeof envSignals)[number];

export type HealthCheck = HealthProbe & {
  readonly intervalMs: number;
  readonly timeoutMs: number;
  /** How many checks in a row have to fail until it counts as unhealthy. */
  readonly retries: number;
  /** How long after its start failed checks do not count. */
  readonly startPeriodMs: number;
};

export type HealthProbe =
  /** Any answer below 400. */
  | { readonly kind: "http"; readonly port: string; readonly path: string }
  | { readonly kind: "tcp"; readonly port: string }
  | { readonly kind: "command"; readonly argv: readonly string[] }
  /** Healthy from the first line of its output that contains this text. */
  | { readonly kind: "log"; readonly text: string };

export type RestartRule = {
  readonly policy: "always" | "on-failure" | "never";
  /** The first restart waits this long, each further one twice as long, up to the longest. */
  readonly delayMs: number;
  readonly delayMsMax: number;
  /** So many restarts within the window are tried; then the next rung of the ladder is. */
  readonly limit: number;
  readonly windowMs: number;
};

export const restartDefaults: RestartRule = {
  policy: "always",
  delayMs: 100,
  delayMsMax: 30_000,
  limit: 5,
  windowMs: 60_000,
};

export const recoveryDefaults: RecoveryRule = {
  rungs: recoveryRungs,
  tries: 1,
  delayMs: 0,
  delayMsMax: 300_000,
  resetMs: 600_000,
};

export const healthDefaults = { intervalMs: 5000, timeoutMs: 2000, retries: 3, startPeriodMs: 30_000 } as const;
export const stopDefaults = { signal: "TERM", graceMs: 10_000 } as const;
