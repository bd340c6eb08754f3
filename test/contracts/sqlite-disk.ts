// A SQLite log in a folder of its own, for tests, and the ways to hurt it.

import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import Database from "better-sqlite3";
import { type Connect, connectSqlite, type Connection } from "../../src/adapters/store/sqlite-connection.ts";
import { SqliteStore } from "../../src/adapters/store/sqlite-store.ts";
import type { StoreDisk } from "./event-store.contract.ts";
import { forgedRecord } from "./forged-record.ts";

export type SqliteDisk = Omit<StoreDisk, "open"> & {
  readonly log: string;
  open(connect?: Connect): SqliteStore;
  /** Runs SQL on the file, past the store. */
  tamper(sql: string, ...parameters: unknown[]): void;
};

export function makeSqliteDisk(): SqliteDisk {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "signalbox-store-"));
  const log = path.join(folder, "log.db");
  let connection: Connection | undefined;
  const remembering: Connect = (file, options) => (connection = connectSqlite(file, options));
  const tamper = (sql: string, ...parameters: unknown[]): void => {
    const db = new Database(log);
    try {
      db.prepare(sql).run(...parameters);
    } finally {
      db.close();
    }
  };
  return {
    log,
    tamper,
    open: (connect = remembering) => SqliteStore.open({ path: log, connect }),
    flipByte: (seq) => {
      tamper(`UPDATE events SET body = replace(body, '"type"', '"tYpe"') WHERE seq = ?`, seq);
    },
    forgeBody: (seq) => {
      const { body, checksum } = forgedRecord(seq, "");
      tamper("UPDATE events SET body = ?, checksum = ? WHERE seq = ?", body, checksum, seq);
    },
    forgeRecord: (seq) => {
      const db = new Database(log, { readonly: true });
      const before = String(
        db
          .prepare("SELECT hash FROM events WHERE seq = ?")
          .pluck()
          .get(seq - 1),
      );
      db.close();
      const { body, checksum, hash } = forgedRecord(seq, before);
      tamper("UPDATE events SET body = ?, checksum = ?, hash = ? WHERE seq = ?", body, checksum, hash, seq);
    },
    deleteRecord: (seq) => {
      tamper("DELETE FROM events WHERE seq = ?", seq);
    },
    swapRecords: (a, b) => {
      tamper("UPDATE events SET seq = -1 WHERE seq = ?", a);
      tamper("UPDATE events SET seq = ? WHERE seq = ?", a, b);
      tamper("UPDATE events SET seq = ? WHERE seq = -1", b);
    },
    spoilSnapshot: (seq) => {
      tamper("UPDATE snapshots SET body = replace(body, 'nextFence', 'nextFenze') WHERE seq = ?", seq);
    },
    fill: () => {
      const pages = Number(connection?.pragma("page_count", { simple: true }));
      connection?.pragma(`max_page_count = ${pages}`);
    },
    makeRoom: () => {
      connection?.pragma("max_page_count = 1000000");
    },
    remove: () => {
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}
