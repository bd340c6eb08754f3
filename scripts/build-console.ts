// Builds the console into dist/console, when what it is made of has changed since the last time.

import fs from "node:fs";
import path from "node:path";
import { build } from "./built.ts";
import { root, runQuietly } from "./run.ts";

export async function buildConsole(): Promise<void> {
  if (!fs.existsSync(path.join(root, "src/console/index.html"))) {
    console.error("signalbox: there is no console to build yet.");
    return;
  }
  await build({
    name: "console",
    sources: ["src/console", "src/client", "src/protocol", "src/base", "vite.config.ts", "package-lock.json"],
    into: async (folder) => {
      const { ok, output } = await runQuietly([
        "node_modules/vite/bin/vite.js",
        ...["build", "--outDir", folder, "--logLevel", "warn"],
      ]);
      if (!ok) throw new Error(`the console did not build:\n${output}`);
    },
  });
}
