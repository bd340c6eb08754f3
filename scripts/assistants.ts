// The programs of assistants that tests run for real. They are large and not ours, so they are no dependencies: on a machine
// that tests for others they are fetched into a folder of their own, elsewhere only when somebody says so.

import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { root } from "./run.ts";

/** What is tried, in the version that it was tried with. */
const packages: Readonly<Record<string, string>> = {
  "@anthropic-ai/claude-code": "2.1.325",
  "@openai/codex": "0.166.0",
  "@google/gemini-cli": "0.61.0",
  "opencode-ai": "1.18.33",
};

/** Their own scripts put the program for this machine in place, and do nothing else. */
const installers = ["@anthropic-ai/claude-code/install.cjs", "opencode-ai/postinstall.mjs"];

const folder = path.join(root, ".cache", "assistants");

/** Where their programs are. */
export const assistantsPath = path.join(folder, "node_modules", ".bin");

if (import.meta.main) process.exitCode = fetchAssistants() ? 0 : 1;

/** Fetches what is missing. Says whether everything is there. */
export function fetchAssistants(): boolean {
  if (Object.entries(packages).every(([name, version]) => versionOf(name) === version)) return true;
  console.error("signalbox: fetching the assistants that tests run (once, some hundred megabytes) …");
  fs.mkdirSync(folder, { recursive: true });
  const wanted = Object.entries(packages).map(([name, version]) => `${name}@${version}`);
  const flags = ["--prefix", folder, "--no-audit", "--no-fund", "--no-save", "--ignore-scripts", "--loglevel=error"];
  if (spawnSync("npm", ["install", ...flags, ...wanted], { stdio: ["ignore", 2, 2] }).status !== 0) return false;
  const scripts = installers.map((script) => path.join(folder, "node_modules", script));
  return scripts.every((script) => spawnSync(process.execPath, [script], { stdio: ["ignore", 2, 2] }).status === 0);
}

function versionOf(name: string): string | undefined {
  const file = path.join(folder, "node_modules", name, "package.json");
  if (!fs.existsSync(file)) return undefined;
  return (JSON.parse(fs.readFileSync(file, "utf8")) as { version: string }).version;
}
