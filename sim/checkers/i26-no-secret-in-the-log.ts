// I26: no secret is ever written. A planted one travels with every fault of the store.

import type { Checker } from "../world/watch.ts";

export function noSecretInTheLog(canary: string): Checker {
  return {
    name: "I26 no secret in the log",
    record: (text, { report }) => {
      if (text.includes(canary)) report("I26", "a planted secret is in the log");
    },
  };
}
