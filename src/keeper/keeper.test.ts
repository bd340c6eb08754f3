import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { expectFault } from "../../test/support/expect-fault.ts";
import { isStopped, pidNamespaceOf } from "./os/processes.ts";
import { processesWith } from "../../test/support/processes-with.ts";
import { KeeperRig, noCages, whos, whenThere } from "../../test/support/keeper-rig.ts";
import { makeTempFolder } from "../../test/support/temp-folder.ts";

const blob = (text: string): string => createHash("sha1").update(`blob ${text.length}\0${text}`).digest("hex");

describe.skipIf(noCages).each(whos)("a keeper run by a %s", (who) => {
  test("opens an agent's workspace and runs commands in it", async () => {
    const rig = await KeeperRig.open(who, { files: { "a.txt": "hello\n", "src/b.txt": "b\n" } });
    const hello = await rig.client.hello();
    expect(hello).toMatchObject({ protocol: 1, agent: "ag_1", calls: [] });
    const end = await rig.run("id -u; id -un; pwd; cat a.txt src/b.txt; echo new > c.txt; exit 3");
    expect(end).toMatchObject({ exit: 3, signal: null, why: "ended", leftOutBytes: 0 });
    expect(end.tail).toBe("1000\nagent\n/srv/project\nhello\nb\n");
    expect(await rig.client.scan()).toEqual({
      paths: [{ path: "c.txt", entry: `100644:${blob("new\n")}`, size: 4 }],
    });
    // The layer is as it was.
    expect(existsSync(rig.path("layer", "c.txt"))).toBe(false);
  });

  test("an opening that fails leaves no cage behind", async () => {
    const rig = await KeeperRig.start(who);
    const git = { objects: rig.path("objects"), commit: "0".repeat(40), branch: "no name" };
    await expectFault(rig.client.open({ ...rig.order, git }), "bad-request");
    const holder = JSON.parse(readFileSync(rig.path("journal", "holder.json"), "utf8")) as { pid: number };
    expect(existsSync(`/proc/${holder.pid}`)).toBe(false);
    await rig.client.open(rig.order);
    expect(await rig.said("echo works")).toBe("works");
  });

  test("[EN48] a workspace that was mounted ahead is thrown away where its agent comes with another one", async () => {
    const rig = await KeeperRig.start(who, { files: { "a.txt": "hello\n" } });
    const { workspace } = rig.order;
    await rig.client.request({ op: "prepare", workspace });
    await expectFault(rig.client.request({ op: "prepare", workspace }), "bad-request");
    const other = rig.path("other");
    mkdirSync(other);
    writeFileSync(join(other, "b.txt"), "b\n");
    await rig.client.open({ ...rig.order, workspace: { ...workspace, layers: [other] } });
    expect(await rig.said("ls; cat b.txt")).toBe("b.txt\nb");
    await expectFault(rig.client.request({ op: "prepare", workspace }), "already-open");
  });

  test("[EN45] with files first nobody waits for the cage but who starts something, and without one nothing starts", async () => {
    const rig = await KeeperRig.start(who);
    // What is not there cannot be shown inside, so that there can be no cage.
    const git = { objects: rig.path("gone"), commit: "0".repeat(40), branch: "main" };
    await expectFault(rig.client.open({ ...rig.order, git }), "cage-failed");
    await rig.client.open({ ...rig.order, git, filesFirst: true });
    const bytes = { base64: Buffer.from("new\n").toString("base64") };
    await rig.client.place("t1", [{ path: "c.txt", to: `100644:${blob("new\n")}`, bytes }]);
    expect((await rig.client.read("c.txt")).entry).toBe(`100644:${blob("new\n")}`);
    await expectFault(rig.run("echo never"), "cage-failed");
    expect(await rig.client.stopAll(0)).toEqual({ stopped: 0 });
  });

  test("[LD17] says along with a change which of its paths git ignores, also when it was done before", async () => {
    const rig = await KeeperRig.open(who, { files: { ".gitignore": "*.log\n" } });
    const to = `100644:${blob("new\n")}`;
    const bytes = { base64: Buffer.from("new\n").toString("base64") };
    const changes = ["a.log", "a.txt"].map((path) => ({ path, to, bytes }));
    const ignored = { paths: ["a.log", "a.txt"], tracked: [] };
    const op = { op: "place", tag: "t1", changes, ignored } as const;
    for (const _ of [1, 2]) expect(await rig.client.request(op)).toMatchObject({ ignored: ["a.log"] });
    expect(await rig.client.request({ op: "place", tag: "t2", changes })).not.toHaveProperty("ignored");
  });

  test("[EN45] with files first the first command makes the cage, and ending everything leaves none", async () => {
    const rig = await KeeperRig.open(who, { files: { "a.txt": "hello\n" }, order: { filesFirst: true } });
    expect(await rig.said("cat a.txt")).toBe("hello");
    const holder = JSON.parse(readFileSync(rig.path("journal", "holder.json"), "utf8")) as { pid: number };
    await rig.client.stopAll(0);
    expect(existsSync(`/proc/${holder.pid}`)).toBe(false);
  });

  test("[EN45] with files first there is a repository when something is started, also where its index has gone meanwhile", async () => {
    const folder = makeTempFolder();
    const git = (...args: string[]): string =>
      execFileSync("git", ["-C", folder, ...args])
        .toString()
        .trim();
    git("init", "--quiet", "--initial-branch=main");
    const by = ["-c", "user.name=Ann", "-c", "user.email=ann@example.org"];
    git(...by, "commit", "--quiet", "--allow-empty", "--message=first");
    chmodSync(folder, 0o755);
    const order = { objects: join(folder, ".git/objects"), commit: git("rev-parse", "main"), branch: "main" };
    const rig = await KeeperRig.open(who, {
      order: { filesFirst: true, git: { ...order, index: join(folder, "gone") } },
    });
    const bytes = { base64: Buffer.from("new\n").toString("base64") };
    await rig.client.place("t1", [{ path: "c.txt", to: `100644:${blob("new\n")}`, bytes }]);
    expect((await rig.client.scan()).paths.map(({ path }) => path)).toEqual(["c.txt"]);
    expect(await rig.said("git status --porcelain; git log --format=%s; ls -A")).toBe("?? c.txt\nfirst\n.git\nc.txt");
  });

  test("a call is begun once, whoever asks, and its end stays", async () => {
    const rig = await KeeperRig.open(who);
    const order = {
      call: "once",
      argv: ["/bin/sh", "-c", "echo run >> runs; cat runs"],
      cwd: null,
      env: {},
      timeoutMs: null,
    };
    const answers = await Promise.all(Array.from({ length: 5 }, () => rig.client.start(order)));
    expect(answers.filter(({ found }) => !found)).toHaveLength(1);
    expect((await rig.client.wait("once")).tail).toBe("run\n");
    expect(await rig.client.start(order)).toEqual({ found: true });
    expect((await rig.client.wait("once")).tail).toBe("run\n");
    await rig.client.forget("once");
    await expectFault(rig.client.wait("once"), "unknown-call");
  });

  test("what one command starts is there for the next, and a stop ends it", async () => {
    const rig = await KeeperRig.open(who, { order: { binds: [process.execPath] } });
    const server = `require("net").createServer((s) => s.end("hi\\n")).listen(4000, "127.0.0.1", () => console.log("up"))`;
    const started = await rig.begin(`${process.execPath} -e '${server}' & echo $! > /tmp/pid; sleep 1000`);
    const ask = `require("net").connect(4000, "127.0.0.1").on("data", (d) => process.stdout.write(d)).on("error", () => process.exit(9))`;
    const tries = `for i in 1 2 3 4 5 6 7 8 9 10; do ${process.execPath} -e '${ask}' && exit; sleep 0.2; done; exit 1`;
    expect(await rig.run(tries)).toMatchObject({ exit: 0, tail: "hi\n" });
    expect(await rig.said("kill -0 $(cat /tmp/pid) && echo there")).toBe("there");
    // Who listens can be found out from another command, as people do before they end it.
    expect(await rig.said("ls -l /proc/$(cat /tmp/pid)/fd | grep -c socket")).not.toBe("0");
    await rig.client.stop(started, 1000);
    expect(await rig.client.wait(started)).toMatchObject({ why: "stopped" });
    // Dead, whether or not somebody has looked at its end already.
    expect(await rig.said("ps -o stat= -p $(cat /tmp/pid) | grep -vc '^Z'")).toBe("0");
  });

  test("double forks in sessions of their own are gone after a stop, and all are after stop-all", async () => {
    const rig = await KeeperRig.open(who);
    const call = await rig.begin(
      `(setsid sh -c 'sleep 7001 & sleep 7002' &) ; ${whenThere("sleep 7001")}; ${whenThere("sleep 7002")}; echo left`,
    );
    await rig.client.wait(call);
    expect(await rig.said("ps -o args= -C sleep | grep -c '700[12]'")).toBe("2");
    const startMs = performance.now();
    await rig.client.stop(call, 500);
    expect(await rig.said("ps -o args= -C sleep | grep -c '700[12]'")).toBe("0");
    // This one forgets where it came from.
    await rig.run(`(env -i setsid sh -c 'trap "" TERM; sleep 7003' &) ; ${whenThere("sleep 7003")}; kill -9 -1`);
    await rig.run(`(env -i setsid sh -c 'trap "" TERM; while :; do sleep 7004; done' &) ; ${whenThere("sleep 7004")}`);
    expect(await rig.said("ps -o args= -C sleep | grep -c 7004")).toBe("1");
    await rig.client.stopAll(300);
    expect(performance.now() - startMs).toBeLessThan(20_000);
    expect(await rig.said("pgrep -c sleep; ls /proc | grep -c '^[0-9]'")).toMatch(/^0\n/);
  });

  test("[AG88] what somebody starts because they were asked to go is left alone until the grace is over", async () => {
    const rig = await KeeperRig.open(who);
    const drain = "for i in $(seq 40); do sleep 0.01 || exit 9; done; echo end";
    const call = await rig.begin(`trap 'echo begin; ${drain}; exit 5' TERM; sleep 1000 & echo up; wait`);
    await rig.heard(call, "up");
    const stopping = rig.client.stop(call, 50_000);
    await rig.heard(call, "begin");
    // A daemon that starts meanwhile asks for the same.
    await rig.client.stop(call, 50_000);
    await stopping;
    expect(await rig.client.wait(call)).toMatchObject({ exit: 5, why: "stopped", tail: "up\nbegin\nend\n" });
    const endless = await rig.begin("trap 'echo begin; sleep 7021; echo $?' TERM; sleep 1000 & echo up; wait");
    await rig.heard(endless, "up");
    expect(await rig.client.stop(endless, 300)).toEqual({ stopped: 2 });
    expect((await rig.client.wait(endless)).tail).toMatch(/^up\n(begin\n)?$/);
    expect(await rig.said("ps -o args= -C sleep | grep -c 7021")).toBe("0");
  });

  test("[EN17] who is about to start a program by vfork stands still, too, and that is known", async () => {
    const rig = await KeeperRig.open(who);
    // The child has its parent's memory until it begins a program, for which it waits; so long, the kernel holds the parent.
    const clone = process.arch === "arm64" ? 220 : 56;
    const waits = `if (syscall(${clone}, 0x4111, 0) == 0) { print STDERR "forked"; open my $f, ">", "fifo"; exec "true" }`;
    const call = await rig.begin(`mkfifo fifo; exec perl -e '${waits}'`);
    await rig.heard(call, "forked");
    await rig.client.halt(true);
    await rig.client.stopAll(0);
    expect(await rig.client.wait(call)).toMatchObject({ why: "stopped" });
  });

  test("everything of an agent stands still when it is halted, whatever it forks, and goes on where it was", async () => {
    const rig = await KeeperRig.open(who);
    const mark = `halted-${process.pid}-${who}`;
    const beat = `n=0; while :; do n=$((n+1)); echo $n; done # ${mark}`;
    const call = await rig.begin(`setsid sh -c '${beat}' & ${beat}`);
    await rig.heard(call, "2");
    await rig.client.halt(true);
    const pids = processesWith(mark);
    expect(pids.length).toBeGreaterThan(1);
    expect(pids.filter((pid) => !isStopped(pid) && pidNamespaceOf(pid) !== pidNamespaceOf(process.pid))).toEqual([]);
    const { totalBytes } = await rig.client.output(call, { offset: 0, limit: 1 });
    // Nothing begins meanwhile.
    const later = rig.run("echo later");
    await rig.client.halt(false);
    expect((await later).tail).toBe("later\n");
    await rig.client.output(call, { offset: totalBytes, limit: 1, wait: true });
    // It is ended while it stands still, and no less for that.
    await rig.client.halt(true);
    expect(await rig.client.stopAll(1000)).not.toEqual({ stopped: 0 });
    expect(processesWith(mark)).toEqual([]);
    expect(await rig.said("echo again")).toBe("again");
  });

  test("[EN24] of more than a file may have, output keeps a beginning and an end", async () => {
    const rig = await KeeperRig.open(who, { order: { landBytesMax: 64 * 1024 * 1024 } });
    const end = await rig.run("echo begin; head -c 80000000 /dev/zero | tr '\\0' x; echo; echo end");
    expect(end.outputBytes).toBe(80_000_000 + 6 + 5);
    expect(end.leftOutBytes).toBeGreaterThan(10_000_000);
    expect(end.tail.endsWith("x\nend\n")).toBe(true);
    const first = await rig.client.output("call-1", { offset: 0, limit: 10 });
    expect(Buffer.from(first.base64, "base64").toString()).toBe("begin\nxxxx");
    const middle = await rig.client.output("call-1", { offset: 70_000_000, limit: 10 });
    expect(middle.offset).toBeGreaterThan(70_000_000);
    expect(middle).toMatchObject({ totalBytes: end.outputBytes, ended: true });
  });

  test("[EN24] what several commands say is kept together within the agent's share, and of each 64 MiB", async () => {
    const limits = { memoryBytes: null, processes: null, files: null, fileBytes: null, diskBytes: 200_000_000 };
    const rig = await KeeperRig.open(who, { order: { limits } });
    const say = "head -c 110000000 /dev/zero";
    const kept: number[] = [];
    for (const end of [await rig.run(say), await rig.run(say)]) kept.push(end.outputBytes - end.leftOutBytes);
    expect(kept[0]).toBe(110_000_000);
    expect(kept[1]).toBeLessThan(90_000_000);
    expect(kept[1]).toBeGreaterThan(64 * 1024 * 1024);
  });

  test("[AG80] a command that is far ahead of whoever reads waits for them, and nothing is left out", async () => {
    const rig = await KeeperRig.open(who);
    const ahead = 256 * 1024;
    const script = "head -c 8000000 /dev/zero | tr '\\0' x; echo end";
    const paced = { ahead, rotate: { bytes: 128 * 1024, keep: 8 } };
    await rig.client.start({
      call: "paced",
      argv: ["sh", "-c", script],
      cwd: null,
      env: {},
      timeoutMs: null,
      ...paced,
    });
    let [read, farthest] = [0, 0];
    for (;;) {
      const part = await rig.client.output("paced", { offset: read, limit: 100_000, wait: true });
      const bytes = Buffer.from(part.base64, "base64");
      expect(part.offset).toBe(read);
      farthest = Math.max(farthest, part.totalBytes - read);
      read += bytes.length;
      if (part.ended && read === part.totalBytes) break;
    }
    expect(read).toBe(8_000_004);
    // A pipe and a read more than that.
    expect(farthest).toBeLessThan(ahead + 3 * 65536);
    expect(await rig.client.wait("paced")).toMatchObject({ exit: 0, outputBytes: 8_000_004 });
  });

  test("[EN24] what a command says last is kept, also where it has closed its output and may have begun a secret", async () => {
    const rig = await KeeperRig.open(who, { order: { caged: false }, clone: true });
    const argv = ["/bin/sh", "-c", "printf 'and op'; exec >&- 2>&-; read line"];
    const hide = ["open-sesame-4711"];
    await rig.client.start({ call: "last", argv, cwd: null, env: {}, timeoutMs: 50_000, stdin: true, hide });
    const { base64 } = await rig.client.output("last", { offset: 4, limit: 100, wait: true });
    expect(Buffer.from(base64, "base64").toString()).toBe("op");
    await rig.client.input("last", Buffer.from("go\n"), true);
    expect(await rig.client.wait("last")).toMatchObject({ exit: 0, outputBytes: 6, tail: "and op" });
  });

  test("[EN24] of more than 64 MiB nothing is left out, and a secret on that very border is covered", async () => {
    const rig = await KeeperRig.open(who);
    const border = 64 * 1024 * 1024;
    const script = `head -c ${border - 4} /dev/zero | tr '\\0' y; printf 'open-sesame-4711 then'; head -c 9000000 /dev/zero`;
    const argv = ["/bin/sh", "-c", script];
    const hide = ["open-sesame-4711"];
    await rig.client.start({ call: "much", argv, cwd: null, env: {}, timeoutMs: 50_000, hide });
    expect(await rig.client.wait("much")).toMatchObject({ outputBytes: border + 9_000_017, leftOutBytes: 0 });
    let said = "";
    for (let offset = border - 8; offset < border + 17;) {
      const { base64 } = await rig.client.output("much", { offset, limit: border + 17 - offset });
      const bytes = Buffer.from(base64, "base64");
      said += String(bytes);
      offset += bytes.length;
    }
    expect(said).toBe(`yyyy${"*".repeat(16)} then`);
  });

  test("[AG80] input is answered when it was read, but for what the pipe holds", async () => {
    const rig = await KeeperRig.open(who);
    const call = await rig.begin("read line; wc -c", { stdin: true });
    const many = Buffer.alloc(500_000, "y").toString("base64");
    const give = { op: "input", call, end: false, wait: true } as const;
    const first = rig.client.request({ ...give, base64: many, tag: "1" });
    const both = Promise.race([first, rig.client.request({ op: "hello", protocol: 1 })]);
    // Nobody reads that much as long as the first line has no end.
    expect(await both).toMatchObject({ protocol: 1 });
    await rig.client.input(call, Buffer.from("\n123"), true);
    expect(await first).toEqual({ taken: true });
    expect(await rig.client.wait(call)).toMatchObject({ exit: 0, tail: "3\n" });
  });

  test("a command is never told to a place that the one before has killed", async () => {
    const rig = await KeeperRig.open(who);
    for (let round = 0; round < 10; round++) {
      await rig.run("kill -9 -1");
      expect(await rig.run(`echo ${round}`)).toMatchObject({ exit: 0, tail: `${round}\n` });
    }
  });

  test("output can be waited for, byte by byte", async () => {
    const rig = await KeeperRig.open(who);
    const call = await rig.begin("echo one; read line; echo $line", { stdin: true });
    const read = (offset: number) => rig.client.output(call, { offset, limit: 100, wait: true });
    expect(Buffer.from((await read(0)).base64, "base64").toString()).toBe("one\n");
    const next = read(4);
    await rig.client.input(call, Buffer.from("two\n"), true);
    expect(Buffer.from((await next).base64, "base64").toString()).toBe("two\n");
    expect(await read(8)).toMatchObject({ base64: "", ended: true });
  });

  test("input is read, times run out, and what cannot start says why", async () => {
    const rig = await KeeperRig.open(who);
    const call = await rig.begin("cat; echo done", { stdin: true });
    expect(await rig.client.input(call, Buffer.from("one\n"), false)).toBe(true);
    expect(await rig.client.input(call, Buffer.from("two\n"), true)).toBe(true);
    expect(await rig.client.wait(call)).toMatchObject({ exit: 0, tail: "one\ntwo\ndone\n" });
    expect(await rig.client.input(call, Buffer.from("late"), false)).toBe(false);
    expect(await rig.run("cat")).toMatchObject({ exit: 0, tail: "" });
    expect(await rig.run("sleep 1000", { timeoutMs: 200 })).toMatchObject({ why: "timed-out" });
    await rig.client.start({ call: "none", argv: ["no-such-program"], cwd: null, env: {}, timeoutMs: null });
    const end = await rig.client.wait("none");
    expect(end.exit).not.toBe(0);
    expect(end.tail).toContain("no-such-program");
    const cwd = { call: "cwd", argv: ["pwd"], cwd: "no/folder", env: {}, timeoutMs: null };
    await rig.client.start(cwd);
    expect((await rig.client.wait("cwd")).exit).not.toBe(0);
    expect(await rig.run("echo out; echo err > /dev/stderr; echo again >> /dev/stdout")).toMatchObject({
      tail: "out\nerr\nagain\n",
    });
  });

  test("the agent has a git of its own that nobody else reads", async () => {
    const rig = await KeeperRig.start(who, { files: { "a.txt": "one\n", "dir/run.sh": "#!/bin/sh\n" } });
    const { makeCommit } = await import("../../test/support/git-layer.ts");
    const git = makeCommit(rig, "layer", "objects");
    await rig.client.open({ ...rig.order, git: { ...git, branch: "signalbox/ag_1" } });
    expect(await rig.said("git status --porcelain; git branch --show-current; git remote; git log --format=%s")).toBe(
      "signalbox/ag_1\nfirst",
    );
    expect(
      await rig.said("echo two >> a.txt; git commit -qam second && git log --format=%s && git show HEAD~1:a.txt"),
    ).toBe("second\nfirst\none");
    // As hooks managers and version tools do.
    const hook = "printf '#!/bin/sh\\necho fired > hooked\\n' > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit";
    expect(
      await rig.said(`${hook}; echo three >> a.txt; git diff --stat | tail -1; git commit -qam third; cat hooked`),
    ).toBe(" 1 file changed, 1 insertion(+)\nfired");
    expect(await rig.said("git tag -am v1 v1 && git describe; rm hooked; git describe --dirty --always")).toBe(
      "v1\nv1",
    );
    // What the agent committed stays with it.
    expect((await rig.client.scan()).paths.map(({ path }) => path)).toEqual(["a.txt"]);
    expect(await rig.said("touch /run/signalbox/objects/x 2>&1 || echo no")).toContain("Read-only");
  });

  test("many long layers are one workspace, the first on top", async () => {
    const rig = await KeeperRig.start(who);
    const { giveTo, writeFiles } = await import("../../test/support/keeper-rig.ts");
    const layers = Array.from({ length: 30 }, (_, index) => rig.path(`${"long-".repeat(30)}${index},a:b`));
    layers.forEach((layer, index) => writeFiles(layer, { [`f${index}`]: `${index}`, top: `${index}` }));
    giveTo(who, rig.base);
    await rig.client.open({ ...rig.order, workspace: { ...rig.order.workspace, layers } });
    expect(await rig.said("cat top; ls | wc -l; rm top f3; rm -f f29")).toBe("031");
    expect((await rig.client.scan()).paths).toEqual([
      { path: "f29", entry: null, size: 0 },
      { path: "f3", entry: null, size: 0 },
      { path: "top", entry: null, size: 0 },
    ]);
  });

  test("one workspace has one keeper, and one keeper has one agent", async () => {
    const rig = await KeeperRig.open(who);
    const [first, second] = [rig.client, await rig.pool.take()];
    await expectFault(second.open(rig.order), "workspace-busy");
    await expectFault(first.open({ ...rig.order, agent: "ag_2" }), "already-open");
    expect(await first.open(rig.order)).toMatchObject({ caged: true, seccomp: true });
    await second.close(0);
  });

  const standing = "the project may stand in %s, which can be written, and where a link of the agent's leads nowhere";
  test.each(["/tmp", "/var/tmp"])(standing, async (folder) => {
    const rig = await KeeperRig.open(who, { order: { root: `${folder}/x/project` }, files: { a: "a" } });
    const whole = `pwd; cat a; echo; echo y > ${folder}/y; cat /tmp/y`;
    expect(await rig.said(whole)).toBe(`${folder}/x/project\na\ny`);
    const outside = rig.path("outside");
    const targets = [outside, `/oldroot${outside}`, `../oldroot${outside}`];
    for (const target of targets) {
      await rig.begin(`cd ${folder}; mv x $$; ln -s ${target} x; ls -l; sleep 1000`);
      // Without its folder no command starts; none is made elsewhere.
      await rig.run("true");
      await rig.client.stopAll(0);
      expect(await rig.said(whole)).toBe(`${folder}/x/project\na\ny`);
      expect(existsSync(outside)).toBe(false);
    }
  });

  test("the project may stand where a folder has another name inside", async () => {
    const root = "/var/run/project";
    const rig = await KeeperRig.open(who, { order: { root }, files: { a: "a" } });
    expect(await rig.said("pwd; cat a")).toBe(`${root}\na`);
  });

  const word = "without a cage, by a person's word, commands run as that person and are still ended";
  test.each([{ namespaces: true }, { namespaces: false }])(`${word}, %j`, async ({ namespaces }) => {
    const rig = await KeeperRig.start(who, { order: { caged: false }, clone: true, namespaces, files: { a: "a\n" } });
    if (!namespaces) await expectFault(rig.client.open({ ...rig.order, caged: true }), "cage-unavailable");
    await rig.client.open(rig.order);
    const uid = who === "user" && process.getuid?.() === 0 ? "65534" : String(process.getuid?.());
    expect(await rig.said("id -u; cat a; echo new > b")).toBe(`${uid}\na`);
    expect(readFileSync(rig.path("clone", "b"), "utf8")).toBe("new\n");
    expect((await rig.client.scan()).paths.map(({ path }) => path)).toEqual(["b"]);
    const call = await rig.begin("(setsid sleep 7011 &) ; sleep 7012 & echo there; wait");
    await rig.heard(call, "there");
    expect(await rig.client.stop(call, 500)).toEqual({ stopped: 3 });
    expect(await rig.said("ps -o args= -C sleep | grep -c '701[12]'")).toBe("0");
  });

  test("what was kept is in the outbox under the name of its blob", async () => {
    const rig = await KeeperRig.open(who, { files: { a: "a\n" } });
    await rig.run("echo big > b; ln -s a l");
    const { paths } = await rig.client.keep(["a", "b", "l", "none"], rig.path("outbox"));
    expect(paths.map(({ path, entry }) => [path, entry?.slice(0, 6) ?? null])).toEqual([
      ["a", "100644"],
      ["b", "100644"],
      ["l", "120000"],
      ["none", null],
    ]);
    expect(readFileSync(join(rig.path("outbox"), blob("big\n")), "utf8")).toBe("big\n");
    writeFileSync(rig.path("outbox", "x"), "");
  });
});
