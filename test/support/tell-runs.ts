// Where things stood when a test failed: what is waited for in vain is seldom in its message.

import type { Client } from "../../src/client/client.ts";

const eventsMax = 30;

/** Prints every run that is not over, with the last that the log has of it. */
export async function tellRuns(client: Client): Promise<void> {
  const { runs } = await client.call("run.list", {});
  for (const { id, state, because, title } of runs) {
    if (state === "done") continue;
    const { events } = await client.call("run.log", { run: id, limit: 1000 });
    const last = events.slice(-eventsMax).map((event) => `  ${JSON.stringify(event).slice(0, 400)}`);
    console.error([`${id} "${title}" is ${state} (${because})`, ...last].join("\n"));
  }
}
