// `npm run setup`: by the time this runs, the bootstrap has seen to Node and the dependencies. What is left is optional:
// programs of the system that single tests use and without which everything else works.

import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline/promises";
import { buildProgram } from "./build-program.ts";
import { root } from "./run.ts";

interface OptionalPart {
  debianPackage: string;
  programs: readonly string[];
  without: string;
}

const optionalParts: readonly OptionalPart[] = [
  {
    debianPackage: "chromium",
    programs: ["chromium", "chromium-browser", "google-chrome"],
    without: "the browser test is skipped and everything else works",
  },
  {
    debianPackage: "bubblewrap",
    programs: ["bwrap"],
    without: "agents have no cage here, and the tests of cages are skipped",
  },
  {
    debianPackage: "podman",
    programs: ["podman"],
    without: "runs cannot work in images here, and the tests of images are skipped",
  },
  // What terminals are compared by: another emulator, and programs that take the whole screen.
  ...["tmux", "vim", "less", "htop"].map((name) => {
    return { debianPackage: name, programs: [name], without: `no screen of a terminal is compared by ${name}` };
  }),
  ...(process.getuid?.() === 0
    ? []
    : [{ debianPackage: "uidmap", programs: ["newuidmap"], without: "podman works for root only" }]),
];

// Asking or trying again on every test run would be a nuisance; a day later the answer may be another.
const askAgainAfterMs = 24 * 60 * 60 * 1000;

if (import.meta.main) {
  await offerOptionalParts();
  await buildProgram();
  console.log("Signalbox is set up: `npm start` runs it, `npm test` tests it.");
}

/** Installs what is missing where that is allowed, and otherwise says in a line what does without it. */
export async function offerOptionalParts(): Promise<void> {
  for (const part of optionalParts) {
    if (part.programs.some(isOnPath)) continue;
    if (await maybeInstall(part)) continue;
    console.error(`signalbox: ${part.debianPackage} is not installed, so ${part.without}.`);
  }
}

async function maybeInstall({ debianPackage }: OptionalPart): Promise<boolean> {
  const isRoot = process.getuid?.() === 0;
  if (!isOnPath("apt-get") || !(isRoot || isOnPath("sudo"))) return false;
  const triedPath = path.join(root, ".cache", `tried-${debianPackage}`);
  if (wasTouchedRecently(triedPath)) return false;
  const isAllowed = process.env["CI"] === "true" ? isRoot : await ask(`Install ${debianPackage} with apt-get? [y/N] `);
  if (isAllowed === undefined) return false;
  fs.mkdirSync(path.dirname(triedPath), { recursive: true });
  fs.writeFileSync(triedPath, "");
  if (!isAllowed) return false;
  console.error(`signalbox: installing ${debianPackage} with apt-get (once, up to some minutes) …`);
  const aptGet = (...args: string[]): boolean => {
    const command = ["apt-get", "-qq", "-o", "DPkg::Lock::Timeout=120", ...args];
    if (!isRoot) command.unshift("sudo");
    const [program = "", ...rest] = command;
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    return spawnSync(program, rest, { stdio: ["inherit", 2, 2], env }).status === 0;
  };
  const install = (): boolean => aptGet("install", "-y", "--no-install-recommends", debianPackage);
  return install() || (aptGet("update") && install());
}

/** Answers undefined when there is nobody to ask. */
async function ask(question: string): Promise<boolean | undefined> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(question);
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}

function wasTouchedRecently(file: string): boolean {
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  return stat !== undefined && Date.now() - stat.mtimeMs < askAgainAfterMs;
}

function isOnPath(program: string): boolean {
  const folders = (process.env["PATH"] ?? "").split(path.delimiter);
  return folders.some((folder) => fs.existsSync(path.join(folder, program)));
}
