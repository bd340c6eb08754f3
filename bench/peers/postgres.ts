import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { PgClient } from "./pg-client.ts";
import { asUser, startPrivately, type User } from "./private-process.ts";
import type { Program } from "./programs.ts";

export type Postgres = {
  readonly connect: () => Promise<PgClient>;
  readonly cpuMs: () => number;
  readonly stop: () => Promise<void>;
};

const port = 5432;

/** What makes it quick without making it forgetful: fsync and synchronous_commit stay on. */
const settings = {
  listen_addresses: "",
  max_connections: "60",
  shared_buffers: "128MB",
  synchronous_commit: "on",
  fsync: "on",
  full_page_writes: "on",
  // Checkpoints and vacuuming would disturb a slice now and then.
  max_wal_size: "4GB",
  checkpoint_timeout: "1h",
  autovacuum: "off",
  log_min_messages: "fatal",
} as const;

/** PostgreSQL on a socket of its own. It refuses to be root, so then it runs as somebody who owns nothing else. */
export async function startPostgres(program: Program, parent: string): Promise<Postgres> {
  const user = process.getuid?.() === 0 ? findUser("nobody") : undefined;
  const folder = fs.mkdtempSync(path.join(parent, "pg-"));
  if (user !== undefined) fs.chownSync(folder, user.uid, user.gid);
  const data = path.join(folder, "data");
  const initdb = path.join(path.dirname(program.file), "initdb");
  const initArgs = [
    "-D",
    data,
    "-U",
    "bench",
    "-A",
    "trust",
    "-E",
    "UTF8",
    "--locale=C",
    "--no-sync",
    "--no-instructions",
  ];
  const [command, ...args]: [string, ...string[]] =
    user === undefined ? [initdb, ...initArgs] : ["setpriv", ...asUser(user), initdb, ...initArgs];
  const made = spawnSync(command, args, { env: program.env, cwd: folder, encoding: "utf8" });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr.trim().split("\n").at(-1) ?? ""}`);
  const socket = path.join(folder, `.s.PGSQL.${port}`);
  const process_ = await startPrivately({
    file: program.file,
    env: program.env,
    args: [
      "-D",
      data,
      "-k",
      folder,
      "-p",
      String(port),
      ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
    ],
    cwd: folder,
    user,
    // Fast: ends connections instead of waiting for them.
    signal: "SIGINT",
    isReady: () => answers(socket),
  });
  return { connect: () => PgClient.connect(socket, "bench"), cpuMs: process_.cpuMs, stop: process_.stop };
}

function findUser(name: string): User {
  const idOf = (flag: string): number => Number(spawnSync("id", [flag, name], { encoding: "utf8" }).stdout);
  return { uid: idOf("-u"), gid: idOf("-g") };
}

async function answers(socket: string): Promise<boolean> {
  try {
    const client = await PgClient.connect(socket, "bench");
    client.close();
    return true;
  } catch {
    return false;
  }
}
