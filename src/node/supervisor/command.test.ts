import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { Fault } from "../../base/fault.ts";
import { expectFault } from "../../../test/support/expect-fault.ts";
import { commandEnv, isRunning, Pipe } from "../../../test/support/processes.ts";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import { outputBytes } from "./command-output.ts";
import { endCommand, runCommand, type CommandEnd, type CommandOrder } from "./command.ts";

const never = new AbortController().signal;

function order(argv: readonly string[], more: Partial<CommandOrder> = {}): CommandOrder {
  const cwd = makeTempFolder();
  return { folder: join(cwd, "call"), argv, cwd, env: commandEnv, ...more };
}

function shell(script: string, more: Partial<CommandOrder> = {}): CommandOrder {
  return order(["/bin/sh", "-c", script], more);
}

const run = (given: CommandOrder): Promise<CommandEnd> => runCommand(given, never);

describe("a command", () => {
  test("[EN24] gives its exit status and the end of what it said", async () => {
    expect(await run(shell("echo out; echo err >&2; exit 3"))).toEqual({ exit: 3, tail: "out\nerr\n" });
    expect(await run(shell("true"))).toEqual({ exit: 0, tail: "" });
    const { tail } = await run(shell("seq 1 2000; echo end"));
    expect(Buffer.byteLength(tail)).toBe(2000);
    expect(tail.endsWith("1999\n2000\nend\n")).toBe(true);
  });

  test("[EN24] that says very much keeps the beginning and the end of it, and how much is left out", async () => {
    const given = shell("echo begin; head -c 12000000 /dev/zero | tr '\\0' x; echo; echo end");
    expect(await run(given)).toMatchObject({ exit: 0, tail: expect.stringMatching(/x\nend\n$/) as string });
    const kept = readFileSync(join(given.folder, "output"), "utf8");
    expect(kept.length).toBeLessThan(outputBytes.head + outputBytes.tail + 100);
    expect(kept).toMatch(/^begin\nx+\n\[… \d+ bytes left out …\]\nx+\nend\n$/);
    expect(Number(/(\d+) bytes/.exec(kept)?.[1])).toBe(12_000_011 - outputBytes.head - outputBytes.tail);
  });

  test("[EN24] that goes on and on is cut while it does", async () => {
    const cwd = makeTempFolder();
    const pipe = new Pipe(cwd);
    const burst = "head -c 5000000 /dev/zero | tr '\\0' x";
    const given = shell(`echo begin; ${burst}; read line < ${pipe.path}; ${burst}; echo end`, {
      cwd,
      folder: join(cwd, "call"),
    });
    const running = run(given);
    const output = join(given.folder, "output");
    while (!existsSync(`${output}.left-out`) || statSync(output).size > 0) await delay(10);
    await pipe.say("on");
    expect(await running).toMatchObject({ exit: 0 });
    expect(readFileSync(output, "utf8")).toMatch(/^begin\nx+\n\[… \d+ bytes left out …\]\nx+end\n$/);
    expect(existsSync(`${output}.tail`)).toBe(false);
  });

  test("[EN24] that a signal ended has no success", async () => {
    expect(await run(shell("kill -KILL $$"))).toMatchObject({ exit: 137 });
    expect(await run(shell("kill -TERM $$"))).toMatchObject({ exit: 143 });
  });

  test("[EN24] that does not exist says so", async () => {
    const { exit, tail } = await run(order(["no-such-program-anywhere", "--help"]));
    expect(exit).toBe(127);
    expect(tail).toContain("no-such-program-anywhere");
  });

  test.each([["exit", "0"], ["eval", "true"], ["."], [":"], ["if"], ["exec", "true"]])(
    "[EN24] is never taken for a word of the shell: %s",
    async (...argv) => {
      expect((await run(order(argv))).exit).toBeGreaterThanOrEqual(126);
    },
  );

  test("gets its arguments untouched", async () => {
    const odd = ["-n", "two words", "", 'it\'s "so"', "$HOME `id` *", "a\nb", "\\n\\0", "ünï 🚂", ";false"];
    const { exit, tail } = await run(order(["/usr/bin/printf", "<%s>", ...odd]));
    expect({ exit, tail }).toEqual({ exit: 0, tail: odd.map((each) => `<${each}>`).join("") });
  });

  test("sees no more of our surroundings than it is given, and no input", async () => {
    const { tail } = await run(order(["env"], { env: { ...commandEnv, A: "1" } }));
    const names = tail.split("\n").map((line) => line.split("=")[0] ?? "");
    expect(new Set(names)).toEqual(new Set(["A", "PATH", "SIGNALBOX_COMMAND", "PWD", ""]));
    expect(names.filter((name) => name !== "" && name !== "PWD").toSorted()).toEqual([
      "A",
      "PATH",
      "SIGNALBOX_COMMAND",
    ]);
    expect(await run(order(["cat"]))).toEqual({ exit: 0, tail: "" });
  });

  test("[EN24] that could not be started at all says why", async () => {
    const missing = await run(order(["true"], { cwd: join(makeTempFolder(), "gone") }));
    expect(missing).toMatchObject({ exit: 127 });
    expect(missing.tail).toContain("ENOENT");
    const nul = await run(order(["echo", "a\0b"]));
    expect(nul).toMatchObject({ exit: 127 });
    expect(nul.tail).toContain("null bytes");
  });
});

describe("the same folder", () => {
  test("[EN25] is the same command: it is started once, and everyone gets its end", async () => {
    const given = shell("echo started >> count; echo said; exit 4");
    const ends = await Promise.all([run(given), run(given), run(given)]);
    expect(ends).toEqual(Array.from({ length: 3 }, () => ({ exit: 4, tail: "said\n" })));
    expect(await run(given)).toEqual({ exit: 4, tail: "said\n" });
    expect(readFileSync(join(given.cwd, "count"), "utf8")).toBe("started\n");
  });

  test("[EN25] outlives whoever started it: killed -9, the next one joins and gets the exit", async () => {
    const cwd = makeTempFolder();
    const folder = join(cwd, "call");
    const [started, go] = [new Pipe(cwd, "started"), new Pipe(cwd, "go")];
    const script = `echo once >> count; echo $$ > ${started.path}; read line < ${go.path}; echo "$line"; exit 9`;
    const argv = ["/bin/sh", "-c", script];
    const child = fileURLToPath(new URL("../../../test/support/command-child.ts", import.meta.url));
    const first = spawn(process.execPath, [child, folder, ...argv], { cwd, env: commandEnv, stdio: "inherit" });
    const pid = Number(await started.heard());
    first.kill("SIGKILL");
    await once(first, "exit");
    expect(isRunning(pid)).toBe(true);
    const joined = run({ folder, argv, cwd, env: commandEnv });
    await go.say("go on");
    expect(await joined).toEqual({ exit: 9, tail: "go on\n" });
    expect(readFileSync(join(cwd, "count"), "utf8")).toBe("once\n");
  });

  test("[EN25] whose command ended while nobody looked still gives its exit", async () => {
    const given = shell("echo done; exit 6");
    const first = new AbortController();
    const started = runCommand(given, first.signal);
    await expect.poll(() => existsSync(join(given.folder, "exit"))).toBe(true);
    await started;
    expect(await run({ ...given, argv: ["/bin/false"] })).toEqual({ exit: 6, tail: "done\n" });
  });

  test("[EN25] an abort leaves the command alone", async () => {
    const cwd = makeTempFolder();
    const [started, go] = [new Pipe(cwd, "started"), new Pipe(cwd, "go")];
    const given = shell(`echo $$ > ${started.path}; read line < ${go.path}; exit 5`, {
      cwd,
      folder: join(cwd, "call"),
    });
    const abort = new AbortController();
    const aborted = runCommand(given, abort.signal);
    const pid = Number(await started.heard());
    abort.abort();
    await expect(aborted).rejects.toThrow("aborted");
    expect(isRunning(pid)).toBe(true);
    const joined = run(given);
    await go.say("");
    expect(await joined).toMatchObject({ exit: 5 });
  });

  test("[EN25] what was stopped before it started may be started later", async () => {
    const given = shell("echo started >> count");
    const abort = new AbortController();
    const aborted = runCommand(given, abort.signal);
    abort.abort();
    await expect(aborted).rejects.toThrow("aborted");
    expect(existsSync(join(given.cwd, "count"))).toBe(false);
    const no = new Fault("stale-fence", { retry: "never", message: "not yours" });
    const refused = run({
      ...given,
      mayStart: () => {
        throw no;
      },
    });
    await expectFault(refused, "stale-fence", "not yours");
    expect(existsSync(join(given.cwd, "count"))).toBe(false);
    expect(await run(given)).toMatchObject({ exit: 0 });
    expect(readFileSync(join(given.cwd, "count"), "utf8")).toBe("started\n");
  });
});

describe("a lost exit", () => {
  test("[EN27] is unknown when the leader was killed, and what was left of the command is ended first", async () => {
    const cwd = makeTempFolder();
    const pipe = new Pipe(cwd);
    const script = `trap "" TERM; sleep 1000 & echo "$PPID $$ $!" > ${pipe.path}; wait; wait`;
    const ended = run(shell(script, { cwd, folder: join(cwd, "call") }));
    const [leader = 0, shellPid = 0, sleeper = 0] = (await pipe.heard()).split(" ").map(Number);
    process.kill(leader, "SIGKILL");
    expect(await ended).toEqual({ exit: "unknown", tail: "" });
    expect([leader, shellPid, sleeper].filter(isRunning)).toEqual([]);
  });

  test("[EN27] is unknown when nobody knows whether it was ever started", async () => {
    const given = shell("echo started >> count");
    mkdirSync(given.folder);
    writeFileSync(join(given.folder, "started"), "a-mark\n");
    expect(await run(given)).toEqual({ exit: "unknown", tail: "" });
    expect(existsSync(join(given.cwd, "count"))).toBe(false);
  });

  test.each(["", "0", "zero\n", "-1\n", "0\n0\n"])(
    "[EN27] is not read from a status that is not whole: %j",
    async (text) => {
      const given = shell("exit 1");
      await run(given);
      writeFileSync(join(given.folder, "exit"), text);
      expect(await run(given)).toMatchObject({ exit: "unknown" });
    },
  );

  test("[EN27] is unknown after a restart of the machine", async () => {
    const cwd = makeTempFolder();
    const pipe = new Pipe(cwd);
    const given = shell(`echo $$ > ${pipe.path}; exec sleep 1000`, { cwd, folder: join(cwd, "call") });
    const abort = new AbortController();
    const first = runCommand(given, abort.signal).catch(() => undefined);
    const pid = Number(await pipe.heard());
    abort.abort();
    await first;
    const leader = join(given.folder, "leader");
    const real = readFileSync(leader, "utf8");
    writeFileSync(leader, real.replace(/^\S+/, "another-boot/pid:[1]"));
    const mark = readFileSync(join(given.folder, "started"), "utf8");
    writeFileSync(join(given.folder, "started"), "the-mark-of-then\n");
    expect(await run(given)).toMatchObject({ exit: "unknown" });
    expect(isRunning(pid)).toBe(true);
    writeFileSync(leader, real);
    writeFileSync(join(given.folder, "started"), mark);
    await endCommand(given.folder, { force: true });
    expect(isRunning(pid)).toBe(false);
  });
});
