// What a template is read into: every default filled in, every name checked, nothing left to be read. The core has the same
// type under the same name; a test compares the two.

import type { Image } from "../wire/image.ts";

export const workspaceKinds = ["overlay", "clone"] as const;

export type AgentSpec = {
  readonly template: string;
  /** The project, by id or name, that an agent of it is made for where nobody says another. */
  readonly project?: string;
  /** How its files are laid out: layers over one another, or a copy. Left out: as its machine does it. */
  readonly workspace?: (typeof workspaceKinds)[number];
  readonly env: Readonly<Record<string, EnvValue>>;
  readonly services: readonly ServiceSpec[];
  readonly faces: readonly FaceSpec[];
  /** What everything in it may use together; without it, what any agent may. */
  readonly limits?: UseLimits;
  /** Left out: no network beyond its own. */
  readonly egress?: EgressSpec;
  /** Left out: what its project has; `none` is the machine's own system. */
  readonly image?: Image | "none";
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

export const assistantStarts = ["once", "each", "never"] as const;

/** Who works in it by itself, and on what. */
export type AssistantSpec = {
  readonly profile: string;
  readonly prompt: string;
  /** Once in the life of the agent, each time that it has come up, or only when somebody asks. */
  readonly start: (typeof assistantStarts)[number];
  /** Left out: as its profile says. */
  readonly permissions?: Permissions;
};

/** Tools of the door that a model has, as far as its profile has them, and those that it has not. */
export type Permissions = { readonly allow: readonly string[] | null; readonly deny: readonly string[] };

export const hookNames = ["setup", "ready", "archive"] as const;
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
export type EgressSpec = { readonly kind: "none" | "list" | "open"; readonly allow: readonly string[] | null };

export type EnvValue = ServiceEnvValue | { readonly generate: "hex"; readonly bytes: number };

/** A text, or the name of something that the daemon keeps. */
export type ServiceEnvValue = string | SecretRef;
export type SecretRef = { readonly secret: string };

export type ServiceSpec = {
  readonly name: string;
  readonly kind: "external" | "application";
  /** Empty where its image says what to start. */
  readonly argv: readonly string[];
  /** The system that it has for itself; left out, it has its agent's. */
  readonly image?: Image;
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

export const faceKinds = ["web", "mcp"] as const;
export const faceDefaults = { path: "/", kind: "web" } as const;

export type FaceSpec = {
  readonly name: string;
  readonly service: string;
  readonly port: string;
  readonly path: string;
  readonly kind: (typeof faceKinds)[number];
  readonly title: string | null;
};

export const needKinds = ["started", "healthy", "completed"] as const;
export type Need = { readonly service: string; readonly until: (typeof needKinds)[number] };

export const stopSignals = ["TERM", "INT", "QUIT", "HUP", "USR1", "USR2", "WINCH", "KILL"] as const;
export type StopSignal = (typeof stopSignals)[number];

export const envSignals = ["HUP", "USR1", "USR2"] as const;
export type EnvSignal = (typeof envSignals)[number];

export type HealthCheck = HealthProbe & {
  readonly intervalMs: number;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly startPeriodMs: number;
};

export type HealthProbe =
  | { readonly kind: "http"; readonly port: string; readonly path: string }
  | { readonly kind: "tcp"; readonly port: string }
  | { readonly kind: "command"; readonly argv: readonly string[] }
  | { readonly kind: "log"; readonly text: string };

export const restartPolicies = ["always", "on-failure", "never"] as const;

export type RestartRule = {
  readonly policy: (typeof restartPolicies)[number];
  readonly delayMs: number;
  readonly delayMsMax: number;
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
export const agentLimitDefaults = { processes: 4096 } as const;
export const logDefaults: LogRule = { maxBytes: 8 * 1024 ** 2, keep: 3 };
export const assistantDefaults = { start: "once" } as const;
export const hookDefaults = { timeoutMs: 600_000 } as const;
export const generateDefaults = { bytes: 32 } as const;
