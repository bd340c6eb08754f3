import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { expectFault } from "../../../test/support/expect-fault.ts";
import { KeeperRig, noCages, whos } from "../../../test/support/keeper-rig.ts";
import { TerminalRig } from "../../../test/support/terminal-rig.ts";
import { isSame, isStopped, listProcesses, type SeenProcess } from "../os/processes.ts";

describe.skipIf(noCages).each(whos)("terminals of a keeper run by a %s", (who) => {
  test("[TM1] a shell has a terminal of its own, inside the walls", async () => {
    const rig = await KeeperRig.open(who, { files: { "a.txt": "hello\n" } });
    const terminal = await TerminalRig.open(rig, ["/bin/bash", "--norc"], { PS1: "$ " });
    await terminal.type("tty; id -un; pwd; cat a.txt; stty size; sleep 1000 &\r");
    expect(await terminal.heard("24 80")).toContain("/dev/pts/0\r\nagent\r\n/srv/project\r\nhello\r\n24 80");
    // Keys become signals, and jobs can be halted and brought back.
    await terminal.type("sh -c 'echo o$((1))n; exec cat'\r");
    await terminal.heard("o1n\r\n");
    await terminal.type("\u001a");
    await terminal.heard("Stopped");
    await terminal.type("jobs | wc -l; echo re$((1))dy\r");
    expect(await terminal.heard("re1dy")).toMatch(/2\r\nre1dy/);
    await terminal.type("fg\r");
    await terminal.heard(/ fg\r\n[^]*exec cat'\r\n/);
    await terminal.type("back\r");
    await terminal.heard("back\r\nback\r\n");
    await terminal.type("\u0004");
    await terminal.heard(/back\r\nback\r\n[^]*\$ $/);
    await terminal.type("exit 7\r");
    expect(await terminal.end()).toMatchObject({ exit: 7, signal: null, why: "ended" });
    expect(await terminal.read()).toMatchObject({ ended: true });
  });

  test("[EN28] what is ended while it is only just coming up ends: a terminal, and a command", async () => {
    const rig = await KeeperRig.open(who);
    for (let round = 0; round < 4; round++) {
      const call = `early-${round}`;
      const [terminal] = await Promise.all([
        TerminalRig.open(rig, ["sleep", "1000"]),
        rig.client.start({ call, argv: ["sleep", "1000"], cwd: null, env: {}, timeoutMs: null }),
      ]);
      await Promise.all([terminal.close(1000), rig.client.stop(call, 1000)]);
      expect((await terminal.end()).why).toBe("stopped");
      expect((await rig.client.wait(call)).why).toBe("stopped");
    }
  });

  test("[TM2] a terminal is opened once, and what is typed under a tag is typed once", async () => {
    const rig = await KeeperRig.open(who);
    const terminal = await TerminalRig.open(rig, ["/bin/sh", "-c", "read line; echo got $line; read more"]);
    expect(await terminal.again()).toEqual({ found: true });
    for (let times = 0; times < 3; times++) await terminal.type("one\r", "tag-1");
    await terminal.type("\r", "tag-2");
    await terminal.end();
    expect((await terminal.said()).match(/got one/g)).toHaveLength(1);
  });

  test("[TM3] everything is in the recording before it is read, byte for byte, also what is no text", async () => {
    const rig = await KeeperRig.open(who);
    const script = String.raw`stty raw -echo; head -c 3000000 /dev/zero | tr '\0' x; printf '\377\376\000\001\033[31'; printf 'mend'`;
    const terminal = await TerminalRig.open(rig, ["/bin/sh", "-c", script]);
    await terminal.end();
    const bytes = await terminal.bytes();
    expect(bytes.length).toBe(3_000_000 + 4 + 4 + 4);
    expect(bytes.subarray(3_000_000)).toEqual(Buffer.from("\u00ff\u00fe\u0000\u0001\u001b[31mend", "latin1"));
    expect(readFileSync(terminal.file("bytes-0")).equals(bytes)).toBe(true);
    const times = readFileSync(terminal.file("times-0"), "utf8").trim().split("\n");
    expect(JSON.parse(times.at(-1) ?? "")).toEqual([expect.any(Number), bytes.length]);
  });

  test("[TM5] what programs ask a terminal is answered once, by the keeper", async () => {
    const rig = await KeeperRig.open(who);
    const ask = String.raw`stty raw -echo; printf 'ab\033[6n'; dd bs=1 count=6 2>/dev/null | od -An -c; printf '\033]11;?\033\\'; dd bs=1 count=25 2>/dev/null | od -An -c`;
    const terminal = await TerminalRig.open(rig, ["/bin/sh", "-c", ask]);
    await terminal.end();
    const said = await terminal.said();
    expect(said).toContain("033   [   1   ;   3   R");
    expect(said).toContain("1   1   ;   r   g   b");
  });

  test("[TM6] a new size is known inside, and to the recording", async () => {
    const rig = await KeeperRig.open(who);
    const script = "trap 'stty size; exit' WINCH; echo ready; while :; do sleep 0.05; done";
    const terminal = await TerminalRig.open(rig, ["/bin/bash", "-c", script]);
    await terminal.heard("ready");
    await terminal.resize(100, 30);
    expect(await terminal.heard("30 100")).toContain("30 100");
    await terminal.end();
    expect(readFileSync(terminal.file("times-0"), "utf8")).toMatch(/\[\d+,\d+,100,30\]/);
    expect(await terminal.screen()).toMatchObject({ cols: 100, rows: 30 });
    await expectFault(terminal.resize(0, 10), "bad-request");
  });

  test("[TM7] terminals stand still and end with their agent", async () => {
    const rig = await KeeperRig.open(who);
    const terminal = await TerminalRig.open(rig, ["/bin/bash", "--norc"], { PS1: "$ " });
    await terminal.type(`sh -c 'echo pid $$; sleep 1000; : ${terminal.mark}'\r`);
    await terminal.heard(/pid \d+\r/);
    await rig.client.halt(true);
    const pids = terminal.processes();
    expect(pids.length).toBeGreaterThan(0);
    expect(pids.every(isStopped)).toBe(true);
    await rig.client.halt(false);
    await rig.client.stopAll(2000);
    expect(await terminal.end()).toMatchObject({ why: "stopped" });
    expect(terminal.processes()).toEqual([]);
  });

  test("[TM7] closing one ends what was started in it, and nothing else", async () => {
    const rig = await KeeperRig.open(who);
    const [one, other] = [
      await TerminalRig.open(rig, ["/bin/bash", "--norc"]),
      await TerminalRig.open(rig, ["/bin/cat"]),
    ];
    await one.type(`setsid sh -c 'echo up $$; sleep 1001; : ${one.mark}' &\r`);
    await one.heard(/up \d+\r/);
    expect(one.processes()).not.toEqual([]);
    await one.close();
    expect(await one.end()).toMatchObject({ why: "stopped" });
    expect(one.processes()).toEqual([]);
    await other.type("still here\r");
    await other.heard("still here\r\nstill here");
    expect((await one.list()).map(({ terminal, ended }) => [terminal, ended])).toEqual([
      [one.name, true],
      [other.name, false],
    ]);
  });

  test("[TM2] the end of a terminal whose keeper was lost is known to be unknown", async () => {
    const rig = await KeeperRig.open(who);
    const terminal = await TerminalRig.open(rig, ["/bin/sh", "-c", "echo here; read line"]);
    await terminal.heard("here");
    await rig.killKeeper();
    await rig.replace();
    expect(await rig.client.open(rig.order)).toMatchObject({ lost: [terminal.name] });
    expect(await terminal.again()).toEqual({ found: true });
    expect(await terminal.end()).toMatchObject({ exit: "unknown", why: "lost" });
    await expectFault(terminal.read(), "unknown-call");
    expect(readFileSync(terminal.file("bytes-0"), "utf8")).toContain("here");
  });

  test("[TM7] terminals that lose their host are lost with their programs, and nothing else is", async () => {
    const rig = await KeeperRig.open(who);
    const terminal = await TerminalRig.open(rig, ["/bin/sh", "-c", "echo up $$; trap '' HUP; sleep 1000"]);
    await terminal.heard("up");
    const command = await rig.begin("echo begun; read line; echo $line", { stdin: true });
    process.kill(hostOf(rig.keeperPid).pid, "SIGKILL");
    expect(await terminal.end()).toMatchObject({ exit: "unknown", why: "lost" });
    await rig.client.input(command, Buffer.from("still here\n"), true);
    expect((await rig.client.wait(command)).tail).toContain("still here");
    const next = await TerminalRig.open(rig, ["/bin/echo", "another"]);
    await next.end();
    expect(await next.said()).toContain("another");
  });

  test("[TM27] a program that tells its terminal to do something two thousand million times holds up nothing", async () => {
    const rig = await KeeperRig.open(who);
    const counts = ["b", "L", "M", "S", "T", "I", "Z"].map((final) => String.raw`\033[2147483647${final}`).join("a");
    const terminal = await TerminalRig.open(rig, [
      "/bin/sh",
      "-c",
      `printf 'a${counts}\\r\\nstill here\\r\\n'; read line`,
    ]);
    await terminal.sees("still here");
    await terminal.close();
    expect(await terminal.end()).toMatchObject({ why: "stopped" });
  });

  test("[TM27] a host that hears nothing any more ends with its keeper", async () => {
    const rig = await KeeperRig.open(who);
    const terminal = await TerminalRig.open(rig, ["/bin/cat"]);
    await terminal.type("here\r");
    await terminal.heard("here\r\nhere");
    const host = hostOf(rig.keeperPid);
    process.kill(host.pid, "SIGSTOP");
    await rig.killKeeper();
    await expect.poll(() => isSame(host)).toBe(false);
  });

  test("no command inherits our end of a terminal", async () => {
    const rig = await KeeperRig.open(who);
    await TerminalRig.open(rig, ["/bin/cat"]);
    expect(await rig.said("ls -l /proc/self/fd | grep -c ptmx; true")).toBe("0");
  });

  test("without a cage a terminal is the person's own, and ends with its agent", async () => {
    const rig = await KeeperRig.open(who, { order: { caged: false } });
    const terminal = await TerminalRig.open(rig, ["/bin/bash", "--norc"]);
    await terminal.type("echo $((40 + 2)); exec sleep 1000\r");
    await terminal.heard("42");
    await rig.client.stopAll(0);
    expect(await terminal.end()).toMatchObject({ why: "stopped" });
  });

  test("nothing is loaded for terminals where there are none", async () => {
    const rig = await KeeperRig.open(who);
    await rig.run("true");
    const hosts = (): number[] => listProcesses().flatMap(({ pid, parent }) => (parent === rig.keeperPid ? pid : []));
    const before = hosts().length;
    expect(readFileSync(`/proc/${rig.keeperPid}/maps`, "utf8")).not.toContain("pty.node");
    await TerminalRig.open(rig, ["/bin/cat"]);
    expect(readFileSync(`/proc/${rig.keeperPid}/maps`, "utf8")).not.toContain("pty.node");
    expect(hosts().length).toBeGreaterThan(before);
  });
});

/** The host of a keeper's terminals. */
function hostOf(keeper: number): SeenProcess {
  const isHost = ({ pid }: SeenProcess): boolean =>
    readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("host-main.ts");
  const host = listProcesses().find((each) => each.parent === keeper && isHost(each));
  if (host === undefined) throw new Error(`the keeper ${keeper} has no host`);
  return host;
}
