import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { expectFault } from "../../test/support/expect-fault.ts";
import { KeeperRig, noCages, type RigOptions, type Who, whos, writeFiles } from "../../test/support/keeper-rig.ts";
import { makeTempFolder } from "../../test/support/temp-folder.ts";
import type { PlaceChange } from "../protocol/keeper/keeper-wire.ts";

type Files = Readonly<Record<string, string>>;

const first: Files = { "a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n" };

/** Mainline, and the workspace of an agent that others' landings move. */
class Moved {
  readonly rig: KeeperRig;
  readonly #folder: string;
  #files = first;
  #moves = 0;
  /** Where the workspace stands. */
  commit: string;

  private constructor(rig: KeeperRig, folder: string, commit: string) {
    this.rig = rig;
    this.#folder = folder;
    this.commit = commit;
  }

  static async open(who: Who, order: RigOptions["order"] = {}, clone = false): Promise<Moved> {
    const folder = makeTempFolder();
    chmodSync(folder, 0o755);
    gitIn(folder, "init", "--quiet", "--initial-branch=main");
    const commit = commitIn(folder, first);
    const git = { objects: join(folder, ".git/objects"), commit, branch: "main" };
    const rig = await KeeperRig.open(who, { files: first, order: { git, ...order }, clone });
    return new Moved(rig, folder, commit);
  }

  /** Others land, and the workspace moves on; what its agent has changed stays. */
  async move(files: Files, more: { readonly anew?: boolean; readonly files?: readonly string[] } = {}): Promise<void> {
    this.commit = commitIn(this.#folder, files);
    const names = more.files ?? Object.keys(files);
    this.#files = { ...this.#files, ...files };
    await this.place(names, more.anew);
  }

  async place(names: readonly string[], anew = false): Promise<void> {
    const changes = names.map((path): PlaceChange => {
      const text = this.#files[path] ?? "";
      const blob = gitIn(this.#folder, "rev-parse", `HEAD:${path}`);
      return { path, to: `100644:${blob}`, bytes: { base64: Buffer.from(text).toString("base64") } };
    });
    const stands = { commit: this.commit, ...(anew ? { anew } : {}) };
    await this.rig.client.request({ op: "place", tag: `move-${++this.#moves}`, changes, stands });
  }

  /** Where HEAD and the base are, and on which branch. */
  async stands(): Promise<string> {
    return this.rig.said("git rev-parse HEAD signalbox/base; git symbolic-ref --short HEAD");
  }

  said(script: string): Promise<string> {
    return this.rig.said(script);
  }

  /** Another keeper around the same workspace. */
  async again(between: () => void = () => undefined): Promise<void> {
    await this.rig.killKeeper();
    between();
    await this.rig.replace();
    await this.rig.client.open(this.rig.order);
  }
}

function gitIn(folder: string, ...args: readonly string[]): string {
  const by = ["-c", "user.name=Ann", "-c", "user.email=ann@example.org"];
  return execFileSync("git", ["-C", folder, ...by, ...args], { encoding: "utf8" }).trim();
}

function commitIn(folder: string, files: Files): string {
  writeFiles(folder, files);
  gitIn(folder, "add", "-A");
  gitIn(folder, "commit", "--quiet", "--allow-empty", "--message=landed");
  execFileSync("chmod", ["-R", "a+rX", folder]);
  return gitIn(folder, "rev-parse", "HEAD");
}

describe.skipIf(noCages).each(whos)("the agent's own repository, with a keeper run by a %s", (who) => {
  test("[LD63] it follows the workspace: what is changed is the agent's own, what is staged stays so, and nothing old comes back", async () => {
    const moved = await Moved.open(who);
    expect(await moved.stands()).toBe(`${moved.commit}\n${moved.commit}\nmain`);
    await moved.said("echo mine > b.txt; echo staged > d.txt; git add d.txt");
    await moved.move({ "a.txt": "landed\n", "e.txt": "landed\n" });
    expect(await moved.stands()).toBe(`${moved.commit}\n${moved.commit}\nmain`);
    expect(await moved.said("git status --porcelain; git diff signalbox/base --name-only")).toBe(
      " M b.txt\nA  d.txt\nb.txt\nd.txt",
    );
    expect(await moved.said("git log --format=%s | wc -l; git checkout -q a.txt; git stash -qu; cat a.txt e.txt")).toBe(
      "2\nlanded\nlanded",
    );
    expect(await moved.said("git stash pop -q; cat b.txt d.txt; git reflog -1 --format=%gs main")).toBe(
      `mine\nstaged\nsignalbox: the workspace stands at ${moved.commit}`,
    );
  });

  test("[LD63] it follows also where no file changes, and is there before a terminal is", async () => {
    const moved = await Moved.open(who);
    await moved.said("true");
    await moved.move({}, { files: [] });
    const argv = ["/bin/sh", "-c", "git rev-parse HEAD > /tmp/seen"];
    const folder = moved.rig.path("recording");
    mkdirSync(folder, { mode: 0o777 });
    chmodSync(folder, 0o777);
    const size = { cols: 80, rows: 24, folder };
    await moved.rig.client.request({ op: "terminal-open", terminal: "t_1", argv, cwd: null, env: {}, ...size });
    await moved.rig.client.request({ op: "terminal-wait", terminal: "t_1" });
    expect(await moved.said("cat /tmp/seen")).toBe(moved.commit);
  });

  test("[LD63] who is at work in there sees it without starting anything", async () => {
    const moved = await Moved.open(who);
    const waits = `until [ "$(git log --format=%s | wc -l)" = 2 ]; do sleep 0.01; done; git status --porcelain`;
    const call = await moved.rig.begin(`echo up; ${waits}`);
    await moved.rig.heard(call, "up");
    await moved.move({ "a.txt": "landed\n" });
    expect(await moved.rig.client.wait(call)).toMatchObject({ exit: 0, tail: "up\n" });
  });

  test("[LD63] commits of the agent's own stay, and only the base moves", async () => {
    const moved = await Moved.open(who);
    const own = await moved.said("echo mine > b.txt; git commit -qam mine; git rev-parse HEAD");
    await moved.move({ "a.txt": "landed\n" });
    expect(await moved.stands()).toBe(`${own}\n${moved.commit}\nmain`);
    expect(await moved.said("git diff signalbox/base --name-only")).toBe("b.txt");
    await moved.move({ "a.txt": "again\n" });
    expect(await moved.stands()).toBe(`${own}\n${moved.commit}\nmain`);
  });

  const left: readonly (readonly [string, string])[] = [
    ["another branch", "git checkout -qb feature"],
    ["a merge", "git rev-parse HEAD > .git/MERGE_HEAD"],
    ["no branch", "git checkout -q --detach"],
    ["an index that cannot follow", "echo mine > a.txt; git add a.txt"],
  ];
  test.each(left)("[LD63] %s is left alone, and only the base moves", async (_, script) => {
    const moved = await Moved.open(who);
    const before = moved.commit;
    const on = await moved.said(`${script}; git symbolic-ref -q --short HEAD`);
    await moved.move({ "a.txt": "landed\n" });
    const look = "git rev-parse HEAD main signalbox/base; git symbolic-ref -q --short HEAD; git ls-files -s a.txt";
    const [head, main, base, branch] = (await moved.said(look)).split("\n");
    expect([head, main, base]).toEqual([before, before, moved.commit]);
    expect(on === "" || on === branch).toBe(true);
  });

  test("[LD63] given to somebody new it stands where its files do, and what was committed before is still found", async () => {
    const moved = await Moved.open(who);
    const own = await moved.said(
      "git checkout -qb theirs; echo mine > b.txt; git commit -qam mine; echo x > x; git add x; git rev-parse HEAD HEAD > .git/MERGE_HEAD; touch .git/index.lock; git rev-parse HEAD",
    );
    await moved.said("rm x; git show main:b.txt > b.txt");
    await moved.move({ "a.txt": "landed\n" }, { anew: true });
    expect(await moved.stands()).toBe(`${moved.commit}\n${moved.commit}\nmain`);
    expect(
      await moved.said("git status --porcelain=v2 --branch | grep -v ^#; git rev-parse signalbox/left theirs"),
    ).toBe(`${own}\n${own}`);
    // Also where mainline has not moved.
    const again = await moved.said(
      "echo mine > b.txt; git commit -qam again; git rev-parse HEAD; git show HEAD~1:b.txt > b.txt",
    );
    await moved.place([], true);
    expect(await moved.stands()).toBe(`${moved.commit}\n${moved.commit}\nmain`);
    expect(await moved.said("git status --porcelain; git rev-parse signalbox/left main@{1}")).toBe(
      `${again}\n${again}`,
    );
    // And where the one before has taken it away.
    await moved.said("rm -rf .git");
    await moved.move({ "a.txt": "again\n" }, { anew: true });
    expect(await moved.stands()).toBe(`${moved.commit}\n${moved.commit}\nmain`);
    expect(await moved.said("git status --porcelain")).toBe("");
  });

  test("[LD63] what a keeper did not come to, the next one does", async () => {
    const moved = await Moved.open(who);
    await moved.said("true");
    await moved.move({ "a.txt": "landed\n" });
    await moved.again();
    expect(await moved.stands()).toBe(`${moved.commit}\n${moved.commit}\nmain`);
    expect(await moved.said("git status --porcelain")).toBe("");
    // Who knows it already asks nobody.
    await moved.again();
    await moved.rig.client.request({ op: "place", tag: "stands", changes: [], stands: { commit: moved.commit } });
    await moved.said("git update-ref -d refs/signalbox/base");
    expect(await moved.said("git rev-parse -q --verify signalbox/base || echo none")).toBe("none");
  });

  test("[LD63] one that was made by an earlier release gets its base, and follows from then on", async () => {
    const moved = await Moved.open(who);
    await moved.said("git update-ref -d refs/signalbox/base");
    const journal = moved.rig.path("journal");
    await moved.again(() => rmSync(join(journal, "git-base.json"), { force: true }));
    expect(await moved.stands()).toBe(`${moved.commit}\n${moved.commit}\nmain`);
    await moved.said("git update-ref -d refs/signalbox/base");
    await moved.again(() => rmSync(join(journal, "git-base.json"), { force: true }));
    await moved.move({ "a.txt": "landed\n" });
    expect(await moved.stands()).toBe(`${moved.commit}\n${moved.commit}\nmain`);
  });

  const broken: readonly (readonly [string, string])[] = [
    ["it was removed", "rm -rf .git"],
    ["it is a file", "rm -rf .git; echo none > .git"],
    ["it is a link", "mv .git /tmp/elsewhere; ln -s /tmp/elsewhere .git"],
    ["it is no repository", "rm -rf .git/*"],
    ["its index is none", "echo none > .git/index"],
    ["its index is locked", "touch .git/index.lock"],
  ];
  test.each(broken)("[EN57] where %s, commands start all the same", async (_, script) => {
    const moved = await Moved.open(who);
    const before = moved.commit;
    await moved.said(script);
    await moved.move({ "a.txt": "landed\n" });
    expect(await moved.said("cat a.txt")).toBe("landed");
    expect(await moved.said("git --git-dir=/tmp/elsewhere rev-parse main 2> /dev/null || echo none")).toMatch(
      new RegExp(`${before}|none`),
    );
    await moved.move({ "a.txt": "again\n" }, { anew: true });
    expect(await moved.said("cat a.txt")).toBe("again");
  });

  test("[EN57] an index that was locked for a moment is taken along with the next move", async () => {
    const moved = await Moved.open(who);
    await moved.said("touch .git/index.lock");
    await moved.move({ "a.txt": "landed\n" });
    await moved.said("rm .git/index.lock");
    await moved.move({ "b.txt": "landed\n" });
    expect(await moved.stands()).toBe(`${moved.commit}\n${moved.commit}\nmain`);
    expect(await moved.said("git status --porcelain")).toBe("");
  });

  test("[EN57] nothing that the agent has told its git to start is started by it", async () => {
    const moved = await Moved.open(who);
    const hook = (name: string): string => `printf '#!/bin/sh\\ntouch /tmp/fired' > ${name}; chmod +x ${name}`;
    await moved.said(`${hook(".git/hooks/reference-transaction")}; ${hook(".git/hooks/post-index-change")}`);
    await moved.said(`${hook("/tmp/monitor")}; git config core.fsmonitor /tmp/monitor`);
    await moved.said("git config --global core.fsmonitor /tmp/monitor; git config alias.read-tree '!touch /tmp/fired'");
    await moved.said("git status > /dev/null; rm -f /tmp/fired");
    await moved.move({ "a.txt": "landed\n" });
    expect(await moved.said("ls /tmp/fired 2> /dev/null")).toBe("");
    expect(await moved.said("cat .git/refs/heads/main")).toBe(moved.commit);
  });

  const fires = `printf '#!/bin/sh\\ntouch /tmp/fired\\nsetsid sleep 1000 > /dev/null 2>&1 &\\n' > /tmp/prog; chmod +x /tmp/prog`;

  const remotes: readonly (readonly [string, string])[] = [
    ["a helper", "git config remote.x.url ext::/tmp/prog; git config protocol.ext.allow always"],
    ["ssh", "git config remote.x.url ssh://nowhere/x; git config core.sshCommand /tmp/prog"],
    ["an upload-pack", "git config remote.x.url /tmp; git config remote.x.uploadpack /tmp/prog"],
  ];
  test.each(remotes)("[EN57] what is not there is fetched from nowhere: by %s", async (_, script) => {
    const moved = await Moved.open(who);
    await moved.said(`${fires}; git config core.repositoryformatversion 1; git config extensions.partialClone x`);
    const unknown = `git hash-object -t commit -w --stdin --literally < /tmp/commit`;
    await moved.said(
      `git cat-file commit HEAD | sed 's/^tree.*/tree ${"1".repeat(40)}/' > /tmp/commit; git update-ref refs/signalbox/base "$(${unknown})"; git update-ref refs/heads/main signalbox/base`,
    );
    await moved.said(`git config remote.x.promisor true; ${script}; rm -f /tmp/fired`);
    await moved.move({ "a.txt": "landed\n" });
    expect(await moved.said("ls /tmp/fired 2> /dev/null")).toBe("");
    expect(await moved.said("git rev-parse signalbox/base")).toBe(moved.commit);
  });

  test("[EN57] one that is made again has its index made without what its agent's home says", async () => {
    const moved = await Moved.open(who);
    await moved.said(`${fires}; mkdir /tmp/hooks; cp /tmp/prog /tmp/hooks/post-index-change`);
    await moved.said("git config --global core.hooksPath /tmp/hooks; rm -rf .git");
    await moved.move({ "a.txt": "landed\n" }, { anew: true });
    expect(await moved.said("ls /tmp/fired 2> /dev/null; cat .git/refs/heads/main")).toBe(moved.commit);
  });

  test.skipIf(who !== whos[0])("[EN57] what hangs in there holds up one command, and no other", async () => {
    const moved = await Moved.open(who);
    await moved.said("rm .git/HEAD; mkfifo .git/HEAD");
    await moved.move({ "a.txt": "landed\n" });
    expect(await moved.said("cat a.txt")).toBe("landed");
    await moved.move({ "a.txt": "again\n" });
    const startMs = performance.now();
    expect(await moved.said("cat a.txt")).toBe("again");
    expect(performance.now() - startMs).toBeLessThan(8000);
    // It is not for ever.
    await moved.said("rm .git/HEAD; echo 'ref: refs/heads/main' > .git/HEAD");
    await moved.move({ "a.txt": "anew\n" });
    await moved.said(`until [ "$(git rev-parse signalbox/base)" = ${moved.commit} ]; do sleep 0.01; done`);
    expect(await moved.stands()).toBe(`${moved.commit}\n${moved.commit}\nmain`);
  });

  test("[EN57] only a commit gets into its words, and who has only files waits for no cage", async () => {
    const moved = await Moved.open(who, { filesFirst: true });
    const place = { op: "place", tag: "t", changes: [] } as const;
    for (const commit of ["HEAD", "--help", `${moved.commit}\n`, moved.commit.toUpperCase()])
      await expectFault(moved.rig.client.request({ ...place, stands: { commit } }), "bad-request");
    const rig = await KeeperRig.start(who);
    const git = { objects: rig.path("gone"), commit: "0".repeat(40), branch: "main" };
    await rig.client.open({ ...rig.order, git, filesFirst: true });
    await rig.client.request({ ...place, stands: { commit: "1".repeat(40) } });
    expect(readdirSync(rig.path("upper"))).toEqual([]);
    expect(JSON.parse(readFileSync(rig.path("journal", "git-base.json"), "utf8"))).toMatchObject({ isKnown: false });
  });

  test("[EN45, LD63] with files first it stands where the workspace does when something is started", async () => {
    const moved = await Moved.open(who, { filesFirst: true });
    await moved.move({ "a.txt": "landed\n" });
    expect(await moved.stands()).toBe(`${moved.commit}\n${moved.commit}\nmain`);
    expect(await moved.said("git status --porcelain")).toBe("");
  });

  test("[LD63] it follows without a cage, too", async () => {
    const moved = await Moved.open(who, { caged: false }, true);
    await moved.said("echo mine > b.txt");
    await moved.move({ "a.txt": "landed\n" });
    expect(await moved.said("git status --porcelain; git rev-parse HEAD")).toBe(` M b.txt\n${moved.commit}`);
  });
});
