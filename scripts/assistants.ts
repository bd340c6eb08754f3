// The programs of assistants that tests run for real. They are large and not ours, so they are no dependencies: on a machine
// that tests for others they are fetched into a folder of their own, elsewhere only when somebody says so.

import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { makeAssistants } from "../src/adapters/assistant/built-in-assistants.ts";
import { root } from "./run.ts";

/** What is tried, in the last version that it was tried with: by what people are told to install. */
const packages = Object.fromEntries(
  makeAssistants().flatMap(({ install, tried }) => {
    const name = /^npm install -g (\S+)$/.exec(install)?.[1];
    return name === undefined || tried === null ? [] : [[name, tried.to]];
  }),
);

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
  const scripts = Object.keys(packages).flatMap((name) => installerOf(name) ?? []);
  return scripts.every((script) => spawnSync(process.execPath, [script], { stdio: ["ignore", 2, 2] }).status === 0);
}

function versionOf(name: string): string | undefined {
  return readPackage(name)?.version;
}

/** Its own script, where it has one, puts the program for this machine in place, and does nothing else. */
function installerOf(name: string): string | undefined {
  const script = /^node (\S+)$/.exec(readPackage(name)?.scripts?.postinstall ?? "")?.[1];
  return script === undefined ? undefined : path.join(folder, "node_modules", name, script);
}

type Package = { readonly version: string; readonly scripts?: { readonly postinstall?: string } };

function readPackage(name: string): Package | undefined {
  const file = path.join(folder, "node_modules", name, "package.json");
  return fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, "utf8")) as Package) : undefined;
}
