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
  /** What it finds though it could not get there. */
  readonly staged?: StagedFolders;
};

/**
 * Files and folders that are closed to whom a root daemon starts keepers as, and that agents shall see all the same: root shows
 * them by these names, read-only, in a folder that looks empty to everybody but the keeper.
 */
export type StagedFolders = {
  readonly folder: string;
  readonly entries: readonly { readonly name: string; readonly source: string }[];
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

/** Where programs of the system are that cages are made with. Nobody's PATH has a say in it. */
export const systemFolders = ["/usr/bin", "/bin", "/usr/sbin", "/sbin", "/usr/local/bin"];

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
  const [first = "", ...rest] = [...(as === null ? [] : stagedArgv(start.staged)), ...asUser(as, own)];
  return [first, ...rest];
}

/** The same as somebody else; null is ourselves. */
export function asUser(as: KeeperStart["as"], argv: readonly string[]): readonly string[] {
  return as === null ? argv : ["setpriv", `--reuid=${as.uid}`, `--regid=${as.gid}`, "--clear-groups", ...argv];
}

// What cannot be shown is left out: everything else is shown all the same. A file is shown on a file, a folder on a folder.
const stage = `cd "$1" && mount -t tmpfs -o mode=711,nosuid,nodev,size=1m stage . && cd "$1" || exit 125
shift
while [ "$1" != -- ]; do
  if [ -d "$2" ]; then mkdir "$1"; elif [ -f "$2" ]; then : > "$1"; fi
  mount --bind "$2" "$1" && mount -o remount,bind,ro "$1"
  shift 2
done
shift; cd / && exec "$@"`;

/** What a root daemon puts before a program, so that this finds what is staged. Nobody else sees any of it. */
export function stagedArgv(staged: StagedFolders | undefined): readonly string[] {
  if (staged === undefined || staged.entries.length === 0) return [];
  const words = staged.entries.flatMap(({ name, source }) => [name, source]);
  return ["unshare", "-m", "--propagation", "private", "sh", "-c", stage, "sh", staged.folder, ...words, "--"];
}
