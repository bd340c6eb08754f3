// Why something of a living agent could not be had, and what that says of trying again.

import { Fault } from "../../base/fault.ts";
import type { Agent } from "../../core/agent/agent-state.ts";
import { KeeperRefusal } from "../keepers/keeper-client.ts";

const imageFaults: ReadonlySet<string> = new Set(["image-failed", "image-unfit", "images-unavailable"]);

/** It is over soon, or begins anew. */
export function goesDown({ name }: Pick<Agent, "name">): Fault {
  return new Fault("agent-down", { retry: "later", message: `the agent ${name} goes down` });
}

/** Whether it is for a person to make it otherwise: to try it again would bring the same. */
export function isConfiguration({ code, retry }: Fault): boolean {
  return code === "secret-missing" || (retry === "never" && (code === "env-file-failed" || imageFaults.has(code)));
}

/** The ports that kept a place from being made. */
export function takenBy(error: Fault): number[] {
  if (error.code !== "port-taken" || !(error instanceof KeeperRefusal)) return [];
  const { port } = (error.data ?? {}) as { readonly port?: number };
  return port === undefined ? [] : [port];
}
