// The real PostgreSQL server, where this machine has one.

import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";

/** Where Debian has its versions, which are on nobody's PATH. */
function debianFolders(): string[] {
  try {
    return readdirSync("/usr/lib/postgresql").map((version) => `/usr/lib/postgresql/${version}/bin`);
  } catch {
    return [];
  }
}

/** The newest version that Debian has here, with everything that belongs to it; undefined where there is none. */
export const debianPostgres = debianFolders().toSorted().at(-1);

const path = [...debianFolders(), process.env["PATH"] ?? ""].join(":");
const isThere =
  spawnSync("sh", ["-c", "command -v initdb postgres pg_isready psql"], { env: { PATH: path } }).status === 0;

/** Whether tests of databases are left out; where nobody looks, they fail instead. */
export const noPostgres = !isThere && process.env["CI"] !== "true";
if (noPostgres) console.warn("POSTGRESQL IS NOT TRIED: it is not installed (apt-get install postgresql)");
