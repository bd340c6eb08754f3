// A process that writes events in batches of seven as fast as it can, until somebody kills it. Prints a line as soon as
// it has written the first.

import { SqliteStore } from "../../src/adapters/store/sqlite-store.ts";
import { eventsFrom } from "./sample-events.ts";

const store = SqliteStore.open({ path: process.argv[2] ?? "" });

for (let seq = store.lastSeq; ; seq += 7) {
  await new Promise<void>((resolve, reject) => {
    store.append(eventsFrom(seq + 1, 7), (fault) => {
      if (fault === null) resolve();
      else reject(fault);
    });
  });
  if (seq === 0) console.log("writing");
}
