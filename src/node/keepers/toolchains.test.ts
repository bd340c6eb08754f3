import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import { findToolchains } from "./toolchains.ts";

const all = async (): Promise<boolean> => true;

function homeWith(...folders: readonly string[]): string {
  const home = makeTempFolder();
  for (const folder of folders) mkdirSync(join(home, folder), { recursive: true });
  return home;
}

describe("toolchains", () => {
  test("what the system has needs no bind", async () => {
    const { binds, path, left } = await findToolchains("/usr/local/bin:/usr/bin:/bin", "/home/eva", all);
    expect({ binds, path, left }).toEqual({ binds: [], path: "/usr/local/bin:/usr/bin:/bin", left: [] });
  });

  test("a known toolchain in the home is bound, with what it stands on and without credentials", async () => {
    const home = homeWith(".cargo/bin", ".rustup", ".nvm/versions/node/v24.1.0/bin");
    const found = await findToolchains(`${home}/.cargo/bin:${home}/.nvm/versions/node/v24.1.0/bin:/usr/bin`, home, all);
    expect(found.binds).toEqual([`${home}/.cargo/bin`, `${home}/.nvm/versions`, `${home}/.rustup`]);
    expect(found.path.split(":").slice(0, 3)).toEqual([
      `${home}/.cargo/bin`,
      `${home}/.nvm/versions/node/v24.1.0/bin`,
      "/usr/bin",
    ]);
  });

  test("whatever else is on the PATH stays outside", async () => {
    const home = homeWith("bin", ".ssh", "secrets/bin");
    const { binds, path, left } = await findToolchains(`${home}/bin:${home}/secrets/bin:./here:/usr/bin`, home, all);
    expect(binds).toEqual([]);
    expect(path).toBe("/usr/bin:/usr/local/bin:/bin");
    expect(left).toEqual([`${home}/bin`, `${home}/secrets/bin`]);
  });

  test("what cannot be read by agents, or is not there, is left", async () => {
    const home = homeWith(".bun/bin");
    const wish = `${home}/.bun/bin:${home}/.deno/bin`;
    expect((await findToolchains(wish, home, async () => false)).left).toEqual([
      `${home}/.bun/bin`,
      `${home}/.deno/bin`,
    ]);
  });

  test("a link into a known place stands for the place", async () => {
    const home = homeWith(".pyenv/shims");
    symlinkSync(join(home, ".pyenv/shims"), join(home, "python-tools"));
    const { binds, path } = await findToolchains(`${home}/python-tools`, home, all);
    expect(binds).toEqual([`${home}/.pyenv`]);
    expect(path.startsWith(`${home}/.pyenv/shims:`)).toBe(true);
  });
});
