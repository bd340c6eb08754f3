// I57: every event names who did it and what led to it.

import type { Checker } from "../world/watch.ts";

export function actorAndCause(): Checker {
  return {
    name: "I57 actor and cause",
    before: (event, { model, report }) => {
      if (event.seq !== model.seq + 1) report("I15", `event ${event.seq} follows ${model.seq}`);
      if (!/^(person:\S+|agent:\S+|system)$/.test(event.actor))
        report("I57", `event ${event.seq} names no actor: "${event.actor}"`);
      if (event.cause !== null && (event.cause >= event.seq || event.cause < 1))
        report("I57", `event ${event.seq} is caused by ${event.cause}`);
      if (event.cause !== null && event.actor !== "system")
        report("I57", `event ${event.seq} follows from ${event.cause}, but is said to be by ${event.actor}`);
    },
  };
}
