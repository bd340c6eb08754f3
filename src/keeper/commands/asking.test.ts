import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { listProcesses, lookAt, nowTicks, type SeenProcess } from "../os/processes.ts";
import { Asking } from "./asking.ts";

/** A shell that starts what it is told, and says when it has. */
class Shell {
  readonly child: ChildProcess;
  readonly #lines: AsyncIterableIterator<string>;

  constructor(trap: string) {
    const script = `${trap}; while read -r line; do eval "$line"; echo "$!"; done`;
    this.child = spawn("/bin/sh", ["-c", script], { detached: true, stdio: ["pipe", "pipe", "ignore"] });
    const { stdout } = this.child;
    if (stdout === null) throw new Error("it has a pipe");
    this.#lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
    onTestFinished(async () => {
      const exited = once(this.child, "exit");
      process.kill(-(this.child.pid ?? 0), "SIGKILL");
      await exited;
    });
  }

  /** The processes that a line has left in the background, from the shell on. */
  async start(line: string): Promise<SeenProcess[]> {
    this.child.stdin?.write(`${line}\n`);
    await this.#lines.next();
    return this.all();
  }

  all(): SeenProcess[] {
    return listProcesses().filter(({ session }) => session === this.child.pid);
  }
}

/** The kernel's clock has gone on: what is started from now on is later. */
async function nextTick(): Promise<void> {
  for (const from = nowTicks(); nowTicks() === from;) await new Promise(setImmediate);
}

const names = (found: readonly SeenProcess[]): number[] => found.map(({ pid }) => pid).toSorted((a, b) => a - b);
const minus = (all: readonly SeenProcess[], known: readonly SeenProcess[]): number[] =>
  names(all.filter(({ pid }) => !names(known).includes(pid)));

test("[AG88] each is asked once, and what is started by one that was asked is left alone with all that comes from it", async () => {
  const shell = new Shell("trap 'echo asked' TERM");
  const before = await shell.start("sleep 1000 &");
  const asking = new Asking(["TERM"]);
  expect(names(asking.choose(before))).toEqual(names(before));
  expect(asking.choose(before)).toEqual([]);
  const after = await shell.start("sh -c 'sleep 1000 & wait' &");
  expect(after.length).toBeGreaterThan(before.length);
  expect(asking.choose(after)).toEqual([]);
  // Nor is it asked later, and neither is what it starts then.
  await shell.start("sleep 1000 &");
  expect(asking.choose(shell.all())).toEqual([]);
});

test("[AG88] one that was there before the first was asked, and was only not seen, is asked", async () => {
  const shell = new Shell("trap 'echo asked' TERM");
  const all = await shell.start("sleep 1000 &");
  await nextTick();
  const asking = new Asking(["TERM"]);
  const parent = lookAt(shell.child.pid ?? 0);
  expect(parent).toBeDefined();
  const first = parent === undefined ? [] : [parent];
  expect(asking.choose(first)).toEqual(first);
  expect(names(asking.choose(all))).toEqual(minus(all, first));
  // What it starts before it is asked itself is asked with it.
  const other = new Asking(["TERM"]);
  other.choose(first);
  const orphan = all.filter(({ pid }) => pid !== parent?.pid).map((each) => ({ ...each, parent: 1 }));
  expect(other.choose([...first, ...orphan])).toEqual(orphan);
});

test("[AG88] where all that were asked end by the signal alone, nobody was started because of it, and all are asked", async () => {
  const shell = new Shell("true");
  const before = shell.all();
  const asking = new Asking(["TERM"]);
  expect(names(asking.choose(before))).toEqual(names(before));
  await nextTick();
  const after = await shell.start("sleep 1000 &");
  expect(names(asking.choose(after))).toEqual(minus(after, before));
});
