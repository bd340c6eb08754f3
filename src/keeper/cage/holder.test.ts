import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { waitForKeeper } from "./holder.ts";

test("the first process inside stays when its child is killed, and goes when its keeper does", async () => {
  const first = spawn("/bin/sh", ["-c", waitForKeeper], { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void first.kill("SIGKILL"));
  await once(first.stdout, "data");
  const children = (): number[] =>
    readFileSync(`/proc/${first.pid}/task/${first.pid}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number);
  await expect.poll(children).toHaveLength(1);
  const [child = 0] = children();
  process.kill(child, "SIGKILL");
  await expect.poll(() => children().some((pid) => pid !== child)).toBe(true);
  expect(first.exitCode).toBeNull();
  const exited = once(first, "exit");
  first.stdin.end();
  await exited;
});
