// Every npm script starts here, because the machine may have only an old Node: this file finds or fetches Node 24,
// installs the dependencies with it, and then runs the wanted task. It is the one file in plain JavaScript, since an
// old Node cannot read TypeScript, and it may use nothing that Node 18 lacks. It says nothing when nothing is to do.
// (package.json says `exec node …`, because npm sends its signals to the shell, and a shell that waits keeps them.)

import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const nodeMajorMin = 24;
// Pinned like every other dependency. The npm packages of this name carry the official binaries and no script.
const nodeVersion = "24.21.0";

const tasks = {
  prepare: [],
  setup: ["scripts/setup.ts"],
  start: ["scripts/start.ts"],
  dev: ["scripts/start.ts", "--watch"],
  test: ["scripts/test.ts"],
  check: ["scripts/check.ts"],
  types: ["scripts/check.ts", "types"],
  lint: ["scripts/check.ts", "lint"],
  dead: ["scripts/check.ts", "dead"],
  format: ["scripts/check.ts", "format-write"],
  lock: ["scripts/lock.ts"],
  unit: ["node_modules/vitest/vitest.mjs", "run"],
  build: ["scripts/build.ts"],
  sim: ["sim/main.ts"],
  bench: ["bench/main.ts"],
  torture: ["test/torture/main.ts"],
  "model-server": ["scripts/model-server.ts"],
  pictures: ["scripts/screenshots.ts"],
};

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const cache = path.join(root, ".cache");
const lockPath = path.join(cache, "setup.lock");
const nodePackage = `node-${process.platform}-${process.arch}`;
const nodePackagePath = path.join(cache, "node", "node_modules", nodePackage);
const lockFilePath = path.join(root, "package-lock.json");
const stampPath = path.join(root, "node_modules", ".signalbox-stamp");

try {
  await main(process.argv[2] ?? "", process.argv.slice(3));
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

async function main(task, args) {
  const command = Object.hasOwn(tasks, task) ? tasks[task] : undefined;
  if (command === undefined) throw new Error(`there is no task "${task}"; there are: ${Object.keys(tasks).join(", ")}`);
  if (findNode() === undefined || !dependenciesAreInstalled()) await withLock(installWhatIsMissing);
  const node = findNode();
  rememberNode(node);
  const [file, ...fixedArgs] = command;
  if (file === undefined) return;
  if (!fs.existsSync(path.join(root, file)))
    throw new Error(`${file} does not exist yet, so "${task}" has nothing to run`);
  process.exitCode = await runTask(node, [file, ...fixedArgs, ...args]);
}

// --- what is there -------------------------------------------------------------------------------------------------

function findNode() {
  if (Number.parseInt(process.versions.node, 10) >= nodeMajorMin) return process.execPath;
  const node = path.join(nodePackagePath, "bin", "node");
  try {
    const { version } = JSON.parse(fs.readFileSync(path.join(nodePackagePath, "package.json"), "utf8"));
    return version === nodeVersion && fs.existsSync(node) ? node : undefined;
  } catch {
    return undefined;
  }
}

// The stamp lies inside node_modules, so that it vanishes together with what it vouches for.
function dependenciesAreInstalled() {
  try {
    if (fs.readFileSync(stampPath, "utf8") !== wantedStamp()) return false;
    // bin/signalbox compares times only; a lock file that was merely checked out again must not send it here each time.
    if (fs.statSync(stampPath).mtimeMs < fs.statSync(lockFilePath).mtimeMs) fs.writeFileSync(stampPath, wantedStamp());
    return true;
  } catch {
    return false;
  }
}

function wantedStamp() {
  const hash = createHash("sha256").update(fs.readFileSync(lockFilePath)).digest("hex");
  return `${hash} ${process.platform} ${process.arch}\n`;
}

// bin/signalbox reads this, so that it need not start a Node merely to ask for its version.
function rememberNode(node) {
  const file = path.join(cache, "node-path");
  try {
    if (fs.readFileSync(file, "utf8") === `${node}\n`) return;
  } catch {
    // It was never written; that is what we are here for.
  }
  fs.mkdirSync(cache, { recursive: true });
  fs.writeFileSync(`${file}.${process.pid}`, `${node}\n`);
  fs.renameSync(`${file}.${process.pid}`, file);
}

// --- getting what is not -------------------------------------------------------------------------------------------

// Runs under the lock and asks again first: whoever held the lock before us has usually done the work.
function installWhatIsMissing() {
  if (findNode() === undefined) installNode();
  if (!dependenciesAreInstalled()) installDependencies(findNode());
}

function installNode() {
  if (process.platform !== "linux" || !["x64", "arm64"].includes(process.arch)) {
    throw new Error(
      `Signalbox needs Node ${nodeMajorMin} or newer and this is ${process.version}: please install it from nodejs.org and try again`,
    );
  }
  say(`this Node is ${process.version}; fetching Node ${nodeVersion} into .cache/node (once, some seconds) …`);
  // Unpacked beside and renamed into place, so that an interrupted download never looks like a whole one.
  const partial = path.join(cache, "node.partial");
  fs.rmSync(partial, { recursive: true, force: true });
  fs.mkdirSync(partial, { recursive: true });
  npm(process.execPath, ["install", "--prefix", partial, "--no-save", `${nodePackage}@${nodeVersion}`], partial);
  const binary = path.join(partial, "node_modules", nodePackage, "bin", "node");
  const answer = spawnSync(binary, ["--version"], { encoding: "utf8" });
  if (answer.stdout?.trim() !== `v${nodeVersion}`)
    throw new Error(`the Node that was fetched does not run here: ${answer.stderr || answer.error}`);
  fs.rmSync(path.join(cache, "node"), { recursive: true, force: true });
  fs.renameSync(partial, path.join(cache, "node"));
}

// npm chooses by the Node that runs it and would pick older packages under an old one, so it runs under the new one.
function installDependencies(node) {
  refuseLink();
  say("installing dependencies (when package-lock.json changed; up to a minute) …");
  npm(node, ["ci", "--include=dev"], root);
  fs.writeFileSync(stampPath, wantedStamp());
}

// npm would empty the folder that the link leads to, under the feet of whoever works there.
function refuseLink() {
  const folder = path.join(root, "node_modules");
  const stats = fs.lstatSync(folder, { throwIfNoEntry: false });
  if (stats?.isSymbolicLink() !== true) return;
  throw new Error(
    `${folder} is a symbolic link to ${fs.readlinkSync(folder)}, which belongs to another checkout and has other packages than package-lock.json wants: remove the link (rm ${folder}) and try again, and this checkout gets its own`,
  );
}

function npm(node, args, cwd) {
  const common = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"];
  const cli = process.env.npm_execpath;
  const viaNode = cli !== undefined && path.basename(cli) === "npm-cli.js";
  const [command, first] = viaNode ? [node, [cli]] : ["npm", []];
  // What npm prints goes to standard error: standard output belongs to the task, and may be read by a program.
  const result = spawnSync(command, [...first, ...args, ...common], {
    cwd,
    stdio: ["ignore", 2, 2],
    env: environment(node),
  });
  if (result.error?.code === "ENOENT")
    throw new Error("npm was not found on the PATH: please install it and try again");
  if (result.error) throw result.error;
  if (result.status !== 0) throw new Error(`npm ${args[0]} failed (see above); is the registry reachable?`);
}

// --- one set-up at a time ------------------------------------------------------------------------------------------

// The lock is a folder whose link `owner` points at "pid-start", moved into place whole. A set-up that was killed leaves
// its lock behind; the next one takes over by creating `after-<dead owner>`, which only one of several waiters can do.
// Deleting the dead lock instead would race: the second waiter would delete the lock that the first has just taken.
async function withLock(work) {
  const me = `${process.pid}-${startOf(process.pid)}`;
  fs.mkdirSync(cache, { recursive: true });
  for (let tries = 0; !tryLock(me); tries += 1) {
    if (tries === 5) say("another set-up is running in this checkout; waiting for it …");
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  try {
    work();
  } finally {
    const gone = `${lockPath}.${me}`;
    fs.renameSync(lockPath, gone);
    fs.rmSync(gone, { recursive: true, force: true });
  }
}

function tryLock(me) {
  const mine = `${lockPath}.${me}`;
  fs.rmSync(mine, { recursive: true, force: true });
  fs.mkdirSync(mine);
  fs.symlinkSync(me, path.join(mine, "owner"));
  try {
    fs.renameSync(mine, lockPath);
    return true;
  } catch {
    fs.rmSync(mine, { recursive: true, force: true });
  }
  const owner = lockOwner();
  if (owner === undefined || isAlive(owner)) return false;
  try {
    fs.symlinkSync(me, path.join(lockPath, `after-${owner}`));
  } catch {
    return false;
  }
  // The folder may have been replaced since we read it; then our link hangs off nobody and we own nothing.
  return lockOwner() === me;
}

function lockOwner() {
  let owner = readLink("owner");
  for (let next = owner; next !== undefined; next = readLink(`after-${next}`)) owner = next;
  return owner;
}

function readLink(name) {
  try {
    return fs.readlinkSync(path.join(lockPath, name));
  } catch {
    return undefined;
  }
}

function isAlive(owner) {
  const [pid, start] = owner.split("-");
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    if (error.code === "ESRCH") return false;
  }
  return startOf(pid) === start;
}

// A pid alone is not proof, since pids are used again; with the start time it is. Without /proc the pid must do.
function startOf(pid) {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return "0";
  }
}

// --- the task ------------------------------------------------------------------------------------------------------

function runTask(node, args) {
  const child = spawn(node, args, { cwd: root, stdio: "inherit", env: environment(node) });
  // A terminal sends Ctrl-C to the child as well; passing it on would count as a second, impatient one.
  process.on("SIGINT", () => process.stdin.isTTY || child.kill("SIGINT"));
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code, signal) => resolve(code ?? 128 + (signal === "SIGINT" ? 2 : 15)));
  });
}

function environment(node) {
  return { ...process.env, PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH ?? ""}` };
}

function say(text) {
  process.stderr.write(`signalbox: ${text}\n`);
}
