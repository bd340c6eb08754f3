// What the daemon and a keeper say to each other: one JSON text per line over a Unix socket. A new daemon speaks to the
// keepers of the release before, so fields are only ever added.

import type { TimeMark } from "../../base/time-marks.ts";
import type { TerminalOp } from "./terminal-wire.ts";

/**
 * Rises where something is said in another way than before. What is only added does not raise it: whoever does not know a request
 * answers `bad-request`. The record of a keeper, `hello` and `close` are the same in all of them.
 */
export const keeperProtocol = 1;
/** The oldest one that daemons of this release still speak. */
export const keeperProtocolOldest = 1;

/** No line is longer, in either direction; larger bytes travel in files. */
export const keeperLineBytesMax = 8 * 1024 * 1024;
/** Bytes up to this size travel in the line. */
export const keeperInlineBytesMax = 1024 * 1024;

/** Files with more are not read by their path, but looked at with commands. */
export const keeperReadBytesMax = 64 * 1024 * 1024;
/** In a keeper's folder: where files lie that an answer speaks of. */
export const keeperLoansName = "loans";

/** What a file may have at most to be work, where nothing else is said (LD57). */
export const usualLandBytesMax = 1024 * 1024 * 1024;

/** A path entry as in a git tree: `<mode>:<blob>`, or null where there is nothing. */
export type WireEntry = string | null;

/** Bytes, in the line or in a file that both sides can read. */
export type WireBytes = { readonly base64: string } | { readonly file: string };

export type KeeperRequest = { readonly id: number } & KeeperOp;

/** A request as JSON in a file, where it is too long for a line. Whoever reads it removes it. */
export type LongKeeperRequest = { readonly id: number; readonly file: string };

export type KeeperAnswer =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  /** The value, as JSON in a file, where it is too long for a line. Whoever reads it removes it. */
  | { readonly id: number; readonly ok: true; readonly file: string }
  | {
      readonly id: number;
      readonly ok: false;
      readonly code: string;
      readonly message: string;
      readonly retry?: "now" | "later" | "never";
      /** What the code speaks of, as `ChangedPaths` for `changed`. */
      readonly data?: unknown;
    };

/** How the agent's place is made. */
export type CageOrder = {
  readonly agent: string;
  /** Where the workspace appears inside: the project's own path. */
  readonly root: string;
  readonly workspace: WorkspaceOrder;
  /**
   * Where calls and places are written down. It outlives the keeper: one that comes after finds there what was begun.
   * Without it, the keeper's own folder.
   */
  readonly journal?: string;
  /** Folders of the agent's own: its home and its /tmp. */
  readonly home: string;
  readonly tmp: string;
  /** Toolchains and other folders of the person, read-only, at their own path. */
  readonly binds: readonly string[];
  /** More of them, which lie where the keeper cannot get and were put where it can. */
  readonly staged?: readonly { readonly source: string; readonly target: string }[];
  readonly env: Readonly<Record<string, string>>;
  /** A network of its own, with nothing but itself; what leads out of it are bridges. */
  readonly network: "none";
  /** Without them nothing leads out. */
  readonly bridges?: readonly Bridge[];
  /**
   * Ports of the machine's loopback that lead to the same port inside. One that cannot be had refuses the opening with
   * `port-taken` and a `TakenPort`. Without a cage they are only looked at: services take them themselves.
   */
  readonly ports?: readonly number[];
  /**
   * Those of the ports behind which others of them stand: who connects to one, on the machine or inside, is brought to one
   * of those that `share` says.
   */
  readonly shared?: readonly number[];
  /** Whom it is joined to at first; `join` says it anew. Left out: nobody, and nobody can be. */
  readonly joined?: JoinOrder;
  readonly limits: CageLimits;
  /** False is a person's word, for one run: commands then run as the person, without walls. */
  readonly caged: boolean;
  /** How blobs are named; sha1 where nothing is said. */
  readonly hash?: "sha1" | "sha256";
  readonly git: GitOrder | null;
  /** A file of the workspace with more bytes is scratch (LD57). */
  readonly landBytesMax?: number;
  /** The system inside where it is not the machine's own. */
  readonly image?: ImageOrder;
  /**
   * Files come first: the opening does not wait for the cage, which is made a while later, or as soon as somebody starts
   * something. Where it cannot be made, whoever wants to start something is told, and nothing starts.
   */
  readonly filesFirst?: boolean;
};

/**
 * An image's files, which nobody changes and which belong to the keeper's own user. Its environment stands in place of the
 * order's: what that says of paths and languages is true on the machine alone.
 */
export type ImageOrder = { readonly root: string; readonly env: Readonly<Record<string, string>> };

/**
 * An image as the system of one service. Nobody else writes to it: what the service changes there is its own, and lasts as long as
 * its keeper does.
 */
export type SystemOrder = ImageOrder & {
  /** Where commands on it start that do not say otherwise. */
  readonly workdir: string;
  /** Folders that outlive it: as commands name them, and where they are. One that is not there yet begins as the image has it. */
  readonly data: readonly { readonly inside: string; readonly outside: string }[];
  /** Whether it sees the workspace, at the project's own path. */
  readonly workspace: boolean;
};

/** Whoever connects to 127.0.0.1:port inside is connected to a Unix socket outside, which is never shown inside. */
export type Bridge = {
  readonly port: number;
  readonly socket: string;
  /** What is carried are requests, and each is held until it is answered, also while nobody is there to answer it. */
  readonly holds?: true;
};

/** Which services of other agents are reached from inside, and at which sockets other agents are let in to services here. */
export type JoinOrder = {
  /** Of two that overtake each other, the higher counts. */
  readonly version: number;
  /** Names of services of others, which all stand for the loopback inside. */
  readonly hosts: readonly string[];
  readonly peers: readonly { readonly agent: string; readonly bridges: readonly Bridge[] }[];
  /** Ports of this agent, each with the socket at which the keepers of others connect to it. */
  readonly admits: readonly { readonly port: number; readonly socket: string }[];
};

/**
 * Layers are immutable, owned by the keeper's own user, and listed from the top down. Beneath them lie warm folders, which
 * are scratch of the workspace: what is in them, changed or gone is no change.
 */
export type WorkspaceOrder = { readonly layers: readonly string[]; readonly warm?: readonly string[] } & (
  | { readonly kind: "overlay"; readonly upper: string; readonly work: string }
  | { readonly kind: "clone"; readonly folder: string }
);

/** Objects that the disposable `.git` borrows, read-only, and the commit that its HEAD stands at. */
export type GitOrder = {
  readonly objects: string;
  readonly commit: string;
  readonly branch: string;
  /** An index that was made together with the layer: `git status` is quick from the first time. Else one is read. */
  readonly index?: string;
};

/**
 * The commit that a workspace stands at from now on, which the agent's own repository follows (LD63). With `anew` it is given to
 * somebody new, and its files are that commit's again.
 */
export type WireStand = { readonly commit: string; readonly anew?: boolean };

/** A share of the disk: so many bytes, counted while less than `spareBytes` are free; null is always. */
export type UsualDisk = { readonly bytes: number; readonly spareBytes: number | null };

export type CageLimits = {
  readonly memoryBytes: number | null;
  readonly processes: number | null;
  readonly files: number | null;
  readonly fileBytes: number | null;
  /** Processors; nobody counts where nothing is said, or the machine cannot hold them. */
  readonly cpu?: number | null;
  /** What the workspace, the home, /tmp and what stays of systems may take on the disk together; nobody counts where nothing is said. */
  readonly diskBytes?: number | null;
  /**
   * What they may take where `diskBytes` says nothing. Nobody counts while `spareBytes` are free on the disk: so long they cannot have
   * taken too much of what there was.
   */
  readonly usualDisk?: UsualDisk;
  /** How many bytes each command may say in a second, before it is kept waiting; a default where nothing is said. */
  readonly outputBytesPerS?: number | null;
};

/** What all commands together may use, whatever the order said; null where nothing is said. */
export type WholeLimits = Required<Pick<CageLimits, "memoryBytes" | "processes" | "files" | "cpu" | "outputBytesPerS">>;

/** Paths are relative to the workspace, with plain names only. */
export type KeeperOp =
  | { readonly op: "hello"; readonly protocol: number }
  /** Mounts a workspace that nobody has yet. Whoever opens the keeper with it, wherever its own folders are by then, finds it mounted. */
  | { readonly op: "prepare"; readonly workspace: WorkspaceOrder }
  | { readonly op: "open"; readonly cage: CageOrder }
  | { readonly op: "read"; readonly path: string }
  /** Without `all`, names that the project ignores are left out, unless the folder itself is in one that it ignores. */
  | {
      readonly op: "list";
      readonly path: string;
      readonly depth: number;
      readonly limit: number;
      readonly all?: boolean;
    }
  /** Which of these paths, new ones, a scan would leave out because the project ignores them. */
  | { readonly op: "ignored"; readonly paths: readonly string[]; readonly tracked?: readonly string[] }
  | {
      readonly op: "search";
      readonly text: string;
      readonly regex: boolean;
      readonly under: string;
      readonly limit: number;
    }
  /**
   * Puts entries at paths, all or none, journalled under `tag`: the same tag again gives the same answer. A path whose
   * entry is neither `expect` (where given) nor `to` refuses the whole with `changed`. Where it is `counted` and would be
   * more than the agent may have on the disk, it is refused with `disk-quota`. A file that is too large to be looked into
   * refuses it with `too-large`, unless it is placed `evenOversized`: then that gives way, whatever is expected there.
   */
  | {
      readonly op: "place";
      readonly tag: string;
      readonly changes: readonly PlaceChange[];
      readonly counted?: boolean;
      readonly evenOversized?: boolean;
      /** Along with it, or with no changes alone. */
      readonly stands?: WireStand;
      /** Asks along which of the paths git ignores, as `ignored` does. */
      readonly ignored?: { readonly paths: readonly string[]; readonly tracked: readonly string[] };
    }
  /** What was placed under a tag that is not forgotten, if anything was. */
  | { readonly op: "placed"; readonly tag: string }
  /**
   * Everything that differs from the layers: entries of files and links, and what is gone. Without `all`, new files that
   * the project ignores are left out: they are scratch. What is `tracked` is not new, though the layers do not have it.
   */
  | { readonly op: "scan"; readonly all?: boolean; readonly tracked?: readonly string[] }
  /** Copies what stands at these paths, by blob name, into the outbox folder, durably. */
  | { readonly op: "keep"; readonly paths: readonly string[]; readonly outbox: string }
  /** Makes the system of a service, which `start` then names. The same one again changes nothing; of another, whoever lived on it is gone. */
  | { readonly op: "system"; readonly name: string; readonly system: SystemOrder }
  /** Starts a command, or finds the one of this call. */
  | StartOp
  /** Answers when the command of the call has ended. */
  | { readonly op: "wait"; readonly call: string }
  /**
   * What comes under a tag is written once, however often it is sent. With `wait` the answer comes when the command has read
   * it, but for what its pipe holds.
   */
  | {
      readonly op: "input";
      readonly call: string;
      readonly base64: string;
      readonly end: boolean;
      readonly tag?: string;
      readonly wait?: boolean;
    }
  /** With `wait` the answer comes when there is something at the offset, or the command has ended. */
  | {
      readonly op: "output";
      readonly call: string;
      readonly offset: number;
      readonly limit: number;
      readonly wait?: boolean;
    }
  /** Ends a command with everything it started, first gently: by this signal, or SIGTERM. */
  | { readonly op: "stop"; readonly call: string; readonly graceMs: number; readonly signal?: StopSignalName }
  /** Ends every process of the agent and proves it; the workspace stays. */
  | { readonly op: "stop-all"; readonly graceMs: number }
  /** Answers when there is a cage, made at once where it was still to come; refused with `cage-failed` where there can be none. */
  | { readonly op: "cage" }
  /** Halts every process of the agent where it stands, or lets them go on. What is started meanwhile waits. */
  | { readonly op: "halt"; readonly on: boolean }
  /** What was answered and is recorded elsewhere may be forgotten: a command that has ended, or a place by its tag. */
  | { readonly op: "forget"; readonly call: string }
  /** Which processes belong to which call, under the machine's own numbers. */
  | { readonly op: "processes" }
  /** Sends a signal to the first process of a command, if it runs. */
  | { readonly op: "signal"; readonly call: string; readonly signal: "HUP" | "USR1" | "USR2" }
  /**
   * What a command may use from now on; null is what all of them may. Answers `held: false`, and nothing is changed, where that cannot
   * be while it runs.
   */
  | { readonly op: "limit"; readonly call: string; readonly limits: CommandLimits | null }
  /**
   * What all commands together may use from now on. Who uses more memory than that goes on for as long as it does not grow. What each
   * process holds by itself (open files; without control groups also memory and processes) holds for those that begin from now on.
   */
  | { readonly op: "limits"; readonly limits: WholeLimits }
  /** What may be taken of the disk from now on, in place of what the order said; null where nobody counts. */
  | { readonly op: "quota"; readonly diskBytes: number | null }
  /** Whom it is joined to, from now on. Answers when whoever it is not joined to any more is cut off. */
  | { readonly op: "join"; readonly joined: JoinOrder }
  /**
   * Which ports of the machine lead inside, from now on; whoever is connected stays so. Of two that overtake each other, the higher
   * version counts.
   */
  | { readonly op: "ways"; readonly ports: readonly number[]; readonly version: number }
  /**
   * Which ports inside stand behind a shared one, from now on. Answers when nobody is on the way to those that did. Of two
   * that overtake each other, the higher version counts.
   */
  | { readonly op: "share"; readonly port: number; readonly to: readonly number[]; readonly version: number }
  /**
   * Answers when files of the workspace have changed that a glob means and that were not heard of: `seen` is what the answer
   * before said. What changes while nobody asks is told to whoever asks next.
   */
  | { readonly op: "watch"; readonly watch: string; readonly globs: readonly string[]; readonly seen: number | null }
  /** Whether a service answers, at a port inside. */
  | ProbeOp
  | TerminalOp
  /** Ends everything and the keeper itself. */
  | { readonly op: "close"; readonly graceMs: number };

export type StopSignalName = "TERM" | "INT" | "QUIT" | "HUP" | "USR1" | "USR2" | "WINCH" | "KILL";

export type StartOp = {
  readonly op: "start";
  readonly call: string;
  readonly argv: readonly string[];
  /** A folder of the workspace, or a path as the command sees it; null is the workspace, or what the system of a service says. */
  readonly cwd: string | null;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number | null;
  /** Whether `input` will come. Without it there is nothing to read: many programs wait for ever on an open input. */
  readonly stdin?: boolean;
  /** Goes on when the agent takes more of the disk than it may: it is who has to tidy up. */
  readonly spared?: boolean;
  /** Whether it sees the machine's system also where the agent's is an image: what we bring along knows no other. */
  readonly onMachine?: boolean;
  /** The system of a service that it runs on, instead of the agent's. */
  readonly system?: string;
  /** What it may use, beside what all commands together may. */
  readonly limits?: CommandLimits;
  /** Its output goes into files of this size, of which so many full ones are kept; else its beginning and its end are. */
  readonly rotate?: { readonly bytes: number; readonly keep: number };
  /** Whether it is noted when it says what: its output comes with that. */
  readonly timed?: boolean;
  /**
   * How many bytes it may say that nobody has read: after them it waits at its pipe. Who asks for `output` at an offset has
   * read what comes before that.
   */
  readonly ahead?: number;
  /** What is blotted out, from now on, of everything that commands of this agent say, however it is spelled: it never reaches a file. */
  readonly hide?: readonly string[];
  /** The same in exact forms, for keepers of earlier releases. */
  readonly blot?: readonly string[];
};

/** Of all processes of a command together, but for open files, which each has. */
export type CommandLimits = Pick<CageLimits, "memoryBytes" | "processes" | "files"> & { readonly cpu: number | null };

/** Ports that could not be had. */
export type WaysAnswer = { readonly lacking: readonly number[] };
export type LimitAnswer = { readonly held: boolean };

export type ProbeOp = {
  readonly op: "probe";
  readonly port: number;
  readonly timeoutMs: number;
  /** Without it a connection is enough; with it, the answer to a GET has to have a status below 400. */
  readonly http?: { readonly path: string };
};

export type PlaceChange = {
  readonly path: string;
  readonly expect?: WireEntry;
  readonly to: WireEntry;
  readonly bytes?: WireBytes;
};

export type HelloAnswer = {
  readonly protocol: number;
  readonly version: string;
  readonly pid: number;
  /** The agent it keeps, or null while it waits in the pool. */
  readonly agent: string | null;
  readonly calls: readonly string[];
};

export type LimitTier = "cgroup2" | "cgroup1" | "prlimit";

export type OpenAnswer = {
  readonly tier: LimitTier;
  readonly caged: boolean;
  readonly seccomp: boolean;
  /** Calls that were under way when the keeper before was lost. */
  readonly lost: readonly string[];
  /** Places that were begun then, and are complete now. */
  readonly redone: readonly string[];
};

export type ReadAnswer = {
  readonly entry: WireEntry;
  readonly size: number;
  /** Null where there is nothing, or too much: then only the entry is told. */
  readonly bytes: WireBytes | null;
};

export type ListedPath = {
  readonly path: string;
  readonly kind: "file" | "folder" | "link" | "other";
  readonly size: number;
};

export type ListAnswer = {
  readonly paths: readonly ListedPath[];
  readonly more: boolean;
  /** How many names were left out. */
  readonly ignored: number;
};

export type IgnoredAnswer = { readonly ignored: readonly string[] };

export type SearchAnswer = {
  readonly matches: readonly { readonly path: string; readonly line: number; readonly text: string }[];
  /** There were more, or the time was up. */
  readonly more: boolean;
  readonly files: number;
};

/** `ignored` is there where it was asked for, by a keeper that knows the question. */
export type PlaceAnswer = { readonly placed: readonly PlacedPath[]; readonly ignored?: readonly string[] };

export type PlacedAnswer = { readonly placed: readonly PlacedPath[] | null };

export type PlacedPath = { readonly path: string; readonly before: WireEntry; readonly entry: WireEntry };

/** What stands at the paths that were not as expected. */
export type ChangedPaths = { readonly changed: readonly { readonly path: string; readonly entry: WireEntry }[] };

/** Which port cannot be had. */
export type TakenPort = { readonly port: number };

/** `oversized` are files that are too large to be looked into: scratch, whatever was there before. Left out where there are none. */
export type ScanAnswer = { readonly paths: readonly ScannedPath[]; readonly oversized?: readonly OversizedPath[] };

export type ScannedPath = { readonly path: string; readonly entry: WireEntry; readonly size: number };

export type OversizedPath = { readonly path: string; readonly size: number };

/** The paths as they were when they were copied; a path that holds nothing, or too much, has no file in the outbox. */
export type KeepAnswer = { readonly paths: readonly ScannedPath[]; readonly oversized?: readonly OversizedPath[] };

/** `found` is false for the one who started it, true for whoever comes after. */
export type StartAnswer = { readonly found: boolean };

export type OutputAnswer = {
  readonly base64: string;
  /** Where the bytes stand in the whole output: later than asked for where something was left out. */
  readonly offset: number;
  readonly totalBytes: number;
  readonly ended: boolean;
  /** When the bytes were said, by the clock of the machine; left out where nobody has noted it. */
  readonly times?: readonly TimeMark[];
};

/** A process of this boot, whatever else gets its number later. */
export type NumberedProcess = { readonly pid: number; readonly startTicks: string };

/** Calls and terminals by their names; those that are over and have nothing running are left out. */
export type ProcessesAnswer = {
  readonly keeper: number;
  readonly calls: readonly { readonly call: string; readonly processes: readonly NumberedProcess[] }[];
  /** What it may take of the disk where nobody said anything; left out where that is nothing, and by earlier releases. */
  readonly usualDisk?: UsualDisk;
};

/** The first of the paths, and how many there are. */
export type WatchAnswer = { readonly seen: number; readonly paths: readonly string[]; readonly count: number };

/** `what` is one sentence. */
export type ProbeAnswer = { readonly ok: boolean; readonly ms: number; readonly what: string };

export type StopAnswer = { readonly stopped: number };

export type CommandEnd = {
  /** 128 and the signal's number where a signal ended it. */
  readonly exit: number | "unknown";
  readonly signal: string | null;
  readonly why: "ended" | "timed-out" | "stopped" | "out-of-memory" | "out-of-disk" | "lost" | "not-started";
  readonly outputBytes: number;
  /** How much of the middle was not kept. */
  readonly leftOutBytes: number;
  /** The end of the output, as text. */
  readonly tail: string;
};
