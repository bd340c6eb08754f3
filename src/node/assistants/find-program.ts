// Where an assistant's program is on this machine, and what a cage has to show for it to run there.

import { execFile } from "node:child_process";
import { access, constants, mkdir, realpath, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { inTrialFolder } from "../trial-folder.ts";

export type FoundProgram = {
  /** The file itself, after all links. */
  readonly file: string;
  /** The folder that it comes in, with what it needs beside it. */
  readonly folder: string;
};

const versionMsMax = 20_000;

/** Looks in the folders given, first to last, as a shell would. */
export async function findProgram(name: string, folders: readonly string[]): Promise<FoundProgram | undefined> {
  for (const folder of folders) {
    const path = join(folder, name);
    if (!(await isProgram(path))) continue;
    const file = await realpath(path);
    return { file, folder: packagesOf(file) ?? dirname(file) };
  }
  return undefined;
}

/**
 * What it says of its version; null where it says nothing that looks like one. It has an empty home for that: some read what the person
 * has set up before they answer, and write to it.
 */
export async function versionOf(file: string, ground: string): Promise<string | null> {
  return inTrialFolder([ground], async (folder) => {
    const home = join(folder, "home");
    await mkdir(home);
    const env = { PATH: process.env["PATH"] ?? "", HOME: home };
    const { stdout } = await promisify(execFile)(file, ["--version"], { timeout: versionMsMax, cwd: home, env });
    return /\d+\.\d+(\.\d+)?/.exec(stdout)?.[0] ?? null;
  }).catch(() => null);
}

/** Whether a version is older (-1), the same (0) or newer (1), number by number. */
export function compareVersions(one: string, other: string): number {
  const [left, right] = [one, other].map((text) => text.split(".").map(Number));
  for (let at = 0; at < Math.max(left?.length ?? 0, right?.length ?? 0); at++) {
    const difference = (left?.[at] ?? 0) - (right?.[at] ?? 0);
    if (difference !== 0) return Math.sign(difference);
  }
  return 0;
}

/** A program from a registry finds its parts among the packages around it. */
function packagesOf(file: string): string | undefined {
  const mark = "/node_modules/";
  const at = file.indexOf(mark);
  return at < 0 ? undefined : file.slice(0, at + mark.length - 1);
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
