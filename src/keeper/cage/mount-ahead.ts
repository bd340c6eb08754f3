// A workspace that is mounted before its agent is there. Its own folders are moved to the agent's when one comes: a mount holds
// on to folders and not to their names, so it stays what it is. Where somebody comes with other layers, it is thrown away.

import { type BigIntStats, statSync } from "node:fs";
import type { Server } from "node:net";
import { join } from "node:path";
import { Fault } from "../../base/fault.ts";
import type { WorkspaceOrder } from "../../protocol/keeper/keeper-wire.ts";
import { runProgram } from "../os/run-program.ts";
import { type MountedWorkspace, mountWorkspace, takeWorkspace } from "./workspace-mount.ts";

type Overlay = Extract<WorkspaceOrder, { kind: "overlay" }>;

type Ready = {
  readonly order: Overlay;
  readonly stamp: string;
  readonly mounted: MountedWorkspace;
  readonly lock: Server;
};

export class MountAhead {
  readonly #folder: string;
  #ready: Promise<Ready> | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async prepare(order: WorkspaceOrder): Promise<void> {
    if (order.kind !== "overlay" || this.#ready !== undefined)
      throw new Fault("bad-request", { retry: "never", message: "one workspace of layers is mounted ahead, and once" });
    this.#ready = this.#mount(order);
    await this.#ready.catch((error: unknown) => {
      this.#ready = undefined;
      throw error;
    });
  }

  /** What is mounted and locked for an order already; undefined where nothing is. Nothing else is mounted then. */
  async take(order: WorkspaceOrder): Promise<Pick<Ready, "mounted" | "lock"> | undefined> {
    const ready = await this.#ready?.catch(() => undefined);
    this.#ready = undefined;
    if (ready === undefined) return undefined;
    const { mounted, lock } = ready;
    if (order.kind === "overlay" && isSame(ready, order)) return { mounted: { ...mounted, upper: order.upper }, lock };
    for (const name of ["w", "l"]) await runProgram("umount", ["-l", join(this.#folder, name)]);
    lock.close();
    return undefined;
  }

  async #mount(order: Overlay): Promise<Ready> {
    const lock = await takeWorkspace(order);
    try {
      const mounted = await mountWorkspace(order, this.#folder);
      return { order, stamp: stampOf(order), mounted, lock };
    } catch (error) {
      lock.close();
      throw error;
    }
  }
}

function isSame({ order, stamp }: Ready, other: Overlay): boolean {
  const isEqual = (a: readonly string[] = [], b: readonly string[] = []): boolean => a.join("\n") === b.join("\n");
  return isEqual(order.layers, other.layers) && isEqual(order.warm, other.warm) && stamp === stampOf(other);
}

/** Which folders they are, whatever they are called. */
function stampOf({ upper, work }: Overlay): string {
  const nameOf = ({ dev, ino }: BigIntStats): string => `${dev}:${ino}`;
  const stats = [upper, work].map((path) => statSync(path, { bigint: true, throwIfNoEntry: false }));
  return stats.map((stat) => (stat === undefined ? "none" : nameOf(stat))).join(" ");
}
