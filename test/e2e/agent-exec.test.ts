// Commands inside agents as people run them: through the command line, with pipes, Ctrl-C and a daemon that restarts.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { noCages } from "../support/keeper-rig.ts";
import { Sandbox } from "./cli-process.ts";

describe.skipIf(noCages)("agent exec", () => {
  const box = new Sandbox();

  beforeAll(async () => {
    writeFileSync(join(box.project, "signalbox.yaml"), "template: shop\nservices: { web: { command: sleep 1000 } }\n");
    await box.ok("up", "-d", "--port", "0");
    await box.ok("project", "add", ".");
    await box.ok("agent", "create");
  });

  afterAll(async () => {
    await box.run("agent", "remove", "shop-1", "--force", "--discard");
    await box.close();
  });

  const exec = (script: string) => box.start(["agent", "exec", "shop-1", "--", "sh", "-c", script]);

  test("[AG80] what it says comes as it says it, what is piped in it reads, and its end is ours", async () => {
    const running = exec('echo first; read line; echo "read $line"; cat; echo loud >&2; exit 7');
    await running.line((line) => line === "first");
    running.write("one\n");
    await running.line((line) => line === "read one");
    running.write("two\nthree");
    running.closeInput();
    expect(await running.ended).toEqual({ code: 7, stdout: "first\nread one\ntwo\nthreeloud\n", stderr: "" });
  });

  test("[AG80] much is passed on in both directions, and nothing of it is left out", async () => {
    const running = exec("head -c 20000000 /dev/zero | tr '\\0' x; wc -c");
    running.write("y".repeat(5_000_000));
    running.closeInput();
    const { code, stdout } = await running.ended;
    expect(code).toBe(0);
    expect(stdout.length).toBe(20_000_000 + 8);
    expect(stdout.endsWith("x5000000\n")).toBe(true);
  });

  test("Ctrl-C interrupts the command, which has the last word", async () => {
    const running = exec('trap "echo caught; exit 5" INT; echo ready; while :; do sleep 0.1; done');
    await running.line((line) => line === "ready");
    running.signal("SIGINT");
    expect(await running.ended).toMatchObject({ code: 5, stdout: "ready\ncaught\n" });
    const plain = exec("echo ready; exec sleep 1000");
    await plain.line((line) => line === "ready");
    plain.signal("SIGINT");
    expect(await plain.ended).toMatchObject({ code: 130 });
  });

  test("[AG81] a daemon that restarts in the middle is waited for, and the command goes on where it was", async () => {
    const running = exec('echo $$; read line; echo "$line from $$"; exit 4');
    const pid = await running.line((line) => /^\d+$/.test(line));
    await box.ok("down");
    await running.note((note) => note.includes("waiting for it to come back"));
    await box.ok("up", "-d", "--port", "0");
    running.write("hello\n");
    expect(await running.ended).toMatchObject({ code: 4, stdout: `${pid}\nhello from ${pid}\n` });
  });

  test("[AG81] a command whose listener is gone is ended", async () => {
    const running = exec("echo ready; exec sleep 7008");
    await running.line((line) => line === "ready");
    running.signal("SIGKILL");
    await running.ended;
    await expect.poll(() => box.ok("agent", "top", "shop-1")).not.toContain("sleep 7008");
  });

  test("an agent that goes down takes the command along, and whoever listened hears of it", async () => {
    const running = exec("echo ready; exec sleep 1000");
    await running.line((line) => line === "ready");
    await box.ok("agent", "stop", "shop-1");
    // Whichever is seen first: how it ended, or that nothing is there any more.
    expect([3, 137, 143]).toContain((await running.ended).code);
    await box.ok("agent", "start", "shop-1");
  });

  test("what takes too long is ended, with --json there is one answer, and nothing is left of either", async () => {
    const late = await box.run("agent", "exec", "shop-1", "--timeout", "200ms", "--", "sleep", "7007");
    expect(late).toMatchObject({ code: 6, stderr: expect.stringContaining("longer than it may") as string });
    const once = await box.run("agent", "exec", "shop-1", "--json", "--", "sh", "-c", "echo hi; exit 3");
    expect(once.code).toBe(3);
    expect(JSON.parse(once.stdout)).toEqual({ exit: 3, why: "ended", output: "hi\n", outputBytes: 3 });
    const { stdout } = await box.run("agent", "top", "shop-1");
    expect(stdout).toContain("sleep 1000");
    expect(stdout).not.toContain("sleep 7007");
  });
});
