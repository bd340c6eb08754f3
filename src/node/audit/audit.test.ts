// Real orphans: keepers, processes, groups, mounts and folders that nobody has any more, beside strangers that look alike.

import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { basename, join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { KeeperRig, noCages, whos } from "../../../test/support/keeper-rig.ts";
import { isRunning, startStranger } from "../../../test/support/processes.ts";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import type { Agent } from "../../core/agent/agent-state.ts";
import { makeState } from "../../core/state.ts";
import { groupTier, makeGroups } from "../keepers/keeper-groups.ts";
import { keeperMarkName } from "../keepers/keeper-mark.ts";
import { KeeperPool, startMsMax, waitUntilGone } from "../keepers/keeper-pool.ts";
import { PooledKeepers } from "../keepers/pooled-keepers.ts";
import { identify, thisPlace } from "../supervisor/process-identity.ts";
import { GroundDisk } from "../disk/ground-disk.ts";
import { DonePlaces, usualBounds } from "../workspace/done-places.ts";
import { KeptWorkspaces } from "../workspace/kept-workspaces.ts";
import { auditKeepers } from "./audit-keepers.ts";
import { Audit } from "./audit.ts";

/** An audit of the home that a rig stands for. */
function auditOf(base: string, pool: KeeperPool, state = makeState(), ending: ReadonlySet<string> = new Set()): Audit {
  mkdirSync(join(base, "agents"), { recursive: true });
  return new Audit({
    ...{ ground: base, node: join(base, "node"), pool, keepers: new PooledKeepers(pool), state: () => state },
    workspaces: {
      list: async () =>
        execFileSync("ls", [join(base, "agents")], { encoding: "utf8" })
          .split("\n")
          .filter(Boolean),
      remove: async (agent) => rmSync(join(base, "agents", agent), { recursive: true }),
      isUntouched: async (agent) => !existsSync(join(base, "agents", agent, "upper")),
      isOpen: () => false,
      kept: new KeptWorkspaces(join(base, "kept")),
      done: donePlacesOf(base),
    },
    images: { leftContainers: async () => [] },
    settled: async () => ending,
    startedAtMs: Date.now(),
  });
}

function donePlacesOf(base: string): DonePlaces {
  return new DonePlaces(join(base, "agents"), new GroundDisk({ folder: base }), usualBounds);
}

/** A home without keepers. */
function emptyHome(): { readonly base: string; readonly pool: KeeperPool } {
  const base = makeTempFolder();
  const folder = join(base, "keepers");
  mkdirSync(folder);
  return {
    base,
    pool: new KeeperPool({ folder, warm: 0, as: null, namespaces: true, cache: join(base, "cache") }),
  };
}

/** A stranger that shows the same command line as somebody else. */
async function startDouble(pid: number): Promise<number> {
  const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").filter(Boolean).join(" ");
  const script = "process.title = process.argv[1]; setInterval(() => undefined, 1000)";
  const double = await startStranger([process.execPath, "-e", script, words, "room for the title"]);
  await expect.poll(() => readFileSync(`/proc/${double.pid}/cmdline`, "utf8")).toContain(words);
  return double.pid;
}

describe.skipIf(noCages).each(whos)("an audit, as %s", (who) => {
  test("[AU1, AU4, AU5] finds a keeper whose agent nobody knows, by its record, and ends it with all that is in it", async () => {
    const rig = await KeeperRig.open(who);
    const call = await rig.begin("echo begun; exec sleep 1000");
    await rig.heard(call, "begun");
    const { keeperPid } = rig;
    const double = await startDouble(keeperPid);
    const audit = auditOf(rig.base, rig.pool);
    const [found, ...more] = await audit.look();
    expect(found).toMatchObject({ kind: "keeper", would: "end it with everything in its cage", advice: null });
    expect(found?.what).toBe(`${basename(rig.client.folder)}, process ${keeperPid}, of ag_1`);
    expect(found?.sinceMs).toBeLessThanOrEqual(Date.now());
    expect(more.map(({ kind }) => kind)).toContain("files");
    expect(isRunning(keeperPid)).toBe(true);
    const reaped = await audit.reap();
    expect(reaped.filter(({ done }) => done === null)).toEqual([]);
    expect(isRunning(keeperPid)).toBe(false);
    expect(isRunning(double)).toBe(true);
    expect(await audit.look()).toEqual([]);
  });

  test("[AU1] finds a keeper that no record leads to, by the mark of its home, and nobody who looks like it", async () => {
    const rig = await KeeperRig.open(who);
    const { keeperPid } = rig;
    // One that hangs does not end by itself.
    process.kill(keeperPid, "SIGSTOP");
    const double = await startDouble(keeperPid);
    const other = await startStranger(["env", `${keeperMarkName}=${"0".repeat(32)}/k1`, "sleep", "1000"]);
    rmSync(rig.client.folder, { recursive: true });
    const audit = auditOf(rig.base, rig.pool);
    const found = await audit.look();
    expect(found.filter(({ kind }) => kind === "keeper")).toMatchObject([
      { what: `${basename(rig.client.folder)}, process ${keeperPid}`, would: "end it, first gently" },
    ]);
    const [first] = await audit.reap();
    expect(first).toMatchObject({ kind: "keeper", done: "it was ended by force" });
    expect(isRunning(keeperPid)).toBe(false);
    expect([isRunning(double), isRunning(other.pid)]).toEqual([true, true]);
    expect(await audit.look()).toEqual([]);
  });

  test("[AU3] leaves alone what belongs to an agent that is there, and keepers that wait", async () => {
    const rig = await KeeperRig.open(who);
    const state = makeState();
    state.agents.set("ag_1", { id: "ag_1", state: "running", ports: new Map() } as unknown as Agent);
    const waiting = await rig.pool.take();
    expect(await auditOf(rig.base, rig.pool, state).look()).toEqual([]);
    await waiting.close(0);
    await waitUntilGone(waiting.folder);
    // What it left, as where its daemon was killed, was never anybody's: it goes, and nobody is told.
    expect(existsSync(waiting.folder)).toBe(true);
    expect(await auditOf(rig.base, rig.pool, state).look()).toEqual([]);
    expect(existsSync(waiting.folder)).toBe(false);
  });

  test("[AU2] finds nothing of another home", async () => {
    const rig = await KeeperRig.open(who);
    const { base, pool } = emptyHome();
    expect(await auditOf(base, pool).look()).toEqual([]);
    expect(isRunning(rig.keeperPid)).toBe(true);
  });

  test("[AU1] a command without a cage, whose keeper is lost, is found by its journal", async () => {
    const base = makeTempFolder();
    const journal = join(base, "agents", "ag_1", "journal");
    const rig = await KeeperRig.open(who, { groups: false, order: { caged: false } });
    const call = await rig.begin("echo $$; exec sleep 1000");
    await rig.heard(call, "\n");
    const pid = Number(Buffer.from((await rig.client.output(call, { offset: 0, limit: 100 })).base64, "base64"));
    await rig.killKeeper();
    mkdirSync(join(base, "agents", "ag_1"), { recursive: true });
    execFileSync("cp", ["-a", rig.path("journal"), journal]);
    const audit = auditOf(base, emptyHome().pool);
    const found = (await audit.look()).filter(({ kind }) => kind === "process");
    expect(found).toMatchObject([{ what: `process ${pid} of ag_1` }]);
    expect((await audit.reap()).find(({ kind }) => kind === "process")?.done).toBe("it was asked to end, and did");
    expect(isRunning(pid)).toBe(false);
  });

  test("[AU11] a keeper whose record was taken away ends by itself, with everything in it", async () => {
    const rig = await KeeperRig.open(who);
    const { keeperPid } = rig;
    rmSync(rig.client.folder, { recursive: true });
    await expect.poll(() => isRunning(keeperPid), { timeout: 20_000 }).toBe(false);
  });
});

test.skipIf(noCages || !whos.includes("user") || process.getuid?.() !== 0)(
  "[AU11] a keeper that cannot look at its record for a while goes on",
  async () => {
    const rig = await KeeperRig.open("user");
    chmodSync(rig.path("keepers"), 0o700);
    onTestFinished(() => chmodSync(rig.path("keepers"), 0o711));
    // The next one is begun later and looks as often, so when that has ended, the first one has looked too.
    const next = await KeeperRig.open("user");
    const { keeperPid } = next;
    rmSync(next.client.folder, { recursive: true });
    await expect.poll(() => isRunning(keeperPid), { timeout: 20_000 }).toBe(false);
    expect(isRunning(rig.keeperPid)).toBe(true);
    chmodSync(rig.path("keepers"), 0o711);
    expect(await rig.client.hello()).toMatchObject({ agent: "ag_1" });
  },
);

/** What a keeper, the holder of its cage and a command of it would have written down of a process. */
function writeRecords(
  base: string,
  { process: written, leader }: { readonly process: object; readonly leader: object },
): { readonly keeper: string; readonly journal: string } {
  const keeper = join(base, "keepers", "k1");
  const journal = join(base, "agents", "r_9", "journal");
  const call = join(journal, "calls", "c1");
  for (const folder of [keeper, call]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(keeper, "keeper.json"), JSON.stringify({ ...written, protocol: 1, agent: "r_9", groups: [] }));
  writeFileSync(join(journal, "holder.json"), JSON.stringify(written));
  writeFileSync(join(call, "started"), JSON.stringify({ mark: "nobody's", caged: false }));
  writeFileSync(join(call, "leader"), JSON.stringify(leader));
  return { keeper, journal };
}

describe("an audit", () => {
  test("[AU1] whoever has the number of a process that is gone is left alone", async () => {
    const { base, pool } = emptyHome();
    const stranger = await startStranger(["sleep", "1000"]);
    const [bootId = ""] = thisPlace().split("/");
    const written = { pid: stranger.pid, startTicks: "1", bootId };
    writeRecords(base, { process: written, leader: { ...written, bootId: "another" } });
    const audit = auditOf(base, pool);
    expect((await audit.look()).map(({ kind }) => kind)).toEqual(["workspace", "files"]);
    await audit.reap();
    expect(isRunning(stranger.pid)).toBe(true);
    expect(await audit.look()).toEqual([]);
  });

  test.skipIf(process.getuid?.() !== 0)(
    "[AU1] what one user has written down of the process of another proves nothing",
    async () => {
      const { base, pool } = emptyHome();
      const stranger = await startStranger(["sleep", "1000"]);
      const [bootId = ""] = thisPlace().split("/");
      const written = { pid: stranger.pid, startTicks: identify(stranger.pid)?.startTicks, bootId };
      const { keeper, journal } = writeRecords(base, { process: written, leader: written });
      execFileSync("chown", ["-R", "65534:65534", keeper, journal]);
      const reaped = await auditOf(base, pool).reap();
      expect(reaped.map(({ kind }) => kind)).toEqual(["workspace", "files"]);
      expect(isRunning(stranger.pid)).toBe(true);
    },
  );

  test.each(["../treasure", "k/../../treasure", "k/..", ""])(
    "[AU1] whoever carries the mark with the name %j, which no keeper has, leads to no folder",
    async (name) => {
      const { base, pool } = emptyHome();
      mkdirSync(join(base, "treasure"));
      const { pid } = await startStranger(["sleep", "1000"]);
      const value = `${pool.mark}/${name}`;
      const carrier = { pid, startTicks: "1", place: thisPlace(), parent: 1, session: 1, value };
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 2 * startMsMax });
      onTestFinished(() => void vi.useRealTimers());
      const nobody = { owns: () => false, keeps: () => false, end: async () => undefined };
      expect(await auditKeepers({ ...nobody, pool }, [carrier])).toEqual([]);
    },
  );

  test("[EN52] a link in the place of a note in a journal is not followed", async () => {
    const { base, pool } = emptyHome();
    const stranger = await startStranger(["sleep", "1000"]);
    const [bootId = ""] = thisPlace().split("/");
    const journal = join(base, "agents", "r_9", "journal");
    mkdirSync(journal, { recursive: true });
    const elsewhere = join(makeTempFolder(), "note");
    writeFileSync(
      elsewhere,
      JSON.stringify({ pid: stranger.pid, startTicks: identify(stranger.pid)?.startTicks, bootId }),
    );
    symlinkSync(elsewhere, join(journal, "holder.json"));
    expect((await auditOf(base, pool).look()).map(({ kind }) => kind)).not.toContain("namespace");
  });

  test("[AU1] namespaces are found by who holds them", async () => {
    const { base, pool } = emptyHome();
    const holder = await startStranger(["sleep", "1000"]);
    const [bootId = ""] = thisPlace().split("/");
    const journal = join(base, "agents", "r_9", "journal");
    mkdirSync(journal, { recursive: true });
    const written = { pid: holder.pid, startTicks: identify(holder.pid)?.startTicks, bootId };
    writeFileSync(join(journal, "holder.json"), JSON.stringify(written));
    const [found] = await auditOf(base, pool).reap();
    expect(found).toMatchObject({ kind: "namespace", done: "it was ended by force" });
    expect(isRunning(holder.pid)).toBe(false);
  });

  test("[AU1, AU5] a control group of a keeper that is gone goes, with whoever is in it", async ({ skip }) => {
    if ((await groupTier()) === "prlimit") skip("no control groups can be made here");
    const { base, pool } = emptyHome();
    const groups = await makeGroups(`${pool.groupPrefix}kgone`, null);
    const folders = groups.map((group) => group.slice(group.indexOf("=") + 1));
    onTestFinished(() => folders.forEach((folder) => spawnSync("rmdir", [folder])));
    const inside = await startStranger(["sleep", "1000"]);
    const outside = await startStranger(["sleep", "1000"]);
    const [first = ""] = folders;
    const entry = existsSync(join(first, "keeper")) ? join(first, "keeper") : first;
    writeFileSync(join(entry, "cgroup.procs"), String(inside.pid));
    const audit = auditOf(base, pool);
    const found = await audit.look();
    expect(found.map(({ kind }) => kind)).toEqual(["process", ...folders.map(() => "cgroup")]);
    expect((await audit.reap()).filter(({ failed }) => failed !== null)).toEqual([]);
    expect([isRunning(inside.pid), isRunning(outside.pid)]).toEqual([false, true]);
    expect(folders.filter((folder) => existsSync(folder))).toEqual([]);
    expect(await audit.look()).toEqual([]);
  });

  test("[AU1, AU5] a mount in a place that nobody has goes, one of somebody who is there stays", async ({ skip }) => {
    const { base, pool } = emptyHome();
    const points = ["r_9", "a_1"].map((agent) => join(base, "agents", agent, "with blank"));
    for (const point of points) mkdirSync(point, { recursive: true });
    const mounted = points.map((point) => spawnSync("mount", ["-t", "tmpfs", "tmpfs", point]).status === 0);
    onTestFinished(() => points.forEach((point) => spawnSync("umount", [point])));
    if (mounted.includes(false)) skip("nothing can be mounted here");
    const state = makeState();
    state.agents.set("a_1", { id: "a_1", state: "running", ports: new Map() } as unknown as Agent);
    const audit = auditOf(base, pool, state);
    const found = (await audit.look()).filter(({ kind }) => kind === "mount");
    expect(found).toMatchObject([{ what: points[0], would: "unmount it" }]);
    const reaped = await audit.reap();
    expect(reaped.map(({ kind, done }) => [kind, done])).toEqual([
      ["mount", "it was unmounted"],
      ["workspace", "it was removed"],
    ]);
    const mounts = readFileSync("/proc/self/mountinfo", "utf8");
    expect(mounts).not.toContain(join(base, "agents", "r_9"));
    expect(mounts).toContain(join(base, "agents", "a_1"));
  });

  test("[AU6] what may have work in it stays, and a person is told", async () => {
    const { base, pool } = emptyHome();
    mkdirSync(join(base, "agents", "r_9", "upper"), { recursive: true });
    for (const folder of ["calls/r_9", "calls/notes", "models/r_8"])
      mkdirSync(join(base, "node", folder), { recursive: true });
    const audit = auditOf(base, pool);
    const reaped = await audit.reap();
    expect(reaped.map(({ kind, done }) => [kind, done])).toEqual([
      ["workspace", null],
      ["files", "it was removed"],
      ["files", "it was removed"],
    ]);
    expect(reaped[0]).toMatchObject({ would: null, advice: expect.stringContaining("save what is wanted") as string });
    expect(existsSync(join(base, "agents", "r_9", "upper"))).toBe(true);
    expect(existsSync(join(base, "node", "calls", "notes"))).toBe(true);
  });

  test("[AU6] a port of a stopped agent that somebody else holds is for a person to decide", async () => {
    const { base, pool } = emptyHome();
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const state = makeState();
    const agent = { id: "a_1", name: "shop-1", state: "stopped", ports: new Map([["web.http", port]]) };
    state.agents.set("a_1", agent as unknown as Agent);
    const [found, ...more] = await auditOf(base, pool, state).look();
    expect(found).toMatchObject({ kind: "port", what: `port ${port}, web.http of shop-1`, would: null });
    expect(found?.advice).toContain("ss -ltnp");
    expect(more).toEqual([]);
  });

  test("[AU12] what a doctor that was killed was in the middle of is found, and not while it is at it", async () => {
    const { base, pool } = emptyHome();
    const [bin, home] = [makeTempFolder(), join(base, "home")];
    mkdirSync(join(home, "node"), { recursive: true });
    // The user that agents of root are walks through.
    for (const folder of [base, home, join(home, "node")]) chmodSync(folder, 0o711);
    // A git that never answers, and ends with whoever asked it.
    writeFileSync(join(bin, "git"), "#!/bin/sh\nexec tail -f /dev/null --pid=$PPID\n", { mode: 0o755 });
    const module = join(import.meta.dirname, "../../daemon/doctor.ts");
    const script = `import { examine } from ${JSON.stringify(module)}; await examine(${JSON.stringify(home)});`;
    const doctor = spawn(process.execPath, ["--input-type=module", "-e", script], {
      env: { ...process.env, PATH: `${bin}:${process.env["PATH"]}`, TMPDIR: bin },
      stdio: "ignore",
    });
    onTestFinished(() => void doctor.kill("SIGKILL"));
    const names = (): string[] => readdirSync(join(home, "node")).filter((name) => name.startsWith("probe-"));
    await vi.waitFor(() => expect(names()).toHaveLength(1), { timeout: 60_000, interval: 50 });
    // Another home's, which is nobody's affair here, and nothing that only has such a name.
    const audit = (): Audit => auditOf(join(home, "node"), pool);
    expect(await auditOf(base, pool).look()).toEqual([]);
    expect(await audit().look()).toEqual([]);
    doctor.kill("SIGKILL");
    await once(doctor, "close");
    const reaped = await audit().reap();
    expect(reaped).toMatchObject([{ kind: "temp", done: "it was removed" }]);
    expect([names(), readdirSync(bin)]).toEqual([[], ["git"]]);
  });

  test("[EN53] a workspace that was kept whole is named and left to a person", async () => {
    const { base, pool } = emptyHome();
    const path = join(base, "kept", "r_9.1");
    mkdirSync(join(path, "upper"), { recursive: true });
    const audit = auditOf(base, pool);
    const found = await audit.look();
    expect(found).toMatchObject([{ kind: "workspace", what: path, would: null }]);
    expect(found[0]?.why).toBe(
      "r_9 has ended, and its workspace could not be looked through: keepers were lost over it",
    );
    await audit.reap();
    expect(existsSync(path)).toBe(true);
    rmSync(path, { recursive: true });
    expect(await audit.look()).toEqual([]);
  });

  test("[AU3] what is on its way out is not told", async () => {
    const { base, pool } = emptyHome();
    const folder = join(base, "node", "calls", "r_9");
    mkdirSync(folder, { recursive: true });
    const options = { ground: base, node: join(base, "node"), pool, keepers: new PooledKeepers(pool) };
    const audit = new Audit({
      ...options,
      workspaces: {
        list: async () => [],
        remove: async () => undefined,
        isUntouched: async () => true,
        isOpen: () => false,
        kept: new KeptWorkspaces(join(base, "kept")),
        done: donePlacesOf(base),
      },
      images: { leftContainers: async () => [] },
      state: makeState,
      settled: async () => {
        rmSync(folder, { recursive: true });
        return new Set();
      },
      startedAtMs: Date.now(),
    });
    expect(await audit.look()).toEqual([]);
  });

  test("[AU3] whoever does not end is named, also where nothing else is found", async () => {
    const { base, pool } = emptyHome();
    const audit = auditOf(base, pool, makeState(), new Set(["r_9"]));
    expect((await audit.look()).map(({ kind, what }) => [kind, what])).toEqual([["ending", "r_9"]]);
  });

  test("[AU3] whoever does not end is named, what is theirs is left alone, and everybody else is looked at", async () => {
    const { base, pool } = emptyHome();
    for (const run of ["r_8", "r_9"]) mkdirSync(join(base, "node", "calls", run), { recursive: true });
    const audit = auditOf(base, pool, makeState(), new Set(["r_9"]));
    expect((await audit.reap()).map(({ kind, what, done }) => [kind, what, done])).toEqual([
      ["ending", "r_9", null],
      ["files", join(base, "node", "calls", "r_8"), "it was removed"],
    ]);
    expect(existsSync(join(base, "node", "calls", "r_9"))).toBe(true);
  });
});
