// Builds the command line and the daemon into dist/program, when their sources have changed since the last time. Node reads
// the sources as they are, several hundred files for a daemon; in a few large ones they start in less than half of the time.
// What runs is the same: each file still takes its neighbours (workers, keepers, templates) from where its source lies.

import path from "node:path";
import { build as bundle, type Plugin } from "vite";
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
