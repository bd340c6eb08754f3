// Where the peers' programs come from. One that the system has is used; a missing one is fetched, as a Debian package or from
// npm, and unpacked into .cache/peers, where it disturbs nobody: nothing is installed and no service is started.

import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline/promises";
import { root } from "../../scripts/run.ts";

type DebianName = "redis-server" | "etcd" | "postgres" | "supervisord" | "runsvdir" | "tmux" | "ttyd";
type NpmName = "pm2";
export type ProgramName = DebianName | NpmName;

export type Program = {
  readonly file: string;
  readonly env: NodeJS.ProcessEnv;
};

const debianPackages: Readonly<Record<DebianName, string>> = {
  "redis-server": "redis-server",
  etcd: "etcd-server",
  postgres: "postgresql",
  supervisord: "supervisor",
  runsvdir: "runit",
  tmux: "tmux",
  ttyd: "ttyd",
};

const npmPackages: Readonly<Record<NpmName, string>> = { pm2: "pm2@7.0.4" };

const unpacked = path.join(root, ".cache", "peers");
const npmFolder = path.join(unpacked, "npm");

/** Fetches what is missing, where that is allowed. Whoever lacks its program afterwards is named in its row. */
export async function fetchMissing(names: readonly ProgramName[], mayFetch: boolean): Promise<void> {
  const missing = names.filter((name) => findProgram(name) === undefined);
  const debian = isOnPath("apt-get") ? missing.flatMap((name) => (isOfNpm(name) ? [] : [debianPackages[name]])) : [];
  const npm = isOnPath("npm") ? missing.flatMap((name) => (isOfNpm(name) ? [npmPackages[name]] : [])) : [];
  const packages = [...debian, ...npm];
  if (packages.length === 0) return;
  const isAllowed = mayFetch || process.env["CI"] === "true" || (await ask(packages));
  if (!isAllowed) return;
  console.error(`signalbox: fetching ${packages.join(", ")} into .cache/peers (once) …`);
  // One by one: a package that this system does not have keeps nobody from the others.
  const left = debian.filter((name) => !download(name));
  if (left.length > 0) console.error(`signalbox: apt-get could not fetch ${left.join(", ")} (see above)`);
  if (npm.length > 0 && !install(npm)) console.error("signalbox: npm could not fetch all of it (see above)");
}

export function findProgram(name: ProgramName): Program | undefined {
  const env = process.env;
  if (isOfNpm(name)) {
    const file = path.join(npmFolder, "node_modules", name, "package.json");
    return fs.existsSync(file) ? { file, env } : undefined;
  }
  const folders = [...(env["PATH"] ?? "").split(path.delimiter), "/usr/sbin", ...postgresFolders("/usr")];
  const installed = folders.map((folder) => path.join(folder, name)).find((file) => fs.existsSync(file));
  // The other programs of PostgreSQL stand beside the real file.
  if (installed !== undefined) return { file: fs.realpathSync(installed), env };
  const usr = path.join(unpacked, "root", "usr");
  const fetched = [path.join(usr, "bin"), ...postgresFolders(usr)]
    .map((folder) => path.join(folder, name))
    .find((file) => fs.existsSync(file));
  if (fetched === undefined) return undefined;
  const found = {
    LD_LIBRARY_PATH: libraryFolders(path.join(usr, "lib")).join(":"),
    PYTHONPATH: path.join(usr, "lib", "python3", "dist-packages"),
  };
  // One that starts others of its package finds them beside itself.
  return { file: fetched, env: { ...env, ...found, PATH: `${path.dirname(fetched)}:${env["PATH"] ?? ""}` } };
}

function isOfNpm(name: ProgramName): name is NpmName {
  return name in npmPackages;
}

/** Without the scripts that packages would run. */
function install(packages: readonly string[]): boolean {
  fs.mkdirSync(npmFolder, { recursive: true });
  const flags = ["--no-audit", "--no-fund", "--no-save", "--ignore-scripts", "--loglevel=error"];
  return run("npm", ["install", "--prefix", npmFolder, ...flags, ...packages]);
}

function download(name: string): boolean {
  const folder = path.join(unpacked, "apt");
  for (const each of ["cache/archives/partial", "lists/partial"]) {
    fs.mkdirSync(path.join(folder, each), { recursive: true });
  }
  // Its own cache and, if the system's lists are missing, its own lists: this works without being root.
  const common = ["-qq", "-o", "Debug::NoLocking=1", "-o", `Dir::Cache=${path.join(folder, "cache")}`];
  const ownLists = [...common, "-o", `Dir::State::lists=${path.join(folder, "lists")}`];
  const fetch = ["install", "-y", "--download-only", "--no-install-recommends", name];
  const isThere = aptGet([...common, ...fetch]) || (aptGet([...ownLists, "update"]) && aptGet([...ownLists, ...fetch]));
  if (!isThere) return false;
  const archives = path.join(folder, "cache", "archives");
  const files = fs.readdirSync(archives).filter((file) => file.endsWith(".deb"));
  return files.every((file) => run("dpkg-deb", ["-x", path.join(archives, file), path.join(unpacked, "root")]));
}

function aptGet(args: readonly string[]): boolean {
  return run("apt-get", args);
}

function run(program: string, args: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: ["ignore", 2, 2] }).status === 0;
}

function postgresFolders(usr: string): string[] {
  const folder = path.join(usr, "lib", "postgresql");
  if (!fs.existsSync(folder)) return [];
  return fs.readdirSync(folder).map((version) => path.join(folder, version, "bin"));
}

function libraryFolders(lib: string): string[] {
  if (!fs.existsSync(lib)) return [];
  const folders = fs.readdirSync(lib, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [lib, ...folders.map((entry) => path.join(lib, entry.name))];
}

async function ask(packages: readonly string[]): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`Fetch ${packages.join(", ")} into .cache/peers to compare with? [y/N] `);
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}

function isOnPath(program: string): boolean {
  return (process.env["PATH"] ?? "").split(path.delimiter).some((folder) => fs.existsSync(path.join(folder, program)));
}
