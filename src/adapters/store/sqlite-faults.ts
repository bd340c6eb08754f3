// What SQLite's errors mean to us.

import Database from "better-sqlite3";
import { Fault } from "../../base/fault.ts";
import { LogDamaged } from "./log-damaged.ts";

/** The disk is full, slow, gone or not ours: the same again may work later. */
const unavailable = /^SQLITE_(FULL|IOERR|BUSY|LOCKED|NOMEM|CANTOPEN|READONLY|PERM|AUTH|PROTOCOL|NOLFS)/;
/** Our statements are fixed and tested, so one that SQLite cannot make sense of means that the tables are not ours. */
const damaged = /^SQLITE_(CORRUPT|NOTADB|FORMAT|SCHEMA|ERROR$)/;

/** Turns an error of SQLite into a fault. Anything else is a mistake of ours and is thrown on. */
export function toFault(error: unknown, path: string): Fault {
  if (error instanceof Fault) return error;
  if (!(error instanceof Database.SqliteError)) throw error;
  if (damaged.test(error.code)) {
    return new LogDamaged({ seq: 0, kind: "file", reason: `SQLite cannot read ${path} (${error.message})` }, error);
  }
  if (!unavailable.test(error.code)) throw error;
  return new Fault("store-unavailable", {
    message: `the log ${path} cannot be used now: ${error.message} (${error.code})`,
    retry: "later",
    cause: error,
  });
}

export function isDamage(error: unknown): boolean {
  return error instanceof Database.SqliteError && damaged.test(error.code);
}
