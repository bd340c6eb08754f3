// One writer per log. The lock is a lock of the operating system on an empty file beside the log, so it goes with the
// process that holds it, however that ends. Nothing is ever written to the file, so no power cut can spoil it.

import fs from "node:fs";
import path from "node:path";
import Database from "better-sqlite3";
import { Fault } from "../../base/fault.ts";
import { toFault } from "./sqlite-faults.ts";

export class LogLock {
  readonly #db: Database.Database;
  readonly #pidFile: string;

  private constructor(db: Database.Database, pidFile: string) {
    this.#db = db;
    this.#pidFile = pidFile;
  }

  /** Takes the lock, or throws a Fault `home-in-use` at once: waiting would only hide the other daemon. */
  static take(log: string): LogLock {
    const pidFile = `${log}-pid`;
    if (!fs.existsSync(path.dirname(log))) {
      throw new Fault("store-unavailable", { message: `there is no folder for the log ${log}`, retry: "later" });
    }
    let db: Database.Database | undefined;
    try {
      db = new Database(`${log}-lock`, { timeout: 0 });
      db.pragma("journal_mode = MEMORY");
      db.exec("BEGIN EXCLUSIVE");
    } catch (error) {
      db?.close();
      if (isBusy(error)) throw inUse(log, pidFile);
      throw toFault(error, `${log}-lock`);
    }
    notePid(pidFile);
    return new LogLock(db, pidFile);
  }

  release(): void {
    if (!this.#db.open) return;
    fs.rmSync(this.#pidFile, { force: true });
    this.#db.close();
  }
}

/** Nothing depends on the note, so a full disk does not keep the log from being opened. */
function notePid(pidFile: string): void {
  try {
    fs.writeFileSync(pidFile, `${process.pid}\n`, { mode: 0o600 });
  } catch {
    // The lock holds without it.
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY");
}

/** The number is for people to read; the lock decides. A holder that has just started may not have written it yet. */
function inUse(log: string, pidFile: string): Fault {
  const pid = fs.existsSync(pidFile) ? fs.readFileSync(pidFile, "utf8").trim() : "";
  const who = pid === "" ? "another process" : `process ${pid}`;
  return new Fault("home-in-use", { message: `${who} is already writing the log ${log}`, retry: "never" });
}
