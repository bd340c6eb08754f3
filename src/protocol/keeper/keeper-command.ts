// How a keeper is started, and the names in its folder: what the node's side and the keeper's side have to agree on.

/** The argument list of a keeper, to be started detached. */
export type KeeperStart = {
  readonly node: string;
  readonly main: string;
  /** The keeper's own folder, 0700, of the user that it runs as. Its path is short: a socket's may have 107 bytes. */
  readonly folder: string;
  /** Whom a root daemon starts it as. */
  readonly as: { readonly uid: number; readonly gid: number } | null;
  /** False where the machine has no user namespaces: then only clones without a cage can be kept. */
  readonly namespaces: boolean;
  /** The daemon, `<pid>:<start>`: when it is gone before anyone opened the keeper, the keeper ends. */
  readonly daemon: string;
  /** What keepers of this user share and can make again. */
  readonly cache: string;
  /** Control groups that were made for it: `2=<path>`, or `memory=<path>` and `pids=<path>`. */
  readonly groups: readonly string[];
};

/** What a keeper is told about its namespaces: from inside nobody can tell whose they are. */
export type KeeperNamespaces = "own-namespaces" | "no-namespaces";

export const keeperSocketName = "keeper.sock";
export const keeperRecordName = "keeper.json";
export const keeperLogName = "keeper.log";

/** What a keeper writes down about itself, so that a later daemon knows it again. */
export type KeeperRecord = {
  readonly protocol: number;
  readonly pid: number;
  readonly startTicks: string;
  readonly bootId: string;
  readonly agent: string | null;
  readonly groups: readonly string[];
};

// A small heap starts faster and spawns faster; the ceiling is where something has gone wrong. SIGUSR1 would open an
// inspector to whoever can signal.
const nodeFlags = [
  "--disable-sigusr1",
  "--no-warnings",
  "--max-old-space-size=256",
  "--max-semi-space-size=2",
  "--v8-pool-size=1",
];

export function keeperArgv(start: KeeperStart): readonly [string, ...string[]] {
  const { as } = start;
  const whose: KeeperNamespaces = start.namespaces ? "own-namespaces" : "no-namespaces";
  const program = [
    start.node,
    ...nodeFlags,
    start.main,
    start.folder,
    start.daemon,
    whose,
    start.cache,
    ...start.groups,
  ];
  // One user and mount namespace, in which the keeper may mount; nothing that it mounts is seen outside.
  const own = start.namespaces ? ["unshare", "-Urm", "--propagation", "private", ...program] : program;
  const [first = "", ...rest] =
    as === null ? own : ["setpriv", `--reuid=${as.uid}`, `--regid=${as.gid}`, "--clear-groups", ...own];
  return [first, ...rest];
}
