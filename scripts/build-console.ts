// Builds the console into dist/console, when what it is made of has changed since the last time.

import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { root, runQuietly } from "./run.ts";

// Everything that ends up in the bundle; a change elsewhere does not concern it.
const sources = ["src/console", "src/client", "src/protocol", "src/base", "vite.config.ts", "package-lock.json"];
const target = path.join(root, "dist", "console");

if (import.meta.main) await buildConsole();

export async function buildConsole(): Promise<void> {
  if (!fs.existsSync(path.join(root, "src/console/index.html"))) {
    console.error("signalbox: there is no console to build yet.");
    return;
  }
  const hash = hashOf(sources);
  if (readIfThere(path.join(target, ".built-from")) === hash) return;
  console.error("signalbox: building the console …");
  // Built aside and swapped in, so that neither a running daemon nor a second build ever sees half a console.
  const fresh = path.join(root, "dist", `.console-${process.pid}`);
  const build = await runQuietly(["node_modules/vite/bin/vite.js", "build", "--outDir", fresh, "--logLevel", "warn"]);
  if (!build.ok) throw new Error(`the console did not build:\n${build.output}`);
  fs.writeFileSync(path.join(fresh, ".built-from"), hash);
  swapIn(fresh);
}

function swapIn(fresh: string): void {
  for (let stale = `${fresh}-old`; ; stale += "-old") {
    if (fs.existsSync(target)) tryRename(target, stale);
    const done = tryRename(fresh, target);
    fs.rmSync(stale, { recursive: true, force: true });
    if (done) return;
  }
}

/** False where a second build was quicker: it took what was there, or put its own. */
function tryRename(from: string, to: string): boolean {
  try {
    fs.renameSync(from, to);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTEMPTY" || code === "EEXIST") return false;
    throw error;
  }
}

function hashOf(paths: readonly string[]): string {
  const hash = createHash("sha256");
  for (const file of paths.flatMap(listFiles).toSorted()) {
    hash
      .update(`${file}\0`)
      .update(fs.readFileSync(path.join(root, file)))
      .update("\0");
  }
  return hash.digest("hex");
}

function listFiles(name: string): string[] {
  const stat = fs.statSync(path.join(root, name), { throwIfNoEntry: false });
  if (stat === undefined) return [];
  if (!stat.isDirectory()) return [name];
  return fs.readdirSync(path.join(root, name)).flatMap((entry) => listFiles(`${name}/${entry}`));
}

function readIfThere(file: string): string | undefined {
  return fs.existsSync(file) ? fs.readFileSync(file, "utf8") : undefined;
}
