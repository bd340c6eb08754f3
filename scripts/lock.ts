// Brings package-lock.json in step with package.json. Plain `npm install` is not enough: a registry that mirrors only
// some platforms makes npm leave the other platforms' optional packages out, and `npm ci` then refuses the whole file.
// Their names and exact versions are known from the packages that want them, so they are written in; only the hash of
// something that this registry does not have is missing, and npm fetches it by version on the platforms that need it.

import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

interface LockEntry {
  version?: string;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
}

interface LockFile {
  packages: Record<string, LockEntry>;
}

if (import.meta.main) main();

function main(): void {
  // Made in an empty folder: with a node_modules beside it, npm records what happens to be installed here.
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "signalbox-lock-"));
  try {
    for (const name of ["package.json", ".npmrc"]) fs.copyFileSync(name, path.join(folder, name));
    const lockPath = path.join(folder, "package-lock.json");
    resolveIn(folder);
    const lock = JSON.parse(fs.readFileSync(lockPath, "utf8")) as LockFile;
    const added = completeLock(lock);
    fs.writeFileSync(lockPath, JSON.stringify(lock, undefined, 2));
    // Once more, so that the file has npm's own order and later commands find nothing to rearrange.
    resolveIn(folder);
    fs.copyFileSync(lockPath, "package-lock.json");
    console.log(
      `package-lock.json: ${Object.keys(lock.packages).length} packages, ${added} of them known by version only`,
    );
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

function resolveIn(folder: string): void {
  const args = ["install", "--package-lock-only", "--no-audit", "--loglevel=error"];
  const npm = spawnSync("npm", args, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  if (npm.status !== 0) throw new Error("npm could not resolve the dependencies (see above)");
}

/** Adds an entry for every exactly pinned optional package that the lock file lacks, and answers how many. */
export function completeLock(lock: LockFile): number {
  let added = 0;
  for (const parent of Object.values(lock.packages)) {
    for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
      const key = `node_modules/${name}`;
      const isExact = /^\d+\.\d+\.\d+[\w.+-]*$/.test(version);
      if (!isExact || lock.packages[key]?.version !== undefined) continue;
      lock.packages[key] = {
        version,
        ...(parent.dev === true ? { dev: true } : {}),
        optional: true,
        ...toPlatform(name),
      };
      added += 1;
    }
  }
  return added;
}

/** Reads `@oxlint/binding-linux-x64-musl` as Linux, x64, musl, so that npm skips it elsewhere. */
export function toPlatform(name: string): Pick<LockEntry, "os" | "cpu" | "libc"> {
  const words = (name.split("/").at(-1) ?? name).split("-");
  const pick = (known: readonly string[]): string[] => words.filter((word) => known.includes(word));
  const systems = pick([
    "aix",
    "android",
    "darwin",
    "freebsd",
    "linux",
    "netbsd",
    "openbsd",
    "openharmony",
    "sunos",
    "win32",
  ]);
  const cpus = pick(["arm", "arm64", "ia32", "loong64", "ppc64", "riscv64", "s390x", "x64", "wasm32"]);
  const libcs = words.some((word) => word.startsWith("musl")) ? ["musl"] : words.includes("gnu") ? ["glibc"] : [];
  return {
    ...(cpus.length > 0 ? { cpu: cpus } : {}),
    ...(libcs.length > 0 && systems.includes("linux") ? { libc: libcs } : {}),
    ...(systems.length > 0 ? { os: systems } : {}),
  };
}
