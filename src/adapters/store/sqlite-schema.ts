// The tables of the log, and the way from each older schema to the newest. A step is never edited once released.

import type Database from "better-sqlite3";
import { Fault } from "../../base/fault.ts";
import { LogDamaged } from "./log-damaged.ts";
import { genesis } from "./record.ts";

/** Step n brings a log from schema n to n + 1. */
const steps: readonly ((db: Database.Database) => void)[] = [createTables];

/** Brings the log to the newest schema, each step whole or not at all. */
export function migrate(db: Database.Database, file: string): void {
  const from = schemaOf(db, file);
  for (const [version, step] of steps.entries()) {
    if (version < from) continue;
    db.transaction(() => {
      step(db);
      db.pragma(`user_version = ${version + 1}`);
    }).immediate();
  }
}

/** A reader cannot migrate; it reads the newest schema or nothing. */
export function requireNewest(db: Database.Database, file: string): void {
  const version = schemaOf(db, file);
  if (version < steps.length) throw wrongVersion(file, version, "start the daemon once, which brings it up to date");
}

function schemaOf(db: Database.Database, file: string): number {
  const version = Number(db.pragma("user_version", { simple: true }));
  if (version > steps.length) throw wrongVersion(file, version, "a newer release wrote it; use that release");
  const isEmpty = db.prepare("SELECT count(*) FROM sqlite_schema").pluck().get() === 0;
  if (version === 0 && !isEmpty) {
    throw new LogDamaged({ seq: 0, kind: "file", reason: `${file} is a database, but not a Signalbox log` });
  }
  return version;
}

function wrongVersion(file: string, version: number, advice: string): Fault {
  const message = `the log ${file} has schema ${version} and this release reads schema ${steps.length}: ${advice}`;
  return new Fault("store-version", { message, retry: "never" });
}

function createTables(db: Database.Database): void {
  // The view is for people: what it shows is worked out from the body when asked, so the two can never disagree.
  db.exec(`
    CREATE TABLE events (
      seq INTEGER PRIMARY KEY,
      body TEXT NOT NULL,
      checksum INTEGER NOT NULL,
      hash TEXT NOT NULL
    ) STRICT;
    CREATE VIEW readable AS
      SELECT seq, body ->> 'atMs' AS at_ms, body ->> 'type' AS type, body ->> 'actor' AS actor, body FROM events;
    CREATE TABLE head (
      one INTEGER PRIMARY KEY CHECK (one = 1),
      seq INTEGER NOT NULL,
      hash TEXT NOT NULL
    ) STRICT;
    CREATE TABLE snapshots (
      seq INTEGER PRIMARY KEY,
      hash TEXT NOT NULL,
      body TEXT NOT NULL,
      checksum TEXT NOT NULL
    ) STRICT;
  `);
  db.prepare("INSERT INTO head (one, seq, hash) VALUES (1, ?, ?)").run(genesis.seq, genesis.hash);
}
