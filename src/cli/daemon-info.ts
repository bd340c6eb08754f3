// What `up` and `status` say about a daemon.

import { ProtocolError } from "../protocol/errors.ts";
import type { Status } from "../protocol/wire/status.ts";
import type { Cli } from "./cli.ts";

export type StartedDaemon = {
  readonly pid: number;
  readonly url: string;
  readonly loginUrl: string;
  readonly version: string;
  readonly warning?: string;
};

/** How the daemon of this home stands; undefined when none answers. */
export async function findDaemon(cli: Cli): Promise<Status | undefined> {
  try {
    return await cli.link.call("status", {});
  } catch (error) {
    if (error instanceof ProtocolError && error.code === "daemon-not-running") return undefined;
    throw error;
  }
}

export async function makeLoginLink(cli: Cli): Promise<{ url: string; expiresInMs: number }> {
  return await cli.link.call("login", {});
}

export function tellDaemon(cli: Cli, what: string, daemon: StartedDaemon, json: boolean, warning?: string): void {
  const { pid, url, loginUrl, version } = daemon;
  const warned = warning === undefined ? {} : { warning };
  if (json) return cli.out.json({ pid, url, loginUrl, version, home: cli.home, ...warned });
  const { bold, dim } = cli.out.colors;
  cli.out.print(
    `Signalbox ${version} ${what} at ${bold(url)} (pid ${pid}).`,
    `${dim("console")}  ${loginUrl}`,
    `${dim("       ")}  opens once, within ten minutes; signalbox login makes another link`,
    `${dim("home   ")}  ${cli.home}`,
  );
  if (warning !== undefined) cli.out.note(cli.out.noteColors.yellow(warning));
}
