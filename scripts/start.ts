// `npm start` and, with --watch, `npm run dev`: builds the console when it changed and runs the daemon in the
// foreground. All other arguments are those of `signalbox up`, and --no-open.

import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { buildConsole } from "./build-console.ts";
import { buildProgram } from "./build-program.ts";
import { root, runInForeground } from "./run.ts";
import { toUpWords } from "./start-words.ts";

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const watch = args.includes("--watch");
  await buildConsole();
  if (!watch) await buildProgram();
  const stopWatching = watch ? watchConsole() : undefined;
  const { env, platform, stdout } = process;
  const words = toUpWords(args, { env, platform, isTerminal: stdout.isTTY === true });
  const up = [watch ? "src/cli/main.ts" : "dist/program/cli.mjs", "up", ...words];
  try {
    return await runInForeground(process.execPath, watch ? ["--watch", "--watch-preserve-output", ...up] : up);
  } finally {
    stopWatching?.();
  }
}

function watchConsole(): (() => void) | undefined {
  if (!fs.existsSync(path.join(root, "src/console/index.html"))) return undefined;
  const vite = ["node_modules/vite/bin/vite.js", "build", "--watch", "--outDir", "dist/console", "--logLevel", "warn"];
  const child = spawn(process.execPath, vite, { cwd: root, stdio: ["ignore", "inherit", "inherit"] });
  return () => {
    child.kill();
  };
}
