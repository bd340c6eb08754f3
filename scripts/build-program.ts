// Builds the command line and the daemon into dist/program, when their sources have changed since the last time. Node reads
// the sources as they are, several hundred files for a daemon; in a few large ones they start in less than half of the time.
// What runs is the same: each file still takes its neighbours (workers, keepers, templates) from where its source lies.

import fs from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import path from "node:path";
import { build as bundle, type Plugin } from "vite";
import { builtKeeper, keeperSources } from "../src/node/keepers/keeper-program.ts";
import { build } from "./built.ts";
import { root } from "./run.ts";

/** Native parts come from node_modules as they are. */
const native = ["better-sqlite3", "@lydell/node-pty"];
const target = path.join(root, "dist/program");

export async function buildProgram(): Promise<void> {
  await build({ name: "program", sources: ["src", "package-lock.json", "scripts/build-program.ts"], into: bundleInto });
}

async function bundleInto(folder: string): Promise<void> {
  const input = { cli: path.join(root, "src/cli/main.ts"), daemon: path.join(root, "src/daemon/main.ts") };
  const output = { format: "es", entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" } as const;
  await bundle({
    configFile: false,
    publicDir: false,
    logLevel: "warn",
    plugins: [keepPlaces],
    ssr: { noExternal: true, external: [...native] },
    build: {
      ...{ ssr: true, outDir: folder, emptyOutDir: false, target: "node24", minify: false },
      rolldownOptions: { input, output },
    },
  });
  await quietly(() => writeKeeper(path.join(folder, builtKeeper)));
}

/**
 * The keeper's files one by one, without their types and under names that say so. Node strips types by itself, but a process that has done so
 * holds on to twenty megabytes, and there are several for each daemon.
 */
function writeKeeper(folder: string): void {
  const from = path.join(root, "src");
  for (const file of keeperSources.flatMap((name) => sourcesIn(path.join(from, name)))) {
    const target = path.join(folder, path.relative(from, file)).replace(/\.ts$/, ".js");
    fs.mkdirSync(path.dirname(target), { recursive: true });
    // Whatever names a file of its own names one of these.
    const text = stripTypeScriptTypes(fs.readFileSync(file, "utf8")).replaceAll(/(["'][^"'\n]*)\.ts(["'])/g, "$1.js$2");
    fs.writeFileSync(target, text);
  }
  fs.copyFileSync(path.join(root, "package.json"), path.join(folder, "../package.json"));
}

function sourcesIn(name: string): string[] {
  if (fs.statSync(name).isFile()) return [name];
  const files = fs.readdirSync(name, { recursive: true, encoding: "utf8" }).map((each) => path.join(name, each));
  return files.filter((file) => file.endsWith(".ts") && !file.includes(".test."));
}

/** Node says of its own stripping that it may change; what it makes of these files is tested. */
async function quietly(act: () => void): Promise<void> {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = () => undefined;
  act();
  // It is said a moment later.
  await new Promise((resolve) => setImmediate(resolve));
  process.emitWarning = emitWarning;
}

/** A file that asks where it is means its source. Relative, so that a checkout can be moved with what was built in it. */
const keepPlaces: Plugin = {
  name: "keep-places",
  transform(code, id) {
    if (!id.startsWith(`${root}/src/`) || !code.includes("import.meta.")) return null;
    const file = path.relative(target, id);
    const moved = code
      .replaceAll("import.meta.dirname", `(import.meta.dirname + ${JSON.stringify(`/${path.dirname(file)}`)})`)
      .replaceAll("import.meta.url", `new URL(${JSON.stringify(file)}, import.meta.url).href`);
    return { code: moved, map: null };
  },
};
