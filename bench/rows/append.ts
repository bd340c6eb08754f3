// Durable events through the engine, decisions and hash chain included, against storing the same bytes with no thought
// at all: SQLite and PostgreSQL behind the same group commit.

import fs from "node:fs";
import path from "node:path";
import Database from "better-sqlite3";
import type { Contender } from "../harness/contender.ts";
import { ownCpuMs } from "../harness/cpu.ts";
import { runWorkers } from "../harness/workers.ts";
import { copy } from "../peers/pg-client.ts";
import type { Postgres } from "../peers/postgres.ts";
import { EngineLoad } from "./engine-load.ts";
import { GroupCommit } from "./group-commit.ts";
import type { RowMaker } from "./row-maker.ts";

export const appendRows: readonly RowMaker[] = [1, 64, 1024].map((writers) => appendWith(writers));

function appendWith(writers: number): RowMaker {
  const name = `append-${writers}`;
  return {
    name,
    programs: ["postgres"],
    make: async (peers) => {
      const folder = fs.mkdtempSync(path.join(peers.folder, "append-"));
      const load = await EngineLoad.open(EngineLoad.openStore(path.join(folder, "log.db")));
      const bodies = await sampleBodies(load);
      const postgres = await peers.postgres();
      const raw = rawSqlite(path.join(folder, "raw.db"), bodies, writers);
      const copying = postgres === undefined ? undefined : await postgresCopy(postgres, bodies, writers);
      const hasAim = writers === 64;
      return {
        name,
        title: `durable events through the engine, ${writers} ${writers === 1 ? "writer" : "writers"}`,
        ops: "events",
        ours: {
          name: "signalbox",
          cpuMs: ownCpuMs,
          work: (sliceMs) => runWorkers(writers, sliceMs, (writer) => load.step(writer)),
        },
        others: [raw.contender, ...(copying === undefined ? [] : [copying.contender])],
        comparisons: [
          { against: "SQLite", measure: "rate", ...(hasAim ? { aim: { atLeast: 0.7 } } : {}) },
          { against: "SQLite", measure: "cpu" },
          ...(copying === undefined
            ? []
            : [{ against: "PostgreSQL COPY", measure: "rate", ...(hasAim ? { aim: { atLeast: 1 } } : {}) } as const]),
        ],
        leftOut: peers.whyAbsent("PostgreSQL"),
        close: async () => {
          raw.close();
          copying?.close();
          await load.engine.close();
        },
      };
    },
  };
}

/** Events as the engine writes them, so that everybody stores the same bytes. */
async function sampleBodies(load: EngineLoad): Promise<string[]> {
  const bodies: string[] = [];
  const stop = load.engine.subscribe((events) => bodies.push(...events.map((event) => JSON.stringify(event))));
  for (let at = 0; at < 64; at++) await load.step(at % 16);
  stop();
  return bodies;
}

function rawSqlite(
  file: string,
  bodies: readonly string[],
  writers: number,
): { contender: Contender; close: () => void } {
  const db = new Database(file);
  db.pragma("journal_mode = WAL");
  db.pragma("synchronous = FULL");
  db.exec("CREATE TABLE events (seq INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT");
  const insert = db.prepare("INSERT INTO events (body) VALUES (?)");
  const store = db.transaction((batch: readonly string[]) => {
    for (const body of batch) insert.run(body);
  });
  const commit = new GroupCommit((batch) => store(batch));
  return { contender: committing("SQLite", commit, bodies, writers, ownCpuMs), close: () => db.close() };
}

async function postgresCopy(
  postgres: Postgres,
  bodies: readonly string[],
  writers: number,
): Promise<{ contender: Contender; close: () => void }> {
  const client = await postgres.connect();
  const table = `events_${writers}`;
  await client.query(`CREATE TABLE ${table} (seq bigserial PRIMARY KEY, body text NOT NULL)`);
  const escaped = bodies.map((body) => body.replaceAll("\\", "\\\\"));
  const commit = new GroupCommit(async (batch) => {
    const reply = await client.send(copy(`COPY ${table} (body) FROM STDIN`, `${batch.join("\n")}\n`));
    if (reply.tag !== `COPY ${batch.length}`)
      throw new Error(`PostgreSQL stored something else: ${reply.error ?? reply.tag}`);
  });
  const cpuMs = (): number => postgres.cpuMs() + ownCpuMs();
  return { contender: committing("PostgreSQL COPY", commit, escaped, writers, cpuMs), close: () => client.close() };
}

function committing(
  name: string,
  commit: GroupCommit,
  bodies: readonly string[],
  writers: number,
  cpuMs: () => number,
): Contender {
  let next = 0;
  const work: Contender["work"] = (sliceMs) =>
    runWorkers(writers, sliceMs, async () => {
      await commit.append(bodies[next++ % bodies.length] ?? "");
      return true;
    });
  return { name, cpuMs, work };
}
