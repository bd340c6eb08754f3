// Every way that we know to make git run something, planted in the person's repository and in what is committed there. None
// may fire through anything that we do; with plain git they do fire, so the traps are real.

import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { MainlineRig } from "../../../test/support/git/mainline-rig.ts";
import { Person } from "../../../test/support/git/person.ts";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";

const hooks = [
  "applypatch-msg",
  "pre-applypatch",
  "post-applypatch",
  "pre-commit",
  "pre-merge-commit",
  "prepare-commit-msg",
  "commit-msg",
  "post-commit",
  "pre-rebase",
  "post-checkout",
  "post-merge",
  "pre-push",
  "pre-receive",
  "update",
  "proc-receive",
  "post-receive",
  "post-update",
  "reference-transaction",
  "push-to-checkout",
  "pre-auto-gc",
  "post-rewrite",
  "sendemail-validate",
  "fsmonitor-watchman",
  "post-index-change",
];

class Traps {
  readonly #fired: string;
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    this.#fired = path.join(folder, "fired");
    mkdirSync(this.#fired, { recursive: true });
  }

  /** A program that leaves its name behind, and passes its input on where a filter has to. */
  command(name: string): string {
    const file = path.join(this.#folder, `trap-${name.replaceAll(/[^\w-]/g, "_")}`);
    const rest = /clean|smudge/.test(name) ? "exec cat" : "exit 1";
    writeFileSync(file, `#!/bin/sh\n: > '${this.#fired}/${path.basename(file)}'\n${rest}\n`);
    chmodSync(file, 0o755);
    return file;
  }

  /** A home whose configuration runs something with every command, and with every new repository. */
  home(): string {
    const home = path.join(this.#folder, "home");
    mkdirSync(path.join(home, ".config/git"), { recursive: true });
    const config = `[core]\n\tfsmonitor = ${this.command("home")}\n[init]\n\ttemplateDir = ${this.#folder}\n`;
    for (const file of [".gitconfig", ".config/git/config"]) writeFileSync(path.join(home, file), config);
    return home;
  }

  fired(): string[] {
    return readdirSync(this.#fired).toSorted();
  }

  plantIn(person: Person): void {
    const set = (key: string, value = this.command(key)): void => void person.git("config", key, value);
    const hookFolder = path.join(person.root, "tracked-hooks");
    mkdirSync(hookFolder, { recursive: true });
    for (const folder of [hookFolder, path.join(person.root, ".git/hooks")]) {
      mkdirSync(folder, { recursive: true });
      for (const hook of hooks) {
        const trap = this.command(`hook-${hook}`);
        writeFileSync(path.join(folder, hook), `#!/bin/sh\nexec ${trap} </dev/null\n`);
        chmodSync(path.join(folder, hook), 0o755);
      }
    }
    set("core.hooksPath", "tracked-hooks");
    const programs = [
      "core.fsmonitor",
      "core.pager",
      "core.editor",
      "core.askPass",
      "core.sshCommand",
      "core.gitProxy",
      "core.alternateRefsCommand",
    ];
    for (const key of programs) set(key);
    for (const key of [
      "sequence.editor",
      "diff.external",
      "gpg.program",
      "gpg.ssh.program",
      "gpg.x509.program",
      "credential.helper",
      "interactive.diffFilter",
    ])
      set(key);
    for (const key of [
      "filter.trap.clean",
      "filter.trap.smudge",
      "filter.proc.process",
      "diff.trap.textconv",
      "diff.trap.command",
      "merge.trap.driver",
    ])
      set(key);
    set("filter.trap.required", "true");
    set("uploadpack.packObjectsHook");
    set("uploadarchive.trap");
    set("pager.status");
    set("pager.log");
    set("commit.gpgSign", "true");
    set("tag.gpgSign", "true");
    set("log.showSignature", "true");
    for (const name of ["fetch", "update-ref", "rev-parse", "cat-file", "status", "config"])
      set(`alias.${name}`, `!${this.command(`alias-${name}`)}`);
    set("remote.origin.url", `ext::${this.command("ext")}`);
    set("remote.origin.uploadpack");
    set("remote.origin.receivepack");
    set("remote.origin.vcs", "trap");
    set(`url.ext::${this.command("instead")}.insteadOf`, "/");
    set("submodule.sub.update", `!${this.command("submodule-update")}`);
    set("submodule.sub.url", `ext::${this.command("submodule-url")}`);
    set("submodule.recurse", "true");
    set("fetch.recurseSubmodules", "true");
    set("protocol.ext.allow", "always");
    set("protocol.allow", "always");
    set("gc.auto", "1");
    set("gc.recentObjectsHook");
    set("maintenance.auto", "true");
    set("extensions.worktreeConfig", "true");
    writeFileSync(
      path.join(person.root, ".git/config.worktree"),
      `[core]\n\tfsmonitor = ${this.command("worktree-config")}\n`,
    );
    set("trailer.sign.cmd");
    set("mergetool.trap.cmd");
    set("browser.trap.cmd");
    set("core.attributesFile", path.join(this.#folder, "attributes"));
    writeFileSync(path.join(this.#folder, "attributes"), "* diff=trap merge=trap\n");
    writeFileSync(
      path.join(this.#folder, "included"),
      `[core]\n\tfsmonitor = ${this.command("included")}\n\thooksPath = tracked-hooks\n`,
    );
    set("include.path", path.join(this.#folder, "included"));
    set(`includeIf.gitdir:${person.root}/.path`, path.join(this.#folder, "included"));
  }
}

const committed = {
  "a.trap": "1\n",
  "b.proc": "1\n",
  "plain.txt": "1\n",
  ".gitmodules": '[submodule "sub"]\n\tpath = sub\n\turl = ext::sh -c false\n\tupdate = !false\n',
};

async function begin(): Promise<{ traps: Traps; folder: string; person: Person }> {
  const folder = makeTempFolder();
  const person = Person.withRepository(path.join(folder, "project"), committed);
  const sub = Person.withRepository(path.join(person.root, "sub"), { inside: "1" });
  const traps = new Traps(folder);
  sub.git("config", "core.fsmonitor", traps.command("submodule-fsmonitor"));
  person.commit({ ".gitattributes": "*.trap filter=trap diff=trap merge=trap\n*.proc filter=proc\n" });
  traps.plantIn(person);
  return { traps, folder, person };
}

function included(trap: string): string {
  writeFileSync(`${trap}.config`, `[core]\n\tfsmonitor = ${trap}\n`);
  return `${trap}.config`;
}

/** Ways to walk into a trap on purpose: what is configured, and what plain git is then asked for. */
const ways: readonly {
  readonly key: string;
  readonly value?: (trap: string) => string;
  readonly git: readonly string[];
}[] = [
  { key: "core.fsmonitor", git: ["status"] },
  { key: "include.path", value: included, git: ["status"] },
  { key: "includeIf.onbranch:main.path", value: included, git: ["status"] },
  { key: "core.editor", git: ["commit", "--allow-empty"] },
  { key: "sequence.editor", git: ["rebase", "--interactive", "--root"] },
  { key: "core.sshCommand", git: ["fetch", "ssh://localhost/x"] },
  { key: "core.gitProxy", git: ["fetch", "git://localhost/x"] },
  { key: "diff.external", git: ["diff", "HEAD~1"] },
  { key: "diff.trap.textconv", git: ["diff", "HEAD~1"] },
  { key: "diff.trap.command", git: ["diff", "HEAD~1"] },
  { key: "filter.trap.clean", git: ["add", "--renormalize", "a.trap"] },
  { key: "filter.trap.smudge", git: ["archive", "HEAD"] },
  { key: "filter.trap.process", git: ["add", "--renormalize", "a.trap"] },
  { key: "merge.trap.driver", git: ["merge", "other"] },
  { key: "gpg.program", git: ["commit", "--allow-empty", "-S", "-m", "x"] },
  { key: "alias.trap", value: (trap) => `!${trap}`, git: ["trap"] },
  { key: "remote.origin.url", value: (trap) => `ext::${trap}`, git: ["-c", "protocol.ext.allow=always", "fetch"] },
  { key: "remote.origin.uploadpack", git: ["-c", "remote.origin.url=.", "fetch"] },
  { key: "trailer.sign.cmd", git: ["interpret-trailers", "--trailer", "sign=x"] },
];

describe("nothing is executed", () => {
  test.each(ways)("the trap $key is real: plain git walks into it", async ({ key, value = (trap) => trap, git }) => {
    const folder = makeTempFolder();
    const attributes = { ".gitattributes": "*.trap filter=trap diff=trap merge=trap\n" };
    const person = Person.withRepository(path.join(folder, "project"), { "a.trap": "1\n", ...attributes });
    person.git("branch", "other");
    person.commit({ "a.trap": "2\n" });
    person.git("checkout", "--quiet", "other");
    person.commit({ "a.trap": "3\n" });
    person.git("checkout", "--quiet", "main");
    const traps = new Traps(folder);
    person.git("config", key, value(traps.command(key)));
    await person.gitLater(...git);
    expect(traps.fired()).toHaveLength(1);
  });

  test("the traps are real: plain git walks into them", async () => {
    const { traps, person } = await begin();
    person.write({ "a.trap": "2\n", "plain.txt": "2\n" });
    for (const args of [
      ["status"],
      ["add", "a.trap"],
      ["diff", "HEAD"],
      ["commit", "-m", "x"],
      ["checkout", "-b", "y"],
      ["fetch"],
    ])
      await person.gitLater(...args);
    const wanted = ["worktree-config", "filter_trap_clean", "hook-reference-transaction", "ext"];
    expect(traps.fired()).toEqual(expect.arrayContaining(wanted.map((name) => `trap-${name}`)));
  });

  test("by looking, landing, laying out or publishing into a checkout", async () => {
    const { traps, folder, person } = await begin();
    const rig = await MainlineRig.of(folder, person);
    await rig.mainline.fetchPersons();
    // Stat data that looks stale makes git read files, which is when filters run.
    person.write({ "plain.txt": "1\n", "a.trap": "1\n", "b.proc": "1\n" });
    const head = await rig.mainline.head();
    const landed = await rig.land({ "plain.txt": "2\n", "new/file": "1\n" });
    await rig.mainline.entriesAt(landed, ["a.trap"]);
    await rig.mainline.listTree(landed);
    await rig.mainline.changesBetween(head, landed);
    await rig.mainline.isAncestor(head, landed);
    await rig.mainline.mergeBase(head, landed);
    await rig.mainline.linesOf("a.trap", landed);
    const [top] = await rig.mainline.layersFor(landed, "u");
    await rig.mainline.keep("k", await rig.mainline.listTree(landed));
    await rig.mainline.letGo("k");
    expect(existsSync(path.join(top!, "sub/inside"))).toBe(false);
    expect(await rig.mainline.publish()).toEqual({ published: true, commit: landed });
    // What has a filter of the person's is left to the person's own git.
    await rig.land({ "a.trap": "2\n" });
    expect(await rig.refusal()).toMatch(/converts a\.trap \(filter=trap\)/);
    await rig.mainline.close();
    await rig.reopen();
    expect(traps.fired()).toEqual([]);
  });

  test("by publishing to a branch that is not checked out, or refusing to publish", async () => {
    const { traps, folder, person } = await begin();
    const rig = await MainlineRig.of(folder, person);
    await rig.land({ "plain.txt": "2\n" });
    person.write({ "a.trap": "edited\n" });
    expect(await rig.refusal()).toMatch(/not committed/);
    writeFileSync(path.join(person.root, ".git/HEAD"), `${await rig.mainline.fetchPersons()}\n`);
    expect(await rig.mainline.publish()).toMatchObject({ published: true });
    writeFileSync(path.join(person.root, ".git/HEAD"), "ref: refs/heads/main\n");
    await rig.land({ "plain.txt": "3\n" });
    expect(await rig.refusal()).toMatch(/staged|not committed/);
    expect(traps.fired()).toEqual([]);
  });

  test("in a plain folder that brings attributes, modules and a repository of its own later", async () => {
    const folder = makeTempFolder();
    const person = new Person(path.join(folder, "project"));
    person.write({ ...committed, ".gitattributes": "* filter=trap diff=trap ident eol=crlf\n", id: "$Id$\n" });
    const rig = await MainlineRig.of(folder, person);
    const traps = new Traps(folder);
    person.git("init", "--quiet");
    traps.plantIn(person);
    Person.withRepository(path.join(person.root, "nested")).git("config", "core.fsmonitor", traps.command("nested"));
    person.write({ "a.trap": "mine\n" });
    const edited = (await rig.mainline.fetchPersons())!;
    const changes = (await rig.mainline.changesBetween(await rig.mainline.head(), edited)).map(
      ({ path: file }) => file,
    );
    expect(changes.filter((file) => !file.startsWith("tracked-hooks/"))).toEqual(["a.trap"]);
    await rig.mainline.swap(await rig.mainline.head(), edited);
    const landed = await rig.land({ id: "$Id$ 2\n" });
    expect(await rig.mainline.publish()).toEqual({ published: true, commit: landed });
    expect(traps.fired()).toEqual([]);
  });

  test("by what stands in the environment", async () => {
    const { traps, folder, person } = await begin();
    const planted = {
      GIT_EXTERNAL_DIFF: traps.command("env-diff"),
      GIT_SSH_COMMAND: traps.command("env-ssh"),
      GIT_PAGER: traps.command("env-pager"),
      GIT_EDITOR: traps.command("env-editor"),
      GIT_DIR: "/nowhere",
      GIT_INDEX_FILE: "/nowhere/index",
      GIT_OBJECT_DIRECTORY: "/nowhere/objects",
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "core.fsmonitor",
      GIT_CONFIG_VALUE_0: traps.command("env-config"),
      GIT_CONFIG_PARAMETERS: "'core.bare'='false'",
      GIT_NAMESPACE: "elsewhere",
      GIT_SSH: traps.command("env-old-ssh"),
      GIT_ASKPASS: traps.command("env-askpass"),
      SSH_ASKPASS: traps.command("env-ssh-askpass"),
      GIT_PROXY_COMMAND: traps.command("env-proxy"),
      GIT_SEQUENCE_EDITOR: traps.command("env-sequence-editor"),
      EDITOR: traps.command("env-plain-editor"),
      VISUAL: traps.command("env-visual"),
      PAGER: traps.command("env-plain-pager"),
      GIT_EXEC_PATH: folder,
      GIT_TEMPLATE_DIR: path.join(person.root, ".git"),
      GIT_WORK_TREE: "/nowhere",
      GIT_COMMON_DIR: "/nowhere",
      GIT_CONFIG_GLOBAL: path.join(folder, "included"),
      GIT_CONFIG_SYSTEM: path.join(folder, "included"),
      GIT_ATTR_SOURCE: "HEAD",
      HOME: traps.home(),
      XDG_CONFIG_HOME: path.join(traps.home(), ".config"),
      GIT_TRACE: path.join(folder, "trace"),
    };
    const before = { ...process.env };
    Object.assign(process.env, planted);
    try {
      const rig = await MainlineRig.of(folder, person);
      const landed = await rig.land({ "plain.txt": "2\n" });
      expect(await rig.mainline.publish()).toEqual({ published: true, commit: landed });
    } finally {
      for (const name of Object.keys(planted)) delete process.env[name];
      Object.assign(process.env, before);
    }
    expect(traps.fired()).toEqual([]);
    expect(existsSync(path.join(folder, "trace"))).toBe(false);
  });
});
