// The first process of the agent's namespaces. It does nothing but be there and collect orphans; commands join the
// namespaces that it holds. Ending it ends everything inside, and the kernel does not say that it is gone before all is.

import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import type { Readable } from "node:stream";
import { Fault } from "../../base/fault.ts";
import type { StopSignalName } from "../../protocol/keeper/keeper-wire.ts";
import { isSame, lookAt, pidNamespaceOf } from "../os/processes.ts";
import { plainEnv, programPath, runProgram } from "../os/run-program.ts";

// Signals from inside do not reach the first process, not even SIGKILL; it says one word when everything is in place. It
// waits for a child, for only so it collects orphans; the child waits for words that never come, which takes no program. The
// end of its input is the end of its keeper: one that was killed in these very moments takes nothing with it otherwise.
export const waitForKeeper =
  "echo ready; exec > /dev/null 2>&1; while :; do (read -r line); if [ $? -eq 1 ]; then exit; fi; done";
const startMsMax = 20_000;

export type HolderOrder = {
  /** What bwrap shows. */
  readonly mounts: readonly string[];
  readonly hostname: string;
  /** A file with the filter, where there is one for this machine. */
  readonly seccomp: string | undefined;
};

// In what the kernel says of a process, its start is the twentieth word after its name, which may hold blanks, brackets and ends of lines.
// All of this is the shell's own: nothing is started between the look and the signal.
const signalSame = `isSame() { shift 19; [ "$1" = "$start" ]; }
set -f
while [ $# -ge 3 ]; do
  inner=$1 pid=$2 start=$3 said=
  shift 3
  [ -r "/proc/$pid/stat" ] || continue
  while read -r line; do said="$said $line"; done 2> /dev/null < "/proc/$pid/stat"
  [ -n "$said" ] && isSame \${said##*)} && kill -s "$0" -- "$inner"
done`;

/** A process of a cage: its number inside, and as it is seen from outside. */
export type InnerProcess = { readonly inner: number; readonly pid: number; readonly startTicks: string };

export type SignalName = StopSignalName | "STOP" | "CONT";

export class Holder {
  readonly pid: number;
  readonly startTicks: string;
  /** Handles of the namespaces that bwrap takes by number. */
  readonly userNamespace: number;
  readonly pidNamespace: number;
  readonly pidNamespaceName: string;
  /** Resolves when everything inside is gone. */
  readonly gone: Promise<void>;
  isGone = false;

  private constructor(pid: number, startTicks: string, child: ChildProcess) {
    this.pid = pid;
    this.startTicks = startTicks;
    this.userNamespace = openSync(`/proc/${pid}/ns/user`, "r");
    this.pidNamespace = openSync(`/proc/${pid}/ns/pid`, "r");
    this.pidNamespaceName = pidNamespaceOf(pid) ?? "";
    this.gone = new Promise((resolve) => {
      child.once("exit", () => {
        this.isGone = true;
        closeSync(this.userNamespace);
        closeSync(this.pidNamespace);
        resolve();
      });
    });
  }

  static async start(order: HolderOrder): Promise<Holder> {
    const seccomp = order.seccomp === undefined ? undefined : openSync(order.seccomp, "r");
    const args = [
      ...["--unshare-all", "--unshare-user", "--disable-userns", "--uid", "1000", "--gid", "1000"],
      ...["--cap-drop", "ALL", "--die-with-parent", "--new-session", "--clearenv", "--hostname", order.hostname],
      ...["--setenv", "PATH", "/usr/bin:/bin", "--info-fd", "3", ...(seccomp === undefined ? [] : ["--seccomp", "4"])],
      ...[...order.mounts, "--chdir", "/", "--as-pid-1", "--", "/bin/sh", "-c", waitForKeeper],
    ];
    const child = spawn(programPath("bwrap"), args, {
      cwd: "/",
      env: plainEnv,
      stdio: ["pipe", "pipe", "pipe", "pipe", ...(seccomp === undefined ? [] : [seccomp])],
    });
    if (seccomp !== undefined) closeSync(seccomp);
    const pid = await firstPid(child);
    const startTicks = lookAt(pid)?.startTicks;
    if (startTicks === undefined) throw failed("it ended at once");
    return new Holder(pid, startTicks, child);
  }

  /** Sends a signal to processes inside, under the numbers that they have there: nothing outside can be meant. */
  async signal(name: SignalName, whom: readonly InnerProcess[] | "all"): Promise<void> {
    if (!this.isGone) await signalInside(this.pid, name, whom);
  }

  /** Ends everything inside at once. Resolves when the kernel says that nothing is left. */
  async end(): Promise<void> {
    if (!this.isGone && isSame(this)) {
      try {
        process.kill(this.pid, "SIGKILL");
      } catch {
        // It went by itself; `gone` says when all of it has.
      }
    }
    await this.gone;
  }
}

/**
 * A number may have gone to somebody else since it was looked up, and to get inside takes a while: each is looked at once more right
 * before its signal, from outside, by the start of the process that is meant.
 */
export async function signalInside(
  holderPid: number,
  name: SignalName,
  whom: readonly InnerProcess[] | "all",
): Promise<void> {
  const args = ["-t", String(holderPid), "-U", "-p", "--preserve-credentials", "--", "/bin/sh", "-c"];
  const script = whom === "all" ? 'kill -s "$0" -- -1' : signalSame;
  const words =
    whom === "all" ? [] : whom.flatMap(({ inner, pid, startTicks }) => [String(inner), String(pid), startTicks]);
  await runProgram("nsenter", [...args, script, name, ...words]);
}

/** The pid of the first process inside, once its namespaces and mounts are complete. */
function firstPid(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let [info, said, complaint] = ["", "", ""];
    const [, stdout, stderr, infoPipe] = child.stdio as unknown as (Readable | null)[];
    const timer = setTimeout(() => finish(failed(`not ready after ${startMsMax} ms`)), startMsMax);
    const finish = (error?: Error): void => {
      clearTimeout(timer);
      if (error !== undefined) {
        child.kill("SIGKILL");
        return reject(error);
      }
      const pid = Number(/"child-pid":\s*(\d+)/.exec(info)?.[1]);
      return Number.isInteger(pid) ? resolve(pid) : reject(failed("bwrap did not say who it started"));
    };
    infoPipe?.on("data", (chunk: Buffer) => (info += chunk.toString()));
    stderr?.on("data", (chunk: Buffer) => (complaint = (complaint + chunk.toString()).slice(-2000)));
    stdout?.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      // Both pipes are read in one turn of the loop, but in no order.
      if (said.includes("ready\n")) setImmediate(finish);
    });
    child.once("error", (error) => finish(failed(error.message)));
    child.once("close", () => finish(failed(complaint.trim() || "it ended at once")));
  });
}

function failed(why: string): Fault {
  return new Fault("cage-failed", { retry: "later", message: `the cage could not be made: ${why}` });
}
