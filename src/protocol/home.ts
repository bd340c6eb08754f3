// Where a daemon keeps its things. The daemon writes them and the command line finds it by them, so the names stand once.

export type HomePaths = {
  /** The log: everything that ever happened. */
  readonly log: string;
  /** The secret that lets in whoever can read it. */
  readonly token: string;
  /** Who runs here now: pid, address, version. */
  readonly daemon: string;
  readonly socket: string;
  /** The port that was found when nobody had asked for one. */
  readonly port: string;
  /** What a daemon in the background says. */
  readonly output: string;
  readonly blobs: string;
  /** Scratch folders, and what calls leave behind. */
  readonly node: string;
  /** What people keep with `secret set`, encrypted, and the key to it. */
  readonly secrets: string;
  readonly secretsKey: string;
  /** A folder for programs of assistants: `npm install --prefix`. */
  readonly runners: string;
};

export function homePaths(home: string): HomePaths {
  return {
    log: `${home}/log.db`,
    token: `${home}/token`,
    daemon: `${home}/run/daemon.json`,
    socket: `${home}/run/signalbox.sock`,
    port: `${home}/run/port`,
    output: `${home}/log/daemon.log`,
    blobs: `${home}/blobs`,
    node: `${home}/node`,
    secrets: `${home}/secrets.json`,
    secretsKey: `${home}/secrets.key`,
    runners: `${home}/runners`,
  };
}

/** The home that the environment names: `SIGNALBOX_HOME`, else the user's XDG folder for state. */
export function homeFrom(env: Readonly<Record<string, string | undefined>>): string {
  const named = env["SIGNALBOX_HOME"];
  if (named !== undefined && named !== "") return named.replace(/\/+$/, "") || "/";
  const state = env["XDG_STATE_HOME"];
  const base = state !== undefined && state.startsWith("/") ? state : `${env["HOME"] ?? "/tmp"}/.local/state`;
  return `${base}/signalbox`;
}

/** Where the user keeps what can be made again. */
export function cacheFrom(env: Readonly<Record<string, string | undefined>>): string {
  const cache = env["XDG_CACHE_HOME"];
  const base = cache !== undefined && cache.startsWith("/") ? cache : `${env["HOME"] ?? "/tmp"}/.cache`;
  return `${base}/signalbox`;
}

/** What stands in `daemon.json`. */
export type DaemonInfo = {
  readonly pid: number;
  readonly url: string;
  readonly version: string;
  readonly startedAt: string;
};
