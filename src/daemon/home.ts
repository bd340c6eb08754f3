// The daemon's home on disk: made private, and kept so.

import { randomBytes } from "node:crypto";
import { chmod, mkdir, readFile, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { Fault } from "../base/fault.ts";
import { socketPathBytesMax } from "../base/socket-path.ts";
import { swapSynced } from "../os/durable-file.ts";
import { isErrno } from "../os/errno.ts";
import { homePaths, type DaemonInfo, type HomePaths } from "../protocol/home.ts";

/** Makes the home if there is none. Only its owner may look into it: the token and the log are there. */
export async function prepareHome(home: string): Promise<HomePaths> {
  const paths = homePaths(home);
  if (Buffer.byteLength(paths.socket) > socketPathBytesMax) {
    throw new Fault("home-too-long", {
      retry: "never",
      message: `the path of a socket has at most ${socketPathBytesMax} bytes, and ${paths.socket} has more; set SIGNALBOX_HOME to a shorter folder`,
    });
  }
  try {
    for (const folder of [home, dirname(paths.daemon), dirname(paths.output), paths.blobs, paths.node]) {
      await makeFolder(folder);
    }
    // The agents of a root daemon walk through it, and those of an earlier life are there already.
    await chmod(home, process.getuid?.() === 0 ? 0o711 : 0o700);
    await chmod(dirname(paths.daemon), 0o700);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Fault("home-unusable", { retry: "never", cause, message: `the home ${home} cannot be used: ${why}` });
  }
  return paths;
}

/** With those above it. Node's own way tries for ever where nothing can be made in a folder that is there, such as /proc. */
async function makeFolder(path: string): Promise<void> {
  const known = await stat(path).catch(() => undefined);
  if (known?.isDirectory() === true) return;
  if (path !== dirname(path)) await makeFolder(dirname(path));
  await mkdir(path, { mode: 0o700 }).catch((error: unknown) => {
    // Somebody else may have made it meanwhile; a file in its place is in the way.
    if (known !== undefined || !isErrno(error, "EEXIST")) throw error;
  });
}

/** The token of this home; made once, readable by its owner alone. */
export async function readOrMakeToken(path: string): Promise<string> {
  const known = (await readFile(path, "utf8").catch(() => "")).trim();
  if (known.length >= 32) {
    await chmod(path, 0o600);
    return known;
  }
  const token = randomBytes(32).toString("base64url");
  await swapSynced(path, `${token}\n`);
  return token;
}

export async function writeDaemonInfo(path: string, info: DaemonInfo): Promise<void> {
  await swapSynced(path, `${JSON.stringify(info)}\n`);
}

/** Takes the note away, if it is still about this process. */
export async function removeDaemonInfo(path: string, pid: number): Promise<void> {
  const known = await readFile(path, "utf8").catch(() => "");
  if (known.includes(`"pid":${pid},`)) await rm(path, { force: true });
}
