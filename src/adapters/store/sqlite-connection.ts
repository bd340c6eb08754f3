// Opens SQLite so that acknowledged means durable, and looks whether it really is so: better-sqlite3 is built with
// synchronous NORMAL for WAL, which loses acknowledged events in a power cut.

import fs from "node:fs";
import path from "node:path";
import Database from "better-sqlite3";
import { Fault } from "../../base/fault.ts";
import { migrate, requireNewest } from "./sqlite-schema.ts";
import { toFault } from "./sqlite-faults.ts";

export type Connection = Database.Database;

/** How a connection is made. Tests put one in between that lies, or that fills the disk. */
export type Connect = (file: string, options: Database.Options) => Connection;

/** Before this release two connections could reset the same WAL and lose a transaction. */
const sqliteVersionMin = "3.51.3";
/** How long whoever finds the file in use waits for it. */
export const busyMsMax = 2000;

/** Set on every connection and read back, since a pragma that does not apply is ignored without an error. */
const settings = [
  { name: "synchronous", value: 2 },
  // Where a plain fsync leaves data in the drive's cache (macOS), ask for the one that does not.
  { name: "fullfsync", value: 1 },
  { name: "checkpoint_fullfsync", value: 1 },
  { name: "cell_size_check", value: 1 },
] as const;

/** Opens the log for its one writer, makes it if there is none, and brings it to the newest schema. */
export function openWriter(file: string, connect: Connect = connectSqlite): Connection {
  const isNew = createPrivately(file);
  return openChecked(
    () => connect(file, { timeout: busyMsMax }),
    file,
    (db) => {
      applySetting(db, "journal_mode", "wal");
      for (const { name, value } of settings) applySetting(db, name, value);
      migrate(db, file);
      if (isNew) syncFolder(path.dirname(file));
    },
  );
}

/** Opens a log that somebody else may be writing. It changes nothing and holds nobody up. */
export function openReader(file: string, connect: Connect = connectSqlite): Connection {
  if (!fs.existsSync(file)) {
    throw new Fault("store-unavailable", { message: `there is no log at ${file}`, retry: "never" });
  }
  return openChecked(
    () => connect(file, { readonly: true, timeout: busyMsMax }),
    file,
    (db) => {
      for (const { name, value } of settings) applySetting(db, name, value);
      requireNewest(db, file);
    },
  );
}

export function connectSqlite(file: string, options: Database.Options): Connection {
  return new Database(file, options);
}

function openChecked(connect: () => Connection, file: string, prepare: (db: Connection) => void): Connection {
  let db: Connection | undefined;
  try {
    db = connect();
    checkVersion(db);
    prepare(db);
    return db;
  } catch (error) {
    db?.close();
    throw toFault(error, file);
  }
}

function checkVersion(db: Connection): void {
  const version = String(db.prepare("SELECT sqlite_version()").pluck().get());
  if (compareVersions(version, sqliteVersionMin) >= 0) return;
  throw unsafe(
    `SQLite ${version} can lose a transaction when its WAL is reset; ${sqliteVersionMin} or newer is needed`,
  );
}

function applySetting(db: Connection, name: string, value: string | number): void {
  db.pragma(`${name} = ${value}`);
  const found = db.pragma(name, { simple: true });
  if (found !== value) throw unsafe(`${name} should be ${value} and reads back as ${String(found)}`);
}

function unsafe(why: string): Fault {
  return new Fault("store-unsafe", { message: `the log would not be safe here: ${why}`, retry: "never" });
}

/** Makes the file before SQLite does, because SQLite would let everybody read it. Says whether it was made. */
function createPrivately(file: string): boolean {
  try {
    fs.closeSync(fs.openSync(file, "wx", 0o600));
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return false;
    const message = `the log ${file} cannot be made: ${String(error)}`;
    throw new Fault("store-unavailable", { message, retry: "later", cause: error });
  }
}

/** A file is durable only once its name is: SQLite does this for its journals, not for the file we made. */
function syncFolder(folder: string): void {
  const handle = fs.openSync(folder, "r");
  try {
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
}

function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split(".").map(Number));
  for (const at of [0, 1, 2]) {
    const difference = (left?.[at] ?? 0) - (right?.[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
