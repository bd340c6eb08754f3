// What the SQLite store promises beyond the contract: real files, real processes, and a SQLite that may lie.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Fault } from "../../src/base/fault.ts";
import { Prng } from "../../src/base/prng.ts";
import {
  type Connect,
  connectSqlite,
  type Connection,
  openReader,
} from "../../src/adapters/store/sqlite-connection.ts";
import { SqliteLogReader } from "../../src/adapters/store/sqlite-log-reader.ts";
import { append, appendFault, expectDamage, readAll } from "./event-store.contract.ts";
import { eventsFrom } from "./sample-events.ts";
import { makeSqliteDisk, type SqliteDisk } from "./sqlite-disk.ts";

let disk: SqliteDisk;
beforeEach(() => {
  disk = makeSqliteDisk();
});
afterEach(() => {
  disk.remove();
});

describe("a SQLite that is not safe", () => {
  const lying =
    (name: string, answer: unknown): Connect =>
    (file, options) => {
      const db = connectSqlite(file, options);
      const honest = db.pragma.bind(db);
      db.pragma = (source, how) => (source === name ? answer : honest(source, how));
      return db;
    };

  test.each([
    ["synchronous", 1],
    ["synchronous", 0],
    ["journal_mode", "delete"],
    ["journal_mode", "memory"],
    ["fullfsync", 0],
  ])("[LG7] a log whose %s reads back as %s is not opened", (name, answer) => {
    expect(() => disk.open(lying(name, answer))).toThrow(
      expect.objectContaining({ code: "store-unsafe", message: expect.stringContaining(name) as string }),
    );
  });

  test("[LG7] a SQLite with the WAL-reset mistake is refused, and the log is free for a better one", async () => {
    const old: Connect = (file, options) => {
      const db = connectSqlite(file, options);
      const prepare = db.prepare.bind(db);
      const answer = { pluck: () => ({ get: () => "3.51.2" }) };
      db.prepare = ((sql: string) => (sql.includes("sqlite_version") ? answer : prepare(sql))) as typeof db.prepare;
      return db;
    };
    expect(() => disk.open(old)).toThrow(expect.objectContaining({ code: "store-unsafe" }));
    await disk.open().close();
  });

  test("[LG7] the writer's and the reader's connection both sync fully", async () => {
    const seen: Connection[] = [];
    const watching: Connect = (file, options) => {
      const db = connectSqlite(file, options);
      seen.push(db);
      return db;
    };
    const store = disk.open(watching);
    const reader = openReader(disk.log, watching);
    expect(seen.map((db) => db.pragma("synchronous", { simple: true }))).toEqual([2, 2]);
    expect(seen.map((db) => db.pragma("journal_mode", { simple: true }))).toEqual(["wal", "wal"]);
    reader.close();
    await store.close();
  });
});

describe("a disk that fails", () => {
  /** A connection whose commits fail, before or after they really happened. */
  const failing = (when: { fails: "never" | "before" | "after" }): Connect => {
    return (file, options) => {
      const db = connectSqlite(file, options);
      const transaction = db.transaction.bind(db);
      const fail = (): never => {
        throw new Database.SqliteError("disk I/O error", "SQLITE_IOERR_FSYNC");
      };
      db.transaction = ((work: (...args: unknown[]) => unknown) => {
        const real = transaction(work);
        const immediate = (...args: unknown[]): unknown => {
          if (when.fails === "before") fail();
          const result: unknown = real.immediate(...args);
          return when.fails === "after" ? fail() : result;
        };
        return Object.assign((...args: unknown[]): unknown => real(...args), { immediate });
      }) as typeof db.transaction;
      return db;
    };
  };

  test("[LG8] a failed sync is a fault, and the same events can be appended again", async () => {
    const when: Parameters<typeof failing>[0] = { fails: "never" };
    const store = disk.open(failing(when));
    await append(store, eventsFrom(1, 3));
    when.fails = "before";
    expect(await appendFault(store, eventsFrom(4, 3))).toMatchObject({ code: "store-unavailable", retry: "later" });
    when.fails = "never";
    await append(store, eventsFrom(4, 3));
    expect(await readAll(store)).toEqual(eventsFrom(1, 6));
    await store.close();
  });

  test("[LG8] events that the disk kept although it reported a failure are found by reading again", async () => {
    const when: Parameters<typeof failing>[0] = { fails: "never" };
    const store = disk.open(failing(when));
    when.fails = "after";
    expect(await appendFault(store, eventsFrom(1, 3))).toMatchObject({ code: "store-unavailable" });
    when.fails = "never";
    expect(await readAll(store)).toEqual(eventsFrom(1, 3));
    expect(store.lastSeq).toBe(3);
    await append(store, eventsFrom(4, 1));
    await store.close();
  });

  test("a folder that does not exist is a fault, not a stack trace", () => {
    fs.rmSync(path.dirname(disk.log), { recursive: true });
    expect(() => disk.open()).toThrow(expect.objectContaining({ code: "store-unavailable" }));
    expect(() => openReader(disk.log)).toThrow(expect.objectContaining({ code: "store-unavailable" }));
  });
});

describe("a damaged file", () => {
  beforeEach(async () => {
    const store = disk.open();
    await append(store, eventsFrom(1, 300));
    await store.close();
  });

  test("[LG3] a page of zeros is found, and the first event on it named", async () => {
    const bytes = fs.readFileSync(disk.log);
    const place = bytes.indexOf('"event 200"');
    bytes.fill(0, place - (place % 4096), place - (place % 4096) + 4096);
    fs.writeFileSync(disk.log, bytes);
    const store = disk.open();
    const error = await store.read(0, 1000).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "log-damaged" });
    const { seq } = (error as { damage: { seq: number } }).damage;
    expect(seq).toBeGreaterThan(150);
    expect(seq).toBeLessThanOrEqual(200);
    expect(await store.read(0, seq - 1)).toHaveLength(seq - 1);
    await store.close();
  });

  test("[LG3] a byte that changed on the disk is found", async () => {
    const bytes = fs.readFileSync(disk.log);
    bytes.write("evenT", bytes.indexOf('"event 123"') + 1);
    fs.writeFileSync(disk.log, bytes);
    const store = disk.open();
    await expectDamage(store.read(0, 1000), 123, /checksum/);
    await store.close();
  });

  test("[LG3] a file that is no log at all is refused", () => {
    fs.writeFileSync(disk.log, "a".repeat(8192));
    expect(() => disk.open()).toThrow(expect.objectContaining({ code: "log-damaged" }));
    expect(() => openReader(disk.log)).toThrow(expect.objectContaining({ code: "log-damaged" }));
  });

  test("[LG3] whatever byte changes, the events that come out are the true ones or none", async () => {
    const whole = fs.readFileSync(disk.log);
    const truth = JSON.stringify(eventsFrom(1, 300));
    const chance = new Prng(4217);
    let found = 0;
    const unseen: number[] = [];
    for (let round = 0; round < 150; round++) {
      const bytes = Buffer.from(whole);
      const place = chance.below(bytes.length);
      bytes[place] = (bytes[place] ?? 0) ^ (1 << chance.below(8));
      fs.writeFileSync(disk.log, bytes);
      const outcome = await readOrFault(disk);
      if (outcome instanceof Fault) found++;
      else if (outcome !== truth) unseen.push(place);
    }
    expect(unseen, "bytes that changed unseen").toEqual([]);
    expect(found, "most bytes of a log matter").toBeGreaterThan(75);
  });
});

describe("versions of the schema", () => {
  test("[LG13] a log of a newer release is refused and left as it is", async () => {
    await disk.open().close();
    disk.tamper("PRAGMA user_version = 99");
    const refused: unknown = expect.objectContaining({
      code: "store-version",
      message: expect.stringContaining("schema 99") as string,
    });
    expect(() => disk.open()).toThrow(refused);
    expect(() => openReader(disk.log)).toThrow(refused);
    disk.tamper("PRAGMA user_version = 1");
    await disk.open().close();
  });

  test("[LG13] a reader does not migrate an unfinished log, and the writer does", async () => {
    fs.writeFileSync(disk.log, "");
    expect(() => openReader(disk.log)).toThrow(expect.objectContaining({ code: "store-version" }));
    const store = disk.open();
    await append(store, eventsFrom(1, 1));
    await store.close();
  });

  test("[LG13] another program's database is not taken over", () => {
    disk.tamper("CREATE TABLE theirs (x)");
    expect(() => disk.open()).toThrow(
      expect.objectContaining({
        code: "log-damaged",
        message: expect.stringContaining("not a Signalbox log") as string,
      }),
    );
  });

  test("a new log can be read by its owner only", async () => {
    await disk.open().close();
    expect(fs.statSync(disk.log).mode & 0o777).toBe(0o600);
  });
});

describe("several processes", () => {
  const children: ChildProcess[] = [];
  afterEach(() => {
    for (const child of children.splice(0)) child.kill("SIGKILL");
  });

  /** A process that writes batches of seven events until it is stopped. Resolves once it holds the log. */
  const startWriter = async (): Promise<ChildProcess> => {
    const program = fileURLToPath(import.meta.resolve("./event-store-writer.ts"));
    const child = spawn(process.execPath, [program, disk.log], { stdio: ["ignore", "pipe", "inherit"] });
    children.push(child);
    await once(createInterface({ input: child.stdout }), "line");
    return child;
  };

  test("[LG9] a second process is refused and told who writes; a kill -9 frees the log", async () => {
    const child = await startWriter();
    expect(() => disk.open()).toThrow(
      expect.objectContaining({
        code: "home-in-use",
        message: expect.stringContaining(`process ${child.pid} `) as string,
      }),
    );
    child.kill("SIGKILL");
    await once(child, "exit");
    const store = disk.open();
    const all = await readAll(store);
    expect(all.length).toBeGreaterThan(0);
    expect(all.length % 7, "a batch is in the log whole or not at all").toBe(0);
    await store.close();
  });

  test("[LG10] a reader beside a writer sees whole batches, in order, and each event once", async () => {
    const child = await startWriter();
    const db = openReader(disk.log);
    const reader = new SqliteLogReader(db, disk.log);
    let seen = 0;
    let reads = 0;
    for (const untilMs = performance.now() + 400; performance.now() < untilMs; reads++) {
      const { events, damage } = reader.readPage(seen, 1_000_000);
      expect(damage).toBeNull();
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => seen + at + 1));
      seen += events.length;
      expect(seen % 7).toBe(0);
    }
    expect(seen).toBeGreaterThan(7);
    expect(reads).toBeGreaterThan(10);
    expect(() => db.exec("DELETE FROM events")).toThrow(/readonly/);
    db.close();
    child.kill("SIGKILL");
    await once(child, "exit");
  });

  test("[LG10] a log that nobody has open can be read, also after a crash", async () => {
    const child = await startWriter();
    child.kill("SIGKILL");
    await once(child, "exit");
    for (const state of ["crashed", "closed"]) {
      const db = openReader(disk.log);
      const page = new SqliteLogReader(db, disk.log).readPage(0, 7);
      expect({ state, events: page.events }).toEqual({ state, events: eventsFrom(1, 7) });
      db.close();
      await disk.open().close();
    }
  });
});

/** What a log gives after damage: all its events as text, or the fault. */
async function readOrFault(from: SqliteDisk): Promise<string | Fault> {
  try {
    const store = from.open();
    try {
      return JSON.stringify(await store.read(0, 1000));
    } finally {
      await store.close();
    }
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}
