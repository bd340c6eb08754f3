// What is seen by whoever is started inside.

import { isAbsolute, normalize } from "node:path";
import { Fault } from "../../base/fault.ts";

export type View = {
  /** What bwrap shows. */
  readonly mounts: readonly string[];
  /** How whoever it starts gives up the last capability. */
  readonly lastStep: readonly string[];
};

/** On which system something is started: the agent's, the machine's own, or that of a service. */
export type Ground = "agent" | "machine" | { readonly service: string };

/** Throws where a path is none that something can be shown at. */
export function assertPlain(path: string): void {
  if (isAbsolute(path) && normalize(path) === path && path !== "/" && !path.includes("\0")) return;
  throw new Fault("bad-request", { retry: "never", message: `"${path}" is no place to show in a cage` });
}
