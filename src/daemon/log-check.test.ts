import Database from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { append } from "../../test/contracts/event-store.contract.ts";
import { makeEvent } from "../../test/contracts/sample-events.ts";
import { makeSqliteDisk, type SqliteDisk } from "../../test/contracts/sqlite-disk.ts";
import { LogCheck } from "./log-check.ts";

async function written(): Promise<SqliteDisk> {
  const disk = makeSqliteDisk();
  onTestFinished(() => disk.remove());
  const store = disk.open();
  await append(store, [makeEvent(1), makeEvent(2), makeEvent(3)]);
  await store.close();
  return disk;
}

test.each([
  { how: "at once", events: 3 },
  { how: "in a thread of its own, where there may be many", events: 1_000_000 },
])("[LG18] damage before a snapshot is found after the start, and its place is named: $how", async ({ events }) => {
  const { log } = await written();
  const db = new Database(log);
  db.exec("update events set body = replace(body, '{', '{ ') where seq = 1");
  db.close();
  const said: string[] = [];
  const check = new LogCheck({ path: log, events, say: (sentence) => said.push(sentence) });
  await check.done;
  expect(check.damage).toMatchObject({ seq: 1, kind: "checksum" });
  expect(said).toHaveLength(1);
  expect(said[0]).toMatch(/^Event 1 of the log is damaged: .+recovery\.md\.$/);
});

test("[LG18] of a log that is whole nothing is said", async () => {
  const { log } = await written();
  const check = new LogCheck({ path: log, events: 3, say: (sentence) => expect.fail(sentence) });
  await check.done;
  expect(check.damage).toBeNull();
});
