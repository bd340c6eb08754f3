import type { Engine } from "../engine/engine.ts";
import type { LogCheck } from "./log-check.ts";
import type { Execs } from "../node/agents/execs.ts";
import type { LivingAgents } from "../node/agents/living-agents.ts";
import type { WorkspaceChoice } from "../node/keepers/choose-workspaces.ts";
import type { Audit } from "../node/audit/audit.ts";
import type { LastAudit } from "../node/audit/audit-watch.ts";
import type { RunnerInventory } from "../node/assistants/runner-inventory.ts";
import type { Credentials } from "../node/relay/credentials.ts";
import type { KeptExchanges } from "../node/relay/kept-exchanges.ts";
import type { Subscriptions } from "../node/relay/subscriptions.ts";
import type { BlobStore } from "../ports/blob-store.ts";
import type { Clock } from "../ports/clock.ts";
import type { EventStore } from "../ports/event-store.ts";
import type { DiskWatch } from "../node/disk/disk-watch.ts";
import type { Machine } from "../node/disk/machine.ts";
import type { Images } from "../node/images/images.ts";
import type { ModelDoors } from "../node/model-door/model-doors.ts";
import type { LiveOrder } from "../node/tool-host/live-output.ts";
import type { Terminals } from "../node/terminals/terminals.ts";
import type { Artifacts } from "../node/tool-host/artifacts.ts";
import type { KeptOutput, OutputStore } from "../ports/output-store.ts";
import type { Mainlines } from "../ports/mainlines.ts";
import type { ProjectLock } from "../ports/project-lock.ts";
import type { AgentUsage } from "../node/usage/agent-usage.ts";
import type { HeldUpActs } from "../node/held-up-acts.ts";
import type { KeptWorkspaces } from "../node/workspace/kept-workspaces.ts";
import type { UseHistory } from "../node/usage/use-history.ts";
import type { Gates } from "./http/gates.ts";
import type { SecretStore } from "../ports/secret-store.ts";
import type { DoctorReport } from "../protocol/wire/status.ts";
import type { Maintenance } from "./maintenance/maintenance.ts";
import type { Storage } from "./storage/storage.ts";
import type { PublishedWords } from "./stream/growing-words.ts";

/** What the faces stand on. Tests put in an engine of their own. */
export type DaemonParts = {
  readonly engine: Pick<Engine, "state" | "nowMs" | "submit" | "subscribe">;
  readonly store: Pick<EventStore, "read" | "lastSeq" | "loadSnapshot">;
  readonly blobs: BlobStore;
  readonly outputs: OutputStore;
  /** What commands that are under way have said so far. */
  readonly live?: (order: LiveOrder) => Promise<KeptOutput | null>;
  readonly mainlines: Pick<Mainlines, "adopt" | "of">;
  readonly projects: Pick<ProjectLock, "take" | "giveBack">;
  readonly secrets: Pick<SecretStore, "set" | "list" | "remove" | "values">;
  readonly credentials: Pick<Credentials, "outside" | "values">;
  readonly subscriptions: Pick<Subscriptions, "set" | "list" | "remove" | "values">;
  readonly storage: Pick<Storage, "report" | "collect" | "collectBlobs" | "space">;
  /** The machine as it is now. */
  readonly machine: () => Promise<Machine>;
  readonly images: Pick<Images, "list" | "prune">;
  readonly log: Pick<LogCheck, "damage">;
  readonly audit: Pick<Audit, "look" | "reap"> & { readonly last: LastAudit | null };
  readonly maintenance: Pick<Maintenance, "maintain" | "last" | "everyMs">;
  /** How workspaces are made here, and why. */
  readonly workspaces: Pick<WorkspaceChoice, "kind" | "why">;
  /** The places of living agents. */
  readonly agents: Pick<LivingAgents, "placeOf" | "hasPlace" | "envOf" | "refresh" | "isAdapting" | "adapted">;
  /** Commands inside them that somebody listens to. */
  readonly execs: Pick<Execs, "start" | "tie" | "wait" | "read" | "write" | "stop" | "forget">;
  readonly usage: Pick<AgentUsage, "stats" | "top">;
  /** What was seen of agents over time. */
  readonly seen: Pick<UseHistory, "read" | "free" | "memory" | "shares" | "starts" | "failed">;
  /** What is to be done about runs, and the world is in the way of. */
  readonly heldUp: Pick<HeldUpActs, "list">;
  /** What people should know of the disk that agents live on. */
  readonly diskWatch?: Pick<DiskWatch, "word">;
  /** Workspaces that nobody could look through. */
  readonly kept: Pick<KeptWorkspaces, "list">;
  readonly clock: Clock;
  /** Looks at the person's side of a project, so that what is told of it is so. */
  readonly look?: (project: string) => Promise<void>;
  /** The folder of this daemon: `run/` gets the socket, `token` is the bearer token's file. */
  readonly home: string;
  readonly token: string;
  readonly version: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** Who people are in the log, when they come with the token: `person:NAME`. */
  readonly person: string;
  /** Runners that this daemon has. */
  readonly runners: readonly string[];
  /** Other names that they go by. */
  readonly otherNames?: ReadonlyMap<string, string>;
  /** What is known of them. */
  readonly inventory: Pick<
    RunnerInventory,
    "list" | "one" | "missing" | "lackOf" | "probe" | "isAssistant" | "toolNamesOf"
  >;
  /** The doors of runs that whoever connects drives. */
  readonly doors: ModelDoors;
  /** The ways to them from inside cages, where there are any. */
  readonly gates?: Pick<Gates, "connect">;
  /** What assistants are just saying. */
  readonly words?: PublishedWords;
  /** What a run left to read. */
  readonly artifactsOf: (run: string) => Artifacts;
  /** What was asked of models for runs, and what they answered. */
  readonly exchanges: Pick<KeptExchanges, "list" | "read">;
  readonly terminals: Terminals;
  /** Nodes that runs can be placed on. */
  readonly nodes: readonly string[];
  /** The built console, or null when there is none. */
  readonly consoleFolder: string | null;
  /** Further origins that may speak to us, such as the console's development server. */
  readonly moreOrigins?: readonly string[];
  /** Further checks for `doctor`. */
  readonly checks: () => Promise<DoctorReport["checks"]>;
  /** Somebody asked the daemon to end. */
  readonly shutdown: () => void;
  /** Told of our own mistakes; they are answered as `internal`. */
  readonly onDefect: (error: unknown) => void;
};
