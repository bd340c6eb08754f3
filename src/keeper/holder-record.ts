// Which process holds the agent's namespaces, written down: when its keeper is lost, the kernel ends it, and a keeper that
// comes after has to know when that is done.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "../base/fault.ts";
import { readJson } from "./os/durable-file.ts";
import { bootId, isSame } from "./os/processes.ts";

const goneMsMax = 20_000;

export class HolderRecord {
  readonly #path: string;

  constructor(journal: string) {
    this.#path = join(journal, "holder.json");
  }

  write(holder: { readonly pid: number; readonly startTicks: string }): void {
    const { pid, startTicks } = holder;
    writeFileSync(this.#path, JSON.stringify({ pid, startTicks, bootId: bootId() }), { mode: 0o600 });
  }

  async waitUntilGone(): Promise<void> {
    const found = readJson(this.#path) as { pid: number; startTicks: string; bootId: string } | undefined;
    if (found === undefined || found.bootId !== bootId()) return;
    const untilMs = performance.now() + goneMsMax;
    while (isSame(found)) {
      if (performance.now() > untilMs) {
        throw new Fault("workspace-busy", { retry: "later", message: `process ${found.pid} of the agent does not go` });
      }
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}
