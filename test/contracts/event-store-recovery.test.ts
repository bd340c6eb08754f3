// What docs/operating/recovery.md tells people to do, done.

import fs from "node:fs";
import path from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
import { verifyLog } from "../../src/adapters/store/log-tools.ts";
import type { SqliteStore } from "../../src/adapters/store/sqlite-store.ts";
import type { Logged } from "../../src/core/events.ts";
import { root } from "../support/source-files.ts";
import { append, readAll } from "./event-store.contract.ts";
import { makeSqliteDisk, type SqliteDisk } from "./sqlite-disk.ts";

const advice = fs.readFileSync(path.join(root, "docs/operating/recovery.md"), "utf8");
const history = fs.readFileSync(path.join(root, "test/histories/0.1.0/events.jsonl"), "utf8");
const events = history
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as Logged);

let disk: SqliteDisk;
let store: SqliteStore;
beforeEach(async () => {
  disk = makeSqliteDisk();
  store = disk.open();
  await append(store, events.slice(0, 100));
});
afterEach(async () => {
  await store.close();
  disk.remove();
});

test("[LG10] a backup made beside a daemon is a whole log that a daemon can go on with", async () => {
  expect(advice).toContain("VACUUM INTO");
  const backup = makeSqliteDisk();
  const reader = new Database(disk.log, { readonly: true });
  reader.exec(`VACUUM INTO '${backup.log}'`);
  reader.close();
  await append(store, events.slice(100, 110));
  expect(verifyLog(backup.log)).toMatchObject({ isWhole: true, events: 100 });
  const restored = backup.open();
  await append(restored, events.slice(100, 105));
  expect(await readAll(restored)).toEqual(events.slice(0, 105));
  await restored.close();
  backup.remove();
});

test("the last resort leaves a whole log that ends before the damage", async () => {
  await store.close();
  disk.flipByte(61);
  expect(verifyLog(disk.log)).toMatchObject({ isWhole: false, damage: { seq: 61 } });
  const sql = /```sql\n([^`]*)```/.exec(advice)?.[1] ?? "";
  const db = new Database(disk.log);
  db.exec(sql.replaceAll(":N", "61"));
  db.close();
  expect(verifyLog(disk.log)).toMatchObject({ isWhole: true, events: 60, damage: null });
  store = disk.open();
  await append(store, events.slice(60, 100));
  expect(await readAll(store)).toEqual(events.slice(0, 100));
});
