// What an agent tries, from inside, to get out. Each attempt is made for real.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { giveTo, KeeperRig, noCages, whos, whenThere } from "../../test/support/keeper-rig.ts";
import { isRunning, startStranger } from "../../test/support/processes.ts";
import { listProcesses } from "../node/supervisor/process-identity.ts";
import { refusedCalls } from "./cage/syscalls.ts";

const hasPerl = spawnSync("perl", ["-e", "1"]).status === 0;
if (!hasPerl) console.warn("SYSTEM CALLS ARE NOT TRIED FROM INSIDE: there is no perl on this machine.");

describe.skipIf(noCages).each(whos)("inside, as %s", (who) => {
  test("the system, the machine's files and our own cannot be written, and mostly not be seen", async () => {
    const rig = await KeeperRig.open(who);
    for (const path of [
      "/usr/x",
      "/usr/bin/x",
      "/etc/x",
      "/etc/passwd",
      "/x",
      "/bin/x",
      "/lib/x",
      "/dev/x",
      "/run/x",
    ]) {
      expect(await rig.said(`sh -c 'echo x > ${path}' 2>&1 || echo no`), `writing ${path}`).toContain("no");
    }
    const secrets = [
      rig.base,
      rig.client.folder,
      "/root",
      "/etc/shadow",
      "/etc/ssl/private",
      "/var/lib",
      "/sys",
      "/work",
    ];
    for (const path of secrets) expect(await rig.said(`ls ${path} 2>&1`), `seeing ${path}`).toContain("No such file");
    expect(existsSync("/usr/x")).toBe(false);
    expect(await rig.said("cat /etc/passwd | wc -l; ls /home")).toBe("1\nagent");
    // All of the disk's own mounts are as they should be: no setuid, no devices, the system read-only.
    expect(await rig.said("grep -c ' /usr .* ro,' /proc/mounts; grep -vc nosuid /proc/mounts; id -G")).toBe(
      "1\n0\n1000",
    );
  });

  test("nobody else's processes are seen, signalled or entered", async () => {
    const rig = await KeeperRig.open(who);
    // A decoy outside with the name of something inside.
    const decoy = await startStranger(["sleep", "7041"]);
    expect(
      await rig.said(
        `sleep 7041 & ${whenThere("sleep 7041")}; pgrep -c -f 'sleep 704[1]$'; pkill -f 'sleep 704[1]$'; killall sleep 2>&1`,
      ),
    ).toMatch(/^1/);
    await rig.run("kill -9 -1; kill -9 1; kill -TERM 1");
    await rig.run(`kill -9 ${decoy.pid}; kill -9 ${rig.keeperPid}; kill -9 ${process.pid}`);
    expect(isRunning(decoy.pid)).toBe(true);
    expect(await rig.said("echo still here")).toBe("still here");
    expect(await rig.said("ls /proc | grep -c '^[0-9]'")).toMatch(/^[3-9]$/);
    // Whatever root or handle of another process can be reached shows the cage, not the machine.
    const roots = "for p in /proc/[0-9]*; do ls $p/root/ $p/cwd/ $p/fd/ 2>/dev/null; done | sort -u";
    expect(await rig.said(`${roots} | grep -E '^(root|work|opt|boot|mnt|sys)$' | wc -l`)).toBe("0");
    expect(await rig.said("ls -l /proc/self/fd | grep -vE ' [012] -> | 3 -> /proc| 4 -> pid:|total' | wc -l")).toBe(
      "0",
    );
  });

  test("there is no network but the cage's own, and no socket of the machine", async () => {
    const rig = await KeeperRig.open(who, { order: { binds: [process.execPath] } });
    const tcp = createServer((socket) => socket.end("leak"));
    const abstract = createServer((socket) => socket.end("leak"));
    await new Promise<void>((resolve) => tcp.listen(0, "0.0.0.0", resolve));
    await new Promise<void>((resolve) => abstract.listen(`\0signalbox-test-${process.pid}`, resolve));
    const port = (tcp.address() as { port: number }).port;
    const ask = (target: string): string =>
      `${process.execPath} -e 'require("net").connect(${target}).on("data", (d) => console.log(String(d))).on("error", (e) => console.log(e.code))'`;
    expect(await rig.said(ask(`${port}, "127.0.0.1"`))).toBe("ECONNREFUSED");
    expect(await rig.said(ask(`53, "8.8.8.8"`))).toBe("ENETUNREACH");
    expect(await rig.said(ask(`"\\0signalbox-test-${process.pid}"`))).toBe("ECONNREFUSED");
    expect(await rig.said(ask(`"${join(rig.client.folder, "keeper.sock")}"`))).toBe("ENOENT");
    expect(await rig.said("grep -c : /proc/net/dev")).toBe("1");
    tcp.close();
    abstract.close();
  });

  test("mounts, namespaces and setuid programs give nothing", async () => {
    const rig = await KeeperRig.open(who);
    const tries = [
      "mount -o remount,rw /usr",
      "mount -t tmpfs x /tmp",
      "mount --bind /tmp /usr",
      "umount /usr",
      "unshare -U true",
      "unshare -m true",
      "unshare -n true",
      "unshare -Ur true",
      "nsenter -t 1 -m true",
      "chroot / true",
      "su -c true",
      "setpriv --reuid=0 true",
      "mknod /tmp/null c 1 3",
    ];
    for (const each of tries)
      expect(await rig.said(`${each} 2>/dev/null < /dev/null && echo yes || echo no`), `trying ${each}`).toBe("no");
    // A copy of a setuid program of the agent's own is no more than a program.
    expect(await rig.said("cp /usr/bin/id /tmp/id; chmod 4755 /tmp/id; /tmp/id -u")).toBe("1000");
    const status = await rig.said("grep -E '^(Cap|NoNewPrivs|Seccomp:)' /proc/self/status");
    expect(status.replaceAll("\t", " ")).toBe(
      [
        ...["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"].map((name) => `${name}: 0000000000000000`),
        ...["NoNewPrivs: 1", "Seccomp: 2"],
      ].join("\n"),
    );
    // The holder is no way around the filter.
    expect(await rig.said("grep -E '^(CapEff|Seccomp:)' /proc/1/status | tr -d '\\t'")).toBe(
      "CapEff:0000000000000000\nSeccomp:2",
    );
  });

  test("no command is traced before its filter is in place", async () => {
    const rig = await KeeperRig.open(who);
    // Looks, as fast as it can, for a process that it may look into and that has no filter.
    const hunter = await rig.begin(
      `while :; do for p in /proc/[0-9]*; do
         if [ "$p" != /proc/1 ] && readlink $p/root > /dev/null 2>&1; then
           read -r found < $p/status && grep -q '^Seccomp:.0' $p/status 2>/dev/null && echo prey $p >> /tmp/prey
         fi; done; done`,
    );
    for (let round = 0; round < 25; round++) await rig.run("true");
    await rig.client.stop(hunter, 0);
    expect(await rig.said("cat /tmp/prey 2>/dev/null")).toBe("");
  });

  test("what the agent puts into its environment does not run before the walls stand", async () => {
    const rig = await KeeperRig.open(who);
    const env = { LD_PRELOAD: "/tmp/evil.so", LD_AUDIT: "/tmp/evil.so", BASH_ENV: "/tmp/evil.sh", ENV: "/tmp/evil.sh" };
    await rig.client.start({ call: "env", argv: ["/usr/bin/env"], cwd: null, env, timeoutMs: null });
    const end = await rig.client.wait("env");
    expect(end.tail).toContain("LD_PRELOAD=/tmp/evil.so");
    // The loader complains once, about the command itself.
    expect(end.tail.match(/cannot be preloaded/g)?.length ?? 0).toBeLessThanOrEqual(2);
  });
});

describe.skipIf(noCages)("the machine's other users", () => {
  test("do not see what a command finds in its environment", async () => {
    const rig = await KeeperRig.open(whos[0] ?? "user");
    const env = { SECRET: "a-secret-that-nobody-sees" };
    const argv = ["/bin/sh", "-c", "echo there; read -r line", "seen-by-all"];
    await rig.client.start({ call: "secret", argv, cwd: null, env, timeoutMs: null, stdin: true });
    await rig.heard("secret", "there");
    const lines = listProcesses().flatMap(({ pid }) => readCommandLine(pid));
    expect(lines.some((line) => line.includes("seen-by-all"))).toBe(true);
    expect(lines.filter((line) => line.includes(env.SECRET))).toEqual([]);
    await rig.client.stop("secret", 0);
  });
});

describe.skipIf(noCages || !hasPerl)("system calls from inside", () => {
  let rig: KeeperRig;
  let end: () => Promise<void>;

  beforeAll(async () => {
    ({ rig, end } = await KeeperRig.shared(whos[0] ?? "user"));
  });
  afterAll(() => end());

  const call = (words: string): Promise<string> =>
    rig.said(`perl -e '$r = syscall(${words}); print $r == -1 ? $!+0 : "ok"'`);

  test.skipIf(process.arch !== "x64")("each one on the list is refused", async () => {
    const numbers = Object.values(refusedCalls).flatMap(({ x64 }) => x64 ?? []);
    const said = await rig.said(
      `perl -e 'for (@ARGV) { $r = syscall($_, -1, -1, -1, -1, -1); print "$_:", $r == -1 ? $!+0 : "ok", "\\n" }' ${numbers.join(" ")}`,
    );
    expect(said.split("\n")).toEqual(numbers.map((number) => `${number}:1`));
  });

  test.skipIf(process.arch !== "x64")(
    "namespaces, terminals and strange sockets are refused by their arguments",
    async () => {
      for (const flag of ["0x10000000", "0x20000", "0x40000000", "0x20000000", "0x80"]) {
        expect(await call(`272, ${flag}`), `unshare ${flag}`).toBe("1");
      }
      expect(await call("272, 0x400"), "unshare of files").toBe("ok");
      expect(await call("56, 0x10000011, 0, 0, 0, 0"), "clone with a user namespace").toBe("1");
      expect(await call("435, 0, 0"), "clone3").toBe("38");
      expect(await call("16, 0, 0x5412, 0"), "TIOCSTI").toBe("1");
      expect(await call("16, 0, 0x100005412, 0"), "TIOCSTI with a bit above").toBe("1");
      expect(await call("16, 0, 0x541c, 0"), "TIOCLINUX").toBe("1");
      expect(await call("41, 40, 1, 0"), "vsock").toBe("97");
      expect(await call("41, 38, 5, 0"), "crypto").toBe("97");
      expect(await call("41, 2, 1, 0"), "IPv4").not.toBe("97");
      // The other convention of the same processor.
      expect(await call("0x40000000 + 39"), "x32").toBe("1");
    },
  );

  test("ordinary work is left alone", async () => {
    const git = "git -c user.name=a -c user.email=a@a commit -q --allow-empty -m x";
    expect(await rig.said(`git init -q /tmp/r && cd /tmp/r && ${git} && git log --format=%s`)).toBe("x");
    const worker = `new (require("worker_threads").Worker)("console.log(1+1)", { eval: true })`;
    expect(await rig.said(`${process.execPath} -e '${worker}'`)).toBe("2");
    expect(await rig.said("perl -e 'if (fork) { wait; print qq(parent) } else { print qq(child ) }'")).toContain(
      "parent",
    );
    const python = `import threading, subprocess; print(subprocess.run(["echo", "3"], capture_output=True).stdout)`;
    expect(await rig.said(`command -v python3 > /dev/null || exec echo b3; python3 -c '${python}'`)).toContain("3");
    expect(await rig.said("script -qc 'tty; echo typed' /dev/null | tr -d '\\r'")).toMatch(/^\/dev\/pts\/\d+\ntyped$/);
    expect(await rig.said("echo shared > /dev/shm/x")).toBe("");
    expect(await rig.said("cat /dev/shm/x")).toBe("shared");
  });
});

describe.skipIf(noCages).each(whos)("links and races, as %s", (who) => {
  test("no link leads a read, a list, a search or a place outside", async () => {
    const rig = await KeeperRig.start(who, { files: { "dir/a": "a\n" } });
    const outside = rig.path("outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "secret"), "secret\n");
    giveTo(who, outside);
    await rig.client.open(rig.order);
    await rig.run(
      `ln -s ${outside} out; ln -s ${outside}/secret file; ln -s /etc/passwd passwd; mkdir d; ln -s ../.. d/up`,
    );
    expect((await rig.client.read("file")).entry).toMatch(/^120000:/);
    expect(await rig.client.read("out/secret")).toEqual({ entry: null, size: 0, bytes: null });
    expect(await rig.client.read("d/up/secret")).toEqual({ entry: null, size: 0, bytes: null });
    for (const path of ["../outside/secret", "/etc/passwd", "d/../../x", "d//x", "d/./x", ""]) {
      await expect(rig.client.read(path), `reading ${path}`).rejects.toMatchObject({ code: "bad-request" });
    }
    await expect(rig.client.list({ path: "out", depth: 1, limit: 10 })).rejects.toMatchObject({ code: "not-a-folder" });
    expect((await rig.client.search({ text: "secret", regex: false, under: "", limit: 10 })).matches).toEqual([]);
    const bytes = { base64: Buffer.from("x").toString("base64") };
    const to = "100644:c1b0730e013b2bf0dbb2ca72d1f4d0a2a9d1d2a6";
    await expect(rig.client.place("t", [{ path: "out/new", to, bytes }])).rejects.toMatchObject({ code: "in-the-way" });
    expect(readFileSync(join(outside, "secret"), "utf8")).toBe("secret\n");
    expect(existsSync(join(outside, "new"))).toBe(false);
  });

  test("10,000 swaps of a folder for a link lead no read and no place outside", async () => {
    const rig = await KeeperRig.start(who, { order: { binds: [process.execPath] } });
    const outside = rig.path("outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "file"), "secret\n");
    giveTo(who, outside);
    await rig.client.open(rig.order);
    // A place makes the folder anew where it is missing for a moment; then the swapper clears the way.
    const swaps = `const { renameSync: move, rmSync, existsSync } = require("fs");
      let swapped = 0;
      while (swapped < 10000) try {
        if (existsSync("kept")) { rmSync("dir", { recursive: true, force: true }); move("kept", "dir"); }
        move("dir", "kept"); move("link", "dir"); swapped++; move("dir", "link"); move("kept", "dir");
      } catch {}
      console.log("swapped")`;
    await rig.run(`mkdir dir; echo inside > dir/file; ln -s ${outside} link`);
    const swapper = await rig.begin(`${process.execPath} -e '${swaps}'`);
    const progress = { reads: 0, over: false };
    const ended = rig.client.wait(swapper).finally(() => (progress.over = true));
    const text = "placed\n";
    const to = `100644:${spawnHash(text)}`;
    const seen = new Set<string>();
    while (!progress.over || progress.reads < 10_000) {
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => rig.client.read("dir/file").catch(() => undefined)),
      );
      progress.reads += answers.length;
      for (const answer of answers) {
        const bytes = answer?.bytes;
        if (bytes !== undefined && bytes !== null && "base64" in bytes)
          seen.add(Buffer.from(bytes.base64, "base64").toString());
      }
      const bytes = { base64: Buffer.from(text).toString("base64") };
      await rig.client
        .place(`p-${progress.reads}`, [{ path: `dir/new-${progress.reads % 10}`, to, bytes }])
        .catch(() => undefined);
    }
    expect((await ended).tail).toContain("swapped");
    expect([...seen].filter((each) => each !== "inside\n")).toEqual([]);
    expect(spawnSync("ls", [outside], { encoding: "utf8" }).stdout).toBe("file\n");
    expect(statSync(join(outside, "file")).size).toBe(7);
  });
});

function readCommandLine(pid: number): string[] {
  try {
    return [readFileSync(`/proc/${pid}/cmdline`, "utf8")];
  } catch {
    return [];
  }
}

function spawnHash(text: string): string {
  return spawnSync("git", ["hash-object", "--stdin"], { input: text, encoding: "utf8" }).stdout.trim();
}
