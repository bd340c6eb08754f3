// What every kind of workspace promises: the same view of a commit, the same changes found in it, byte for byte.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Project } from "../../src/core/project/project.ts";
import { blobOf } from "../../src/core/landing/entry.ts";
import { refreshWorkspace, type RefreshOrder } from "../../src/node/workspace/refresh-workspace.ts";
import type { Workspace } from "../../src/node/workspace/workspace.ts";
import type { CommandEnd } from "../../src/protocol/keeper/keeper-wire.ts";
import { Person } from "../support/git/person.ts";
import { noCages } from "../support/keeper-rig.ts";
import { noPodman, Podman } from "../support/podman.ts";
import { WorkspaceRig, type WorkspaceKind } from "../support/workspace-rig.ts";

const oddNames = ["two words", "-dash", "a\nline", "täst✓", 'quo"te', "back\\slash", "com,ma:colon"];
const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${"0".repeat(64)}\nsize 5\n`;
const binary = Buffer.from(Array.from({ length: 256 }, (_, at) => at));
const gitlink = "1".repeat(40);
const author = { name: "Eva", email: "eva@example.org", atMs: 0 };

function makePerson(root: string): Person {
  const person = Person.withRepository(root, {
    "a.txt": "a\n",
    "dir/b.txt": "b\n",
    "dir/deep/c.txt": "c\n",
    "crlf.txt": "one\r\ntwo\r\n",
    "tool.sh": "#!/bin/sh\necho tool\n",
    ".gitignore": "/scratch/\n*.log\n",
    ".gitattributes": "*.txt text=auto eol=crlf\n*.bin filter=lfs diff=lfs merge=lfs -text\n",
    "big.bin": pointer,
  });
  person.git("config", "core.autocrlf", "false");
  person.write({ "raw.dat": binary, ...Object.fromEntries(oddNames.map((name) => [`odd/${name}`, `${name}\n`])) });
  person.makeProgram("tool.sh");
  person.link("link", "dir/b.txt");
  person.link("dangling", "/nowhere/at/all");
  mkdirSync(join(root, "sub"));
  person.git("add", "--all");
  person.git("update-index", "--add", "--cacheinfo", `160000,${gitlink},sub`);
  person.git("commit", "--quiet", "-m", "everything");
  return person;
}

/** Programs that the suite needs of an image. */
const programs = "sh git ls cat readlink chmod ln rm mkdir mkfifo touch seq truncate sha1sum stat wc sleep env".split(
  " ",
);
const imageName = "localhost/workspaces:1";

export function describeWorkspaces(kind: WorkspaceKind, { inImage = false } = {}): void {
  const title = `a workspace made as ${kind}${inImage ? ", in an image" : ""}`;
  describe.skipIf(noCages || (inImage && noPodman))(title, () => {
    let podman: Podman | undefined;
    let rig: WorkspaceRig;
    let project: Project;
    let person: Person;
    let agents = 0;

    const adopt: WorkspaceRig["project"] = async (name, make) => {
      const made = await rig.project(name, make);
      return inImage ? { ...made, project: { ...made.project, image: { name: imageName } } } : made;
    };
    const fresh = (of = project): Promise<Workspace> => rig.workspaces.of(`r_${++agents}`, of);
    const dirty = async (workspace: Workspace): Promise<Record<string, string | null>> => {
      const mainline = await rig.mainlineOf(project);
      const found: Record<string, string | null> = {};
      for (const { path, work } of await workspace.sweep())
        found[path] = work === null ? null : `${work.slice(0, 7)}${await textOf(mainline.readBlob(blobOf(work)))}`;
      return found;
    };

    beforeAll(async () => {
      podman = inImage ? new Podman() : undefined;
      podman?.make(imageName, ["ENV OF=image", "ENV PATH=/usr/bin:/bin"], programs);
      rig = await WorkspaceRig.open(kind, podman?.env);
      ({ project, person } = await adopt("all", makePerson));
    });
    afterAll(async () => {
      await rig.end();
      podman?.end();
    });

    test("has the system that its project says", async () => {
      expect(await rig.said(await fresh(), "echo ${OF:-machine}")).toBe(inImage ? "image\n" : "machine\n");
    });

    test("is ready with the files of its commit, byte for byte, and nothing in it is a change", async () => {
      const workspace = await fresh();
      const mainline = await rig.mainlineOf(project);
      for (const [path, entry] of await mainline.listTree(workspace.commit)) {
        if (path === "sub") continue;
        expect((await workspace.read(path)).entry).toBe(entry);
      }
      expect(await rig.said(workspace, "git status --short; ls -A sub; readlink link dangling; ./tool.sh")).toBe(
        "dir/b.txt\n/nowhere/at/all\ntool\n",
      );
      expect(Buffer.from((await workspace.read("raw.dat")).bytes ?? [])).toEqual(binary);
      expect(Buffer.from((await workspace.read("big.bin")).bytes ?? []).toString()).toBe(pointer);
      expect(await dirty(workspace)).toEqual({});
    });

    test("[LD4] finds what was changed, by content: files, modes, links, odd names, whole folders", async () => {
      const workspace = await fresh();
      await rig.said(
        workspace,
        `printf 'x\\r\\n' > crlf.txt; chmod +x a.txt; chmod -x tool.sh; ln -sfn elsewhere link; rm dangling; rm -r dir
         echo file > dir; mkdir 'raw.dat.d'; printf '\\000\\377' > raw.dat; printf new > 'odd/-dash'; rm 'odd/two words'
         mkdir -p scratch/x; echo s > scratch/x/y; echo l > some.log; mkdir -p new/empty; echo n > 'new/näh
me'; touch big.bin; mkfifo pipe; mkdir nested; git init -q nested; echo in > nested/file`,
      );
      const raw = Buffer.from([0, 255]).toString();
      const expected = {
        ...{ "crlf.txt": "100644:x\r\n", "a.txt": "100755:a\n", "tool.sh": "100644:#!/bin/sh\necho tool\n" },
        ...{
          link: "120000:elsewhere",
          dangling: null,
          "dir/b.txt": null,
          "dir/deep/c.txt": null,
          dir: "100644:file\n",
        },
        ...{ "raw.dat": `100644:${raw}`, "odd/-dash": "100644:new", "odd/two words": null },
        ...{ "new/näh\nme": "100644:n\n", "nested/file": "100644:in\n" },
      };
      expect(await dirty(workspace)).toEqual(expected);
      await rig.said(
        workspace,
        `rm dir; git checkout -q . ; git clean -qfd; rm -rf nested pipe; test -z "$(git status --short)"`,
      );
      expect(await dirty(workspace)).toEqual({});
    });

    test("[LD17] what the project has got is no scratch, though it ignores it: it is neither gone nor new", async () => {
      const workspace = await fresh();
      person.write({ "kept.log": "kept\n" });
      person.git("add", "--force", "kept.log");
      person.git("commit", "--quiet", "-m", "a log");
      const mainline = await rig.mainlineOf(project);
      await mainline.swap(workspace.commit, (await mainline.fetchPersons()) ?? "");
      const order: RefreshOrder = { coverOf: () => "held", rule: { foldCase: false } };
      await workspace.alone(() => refreshWorkspace(workspace, mainline, order));
      expect(await rig.said(workspace, "cat kept.log; echo scratch > other.log")).toBe("kept\n");
      expect(await dirty(workspace)).toEqual({});
      await rig.said(workspace, "echo more >> kept.log");
      expect(await dirty(workspace)).toEqual({ "kept.log": "100644:kept\nmore\n" });
    });

    test("[LD8] is brought in step with a newer commit, what was changed in it left alone", async () => {
      const workspace = await fresh();
      await rig.said(workspace, "echo mine > a.txt; rm 'odd/täst✓'");
      const before = workspace.commit;
      person.commit({ "dir/b.txt": "newer\n", "dir/deep": null, "more/new.txt": "new\n", link: null });
      const mainline = await rig.mainlineOf(project);
      await mainline.swap(before, (await mainline.fetchPersons()) ?? "");
      const order: RefreshOrder = { coverOf: () => "held", rule: { foldCase: false } };
      const { moved } = await workspace.alone(() => refreshWorkspace(workspace, mainline, order));
      expect(moved).toEqual(["dir/b.txt", "dir/deep/c.txt", "link", "more/new.txt"]);
      expect(await rig.said(workspace, "cat dir/b.txt more/new.txt; ls dir; ls link 2>&1 || true")).toMatch(
        /^newer\nnew\nb.txt\nls: /,
      );
      expect(await dirty(workspace)).toEqual({ "a.txt": "100644:mine\n", "odd/täst✓": null });
      const next = await fresh();
      expect(await rig.said(next, "cat dir/b.txt; ls -A; ls dir")).toMatch(
        /^newer\n(?!.*^link$)[^]*^more$[^]*^b.txt$/m,
      );
      expect(await dirty(next)).toEqual({});
    });

    test("[LD12] is found again by the next daemon, and by another keeper, as it was", async () => {
      const workspace = await fresh();
      const agent = `r_${agents}`;
      await rig.said(workspace, "echo kept > a.txt; rm crlf.txt; mkdir scratch; echo s > scratch/s");
      await rig.reopen(kind === "overlay" ? "clone" : "overlay");
      const again = await rig.workspaces.of(agent, project);
      expect(await dirty(again)).toEqual({ "a.txt": "100644:kept\n", "crlf.txt": null });
      await rig.workspaces.end(agent, true);
      const third = await rig.workspaces.of(agent, project);
      expect(await rig.said(third, "cat scratch/s")).toBe("s\n");
      expect(await dirty(third)).toEqual({ "a.txt": "100644:kept\n", "crlf.txt": null });
      await rig.workspaces.remove(agent, project);
      await rig.reopen();
    });

    test("[LD57] files of any size come out of one and into others, and what is too large is nobody's change", async () => {
      const { project: large, person: owner } = await adopt("large", (root) =>
        Person.withRepository(root, { data: "d\n", grown: "g\n" }),
      );
      const mainline = await rig.mainlineOf(large);
      const [maker, other] = [await rig.workspaces.of("large_1", large), await rig.workspaces.of("large_2", large)];
      await rig.said(
        maker,
        "seq 400000 > numbers; truncate -s 70M data; chmod +x data; truncate -s 2T grown; echo s > small",
      );
      const sum = await rig.said(maker, "sha1sum numbers data");
      const works = await maker.sweep();
      expect(works.map(({ path }) => path)).toEqual(["data", "numbers", "small"]);
      expect(maker.oversized).toEqual([{ path: "grown", size: 2 * 1024 ** 4 }]);
      // What is safe already is not copied again.
      const seen = await maker.sweep();
      expect(seen).toEqual(works);
      const changes = new Map(works.map(({ path, work }) => [path, work]));
      const landed = await mainline.commit({ parents: [maker.commit], changes, message: "large", author });
      await mainline.swap(maker.commit, landed);
      const order: RefreshOrder = { coverOf: () => "held", rule: { foldCase: false } };
      const { moved } = await other.alone(() => refreshWorkspace(other, mainline, order));
      expect(moved).toEqual(["data", "numbers", "small"]);
      expect(await rig.said(other, "sha1sum numbers data; test -x data; cat grown")).toBe(`${sum}g\n`);
      expect(await other.sweep()).toEqual([]);
      // A newer one of what is too large takes its place; until then it stays.
      await maker.noteLanded(changes);
      await maker.alone(() => refreshWorkspace(maker, mainline, order));
      expect(await rig.said(maker, "stat -c %s grown")).toBe(`${2 * 1024 ** 4}\n`);
      expect(await maker.sweep()).toEqual([]);
      expect(await mainline.publish()).toMatchObject({ published: true });
      expect(owner.git("status", "--short")).toBe("");
      owner.commit({ grown: "newer\n" });
      await mainline.swap(landed, (await mainline.fetchPersons()) ?? "");
      await maker.alone(() => refreshWorkspace(maker, mainline, order));
      expect(await rig.said(maker, "cat grown")).toBe("newer\n");
      expect(await maker.sweep()).toEqual([]);
      // And a step of another one may begin with them (LD36).
      const fork = await rig.workspaces.of("large_3", large, {
        commit: await mainline.head(),
        works: [{ path: "copy", base: null, work: changes.get("numbers") ?? null }],
      });
      expect((await rig.said(fork, "sha1sum < copy")).slice(0, 40)).toBe(sum.slice(0, 40));
      for (const agent of ["large_1", "large_2", "large_3"]) await rig.workspaces.remove(agent, large);
    });

    test("[LD57] more changes than fit into a line are brought in step at once", async () => {
      const { project: many, person: owner } = await adopt("many", (root) => Person.withRepository(root, { a: "a\n" }));
      const workspace = await rig.workspaces.of("many_1", many);
      const files = Array.from({ length: 9 }, (_, at) => [`file-${at}`, `${at}`.repeat(1_000_000)] as const);
      owner.commit(Object.fromEntries(files));
      const mainline = await rig.mainlineOf(many);
      await mainline.swap(workspace.commit, (await mainline.fetchPersons()) ?? "");
      const order: RefreshOrder = { coverOf: () => "held", rule: { foldCase: false } };
      const { moved } = await workspace.alone(() => refreshWorkspace(workspace, mainline, order));
      expect(moved).toEqual(files.map(([name]) => name));
      expect(await workspace.sweep()).toEqual([]);
      expect(await rig.said(workspace, "cat file-* | wc -c")).toBe("9000000\n");
      await rig.workspaces.remove("many_1", many);
    });

    test("what one changes the others do not see, and not the layers", async () => {
      const [one, other] = [await fresh(), await fresh()];
      await rig.said(one, "echo one >> a.txt; rm -rf odd");
      expect(await rig.said(other, "cat a.txt; ls odd | wc -l")).toMatch(/^a\n\d+\n$/);
      expect(await dirty(other)).toEqual({});
    });

    test("of a project without commits is empty, and takes what is written", async () => {
      const { project: empty } = await adopt("empty", (root) => {
        const person = new Person(root);
        person.git("init", "--quiet", "--initial-branch=main");
        return person;
      });
      const workspace = await fresh(empty);
      expect(await rig.said(workspace, "ls -A; echo x > x")).toBe(".git\n");
      expect(await workspace.sweep()).toMatchObject([{ path: "x", base: null }]);
    });

    test("[LD45] begins with the dependencies that one with the same lock file has left, and they are scratch", async () => {
      const files = { "web/package-lock.json": "1\n", "package-lock.json": "1\n", ".gitignore": "node_modules/\n" };
      const { project: app, person: owner } = await adopt("app", (root) => Person.withRepository(root, files));
      const mainline = await rig.mainlineOf(app);
      const first = await rig.workspaces.of("warm_1", app, { warm: true });
      await rig.said(first, "for at in . web; do mkdir -p $at/node_modules/x; echo $at > $at/node_modules/x/i; done");
      await rig.workspaces.end("warm_1", true);
      await rig.workspaces.keepWarm("warm_1", app);
      await rig.workspaces.remove("warm_1", app);
      const second = await rig.workspaces.of("warm_2", app, { warm: true });
      const look = "cat node_modules/x/i web/node_modules/x/i; git status --short";
      expect(await rig.said(second, look)).toBe(".\nweb\n");
      await rig.said(second, "echo changed > node_modules/x/i; rm -r web/node_modules; echo new > node_modules/new");
      expect(await second.sweep()).toEqual([]);
      // It lies on a part that others stand on, and is not whole by itself.
      await rig.workspaces.keepWarm("warm_2", app);
      const third = await rig.workspaces.of("warm_3", app, { warm: true });
      expect(await rig.said(third, look)).toBe(".\nweb\n");
      expect(await rig.said(await rig.workspaces.of("cold", app), "ls -d */node_modules node_modules; true")).toMatch(
        /^ls: cannot/,
      );
      owner.commit({ "package-lock.json": "2\n" });
      await mainline.swap(await mainline.head(), (await mainline.fetchPersons()) ?? "");
      const fourth = await rig.workspaces.of("warm_4", app, { warm: true });
      expect(await rig.said(fourth, "ls -d node_modules web/node_modules; true")).toMatch(/web\/node_modules\n$/);
      await rig.workspaces.end("warm_4", true);
      await rig.reopen();
      const again = await rig.workspaces.of("warm_4", app, { warm: true });
      expect(await rig.said(again, "cat web/node_modules/x/i")).toBe("web\n");
      await rig.workspaces.pruneWarm();
      expect(await rig.said(again, "cat web/node_modules/x/i")).toBe("web\n");
      for (const agent of ["warm_2", "warm_3", "warm_4", "cold"]) await rig.workspaces.remove(agent, app);
      await rig.workspaces.pruneWarm();
      const fifth = await rig.workspaces.of("warm_5", app, { warm: true });
      expect(await rig.said(fifth, "ls -A")).not.toContain("node_modules");
    });

    test("leaves nothing behind when it is removed, and ends what ran in it", async () => {
      const workspace = await fresh();
      const agent = `r_${agents}`;
      await rig.said(workspace, "mkdir -p locked/in; echo x > locked/in/x; chmod 0 locked/in locked");
      const long = { op: "start", call: "long", argv: ["sleep", "1000"], cwd: null, env: {}, timeoutMs: null } as const;
      await workspace.keeper.request(long);
      const ended = workspace.keeper.request({ op: "wait", call: "long" }).then(
        (end) => (end as CommandEnd).why,
        () => "gone",
      );
      await rig.workspaces.remove(agent, project);
      expect(["stopped", "gone"]).toContain(await ended);
      expect(rig.left(agent)).toBe(false);
      expect(rig.pool.find().filter((found) => found.agent === agent)).toEqual([]);
    });
  });
}

async function textOf(bytes: Promise<Uint8Array>): Promise<string> {
  return Buffer.from(await bytes).toString();
}
