// Looks through a log for damage without holding anybody up: page by page, with a rest between them, for as long as there
// is time. `verifyLog` looks at more, and takes the time it needs.

import type { Damage } from "./log-damaged.ts";
import { openReader } from "./sqlite-connection.ts";
import { SqliteLogReader } from "./sqlite-log-reader.ts";

export type LogCheck = {
  /** Events that were looked at and are whole, from the first. */
  readonly checked: number;
  /** How many there are. */
  readonly events: number;
  readonly damage: Damage | null;
};

const pageSize = 256;

/** Throws a Fault when there is no log, or when not even its head can be read. */
export async function checkLog(path: string, budgetMs: number): Promise<LogCheck> {
  const untilMs = performance.now() + budgetMs;
  const db = openReader(path);
  try {
    const reader = new SqliteLogReader(db, path);
    const { seq: events } = reader.head();
    let checked = 0;
    while (checked < events && performance.now() < untilMs) {
      const page = reader.readPage(checked, pageSize);
      checked = page.end.seq;
      if (page.damage !== null) return { checked, events, damage: page.damage.damage };
      if (page.events.length === 0) break;
      await new Promise(setImmediate);
    }
    return { checked, events, damage: null };
  } finally {
    db.close();
  }
}
