import fs from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { append, readAll } from "../../../test/contracts/event-store.contract.ts";
import { makeSqliteDisk } from "../../../test/contracts/sqlite-disk.ts";
import type { Logged } from "../../core/events.ts";
import { openReader } from "./sqlite-connection.ts";

const history = fs.readFileSync(path.join(import.meta.dirname, "../../../test/histories/0.1.0/events.jsonl"), "utf8");
const events = history
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as Logged);

test("[MT4] the journal beside the log gives its room back, at once or not at all, and no event is lost", async () => {
  const disk = makeSqliteDisk();
  const store = disk.open();
  onTestFinished(async () => {
    await store.close();
    disk.remove();
  });
  const journal = (): number => fs.statSync(`${disk.log}-wal`).size;
  // Each append writes the pages that it touches anew.
  for (let at = 0; at < events.length; at += 4) await append(store, events.slice(at, at + 4));
  const before = journal();
  expect(before).toBeGreaterThan(1024 * 1024);
  expect(store.checkpoint(true)).toBe(before);
  expect(journal()).toBe(before);
  // Somebody is in the middle of reading: they are not waited for.
  const reader = openReader(disk.log);
  reader.exec("BEGIN");
  reader.prepare("SELECT count(*) FROM events").get();
  expect(store.checkpoint(false)).toBe(0);
  reader.exec("COMMIT");
  reader.close();
  expect(store.checkpoint(false)).toBe(before);
  expect(journal()).toBe(0);
  expect(await readAll(store)).toHaveLength(events.length);
  // What is little is left.
  expect(store.checkpoint(false)).toBe(0);
});
