// A program in the agent's network, and in nothing else of the agent's: it connects there, and hands the connections to the
// keeper that started it. It goes when that goes.

import type { Socket } from "node:net";
import { toMessage } from "../os/errno.ts";
import { dial, Refused } from "./dial.ts";

/** What the keeper asks for, and that it does not want it any more. */
export type Wanted = { readonly id: number; readonly port: number } | { readonly id: number; readonly over: true };
/** A connection comes along with it, unless it failed. */
export type Reached =
  | { readonly id: number }
  | { readonly id: number; readonly failed: string; readonly isRefused: boolean };

const under = new Map<number, AbortController>();

process.once("disconnect", () => process.exit());
process.on("message", (wanted: Wanted) => {
  if ("over" in wanted) under.get(wanted.id)?.abort();
  else void answer(wanted.id, wanted.port);
});

async function answer(id: number, port: number): Promise<void> {
  const over = new AbortController();
  under.set(id, over);
  try {
    tell({ id }, await dial(port, over.signal));
  } catch (error) {
    tell({ id, failed: toMessage(error), isRefused: error instanceof Refused });
  } finally {
    under.delete(id);
  }
}

function tell(said: Reached, socket?: Socket): void {
  // Where nobody hears it any more, we are about to go.
  process.send?.(said, socket, undefined, () => undefined);
}
