// A place with numbers of processes of its own, as a cage has them, in which the next number can be said.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { InnerProcess } from "../../src/keeper/cage/holder.ts";
import { lookAt } from "../../src/keeper/os/processes.ts";

const triesMax = 50;

export class NumberedPlace {
  /** Of its first process, as it is seen from here. */
  readonly pid: number;
  readonly #first: ChildProcess;

  private constructor(first: ChildProcess, pid: number) {
    this.#first = first;
    this.pid = pid;
  }

  static async open(): Promise<NumberedPlace> {
    const own = ["--user", "--map-root-user", "--pid", "--fork", "--kill-child", "--mount-proc"];
    const first = spawn("unshare", [...own, "sh", "-c", "echo ready; exec sleep 1000000"]);
    await once(first.stdout, "data");
    return new NumberedPlace(first, childOf(first.pid ?? 0));
  }

  /** Somebody inside; with a number where one is wanted, undefined where others were always quicker. */
  async start(
    wanted?: number,
  ): Promise<{ readonly whom: InnerProcess; readonly end: () => Promise<void> } | undefined> {
    const say = wanted === undefined ? "" : `echo ${wanted - 1} > /proc/sys/kernel/ns_last_pid; `;
    for (let tries = 0; tries < triesMax; tries++) {
      const enter = ["-t", String(this.pid), "-U", "-m", "-p", "--preserve-credentials", "--", "sh", "-c"];
      const shell = spawn("nsenter", [...enter, `${say}sleep 1000000 & echo $!; wait`]);
      const gone = once(shell, "close");
      const [said] = (await once(shell.stdout, "data")) as [Buffer];
      const inner = Number(said.toString());
      const pid = childOf(childOf(shell.pid ?? 0));
      const end = async (): Promise<void> => {
        process.kill(pid, "SIGKILL");
        await gone;
      };
      if (wanted === undefined || inner === wanted)
        return { whom: { inner, pid, startTicks: lookAt(pid)?.startTicks ?? "" }, end };
      await end();
    }
    return undefined;
  }

  async close(): Promise<void> {
    const gone = once(this.#first, "close");
    this.#first.kill("SIGKILL");
    await gone;
  }
}

function childOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ")[0]);
}
