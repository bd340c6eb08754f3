// What is asked of everybody who keeps processes running. All of them run the same: a crowd, which is started and stopped
// together, and a few that are killed one by one and come again.

import { threadsCpuMs } from "../../harness/cpu.ts";
import { commandOf, processesNamed, shareOf, treeOf } from "../../harness/memory.ts";
import type { Herald } from "./herald.ts";

export type Supervisor = {
  readonly herald: Herald;
  /** Asks for the whole crowd; the herald tells when it is there. */
  readonly start: () => Promise<void>;
  /** Ends the crowd, and answers when it is gone. */
  readonly halt: () => Promise<void>;
  /** The processes that are killed. */
  readonly mortals: () => readonly number[];
  /** CPU and memory of whoever supervises, without those who are supervised. */
  readonly cpuMs: () => number;
  readonly memoryBytes: () => number;
  readonly stop: () => Promise<void>;
};

/** How many there are of those that are killed. */
export const mortalCount = 4;

/** As long as nobody waits, and by its digits to be told from all other processes. */
const sleepS = 86_400;
let made = 0;

export class Folk {
  readonly #mark = `${sleepS}.${process.pid}${String(++made).padStart(3, "0")}`;

  /** A line for a shell: it says that it runs, and then does nothing. */
  line(kind: "crowd" | "mortal", herald: string): string {
    return `echo > ${herald}; exec sleep ${this.markOf(kind)}`;
  }

  /** Stands in the command lines of all of these and of nobody else. */
  markOf(kind: "crowd" | "mortal"): string {
    return `${this.#mark}${kind === "crowd" ? "1" : "2"}`;
  }

  /** Those that have begun to do nothing. */
  find(kind: "crowd" | "mortal"): number[] {
    return processesNamed(this.markOf(kind)).filter((pid) => commandOf(pid).startsWith("sleep"));
  }

  /** What supervises them: some processes with all that stems from them, without these themselves. */
  above(roots: () => readonly number[]): Pick<Supervisor, "cpuMs" | "memoryBytes"> {
    const tree = (): number[] => treeOf(roots(), this.#mark);
    return {
      cpuMs: () => tree().reduce((sum, pid) => sum + threadsCpuMs(pid), 0),
      memoryBytes: () => tree().reduce((sum, pid) => sum + shareOf(pid), 0),
    };
  }

  /** Resolves when none of the crowd is there any more. */
  async gone(): Promise<void> {
    while (processesNamed(this.markOf("crowd")).length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Those that have ended meanwhile are left alone. */
export function endAll(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }
}
