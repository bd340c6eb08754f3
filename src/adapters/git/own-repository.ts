// The bare repository that only the daemon owns. It is made aside and then given its name, so that half of one is never
// found; its configuration is written here and by nobody else.

import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { Fault } from "../../base/fault.ts";
import { readIfThere, sync, writeSynced } from "../../os/durable-file.ts";
import type { GitRunner } from "./git-runner.ts";
import { encodeCommit, encodeTree, type ObjectFormat } from "./object-codec.ts";
import { ObjectStore } from "./object-store.ts";

/** What our repository says of itself, in a file that is there exactly when the repository is whole. */
export type OwnFacts = {
  readonly v: 1;
  readonly kind: "git" | "folder";
  readonly branch: string;
  readonly format: ObjectFormat;
  /** The commit without files that an empty project begins with. */
  readonly start: string;
};

const factsFile = "signalbox.json";

// The bytes of a blob are the bytes of the file: no attribute of the project changes them on their way.
const attributes = "* -text -ident -filter -diff -merge !eol !working-tree-encoding\n";

// For folders that bring no rules of their own: what other tools make and can make again.
const ignored = [".git", ".hg", ".svn", ".signalbox*", "node_modules/", ".venv/", "__pycache__/", ".DS_Store"];

export async function readOwnFacts(folder: string): Promise<OwnFacts | null> {
  const text = await readIfThere(path.join(folder, factsFile));
  return text === null ? null : (JSON.parse(text) as OwnFacts);
}

/** Makes the repository; `fill` brings in what the project has and answers where mainline begins. */
export async function makeOwnRepository(
  git: GitRunner,
  folder: string,
  wanted: Pick<OwnFacts, "kind" | "branch" | "format">,
  fill: (gitDir: string, store: ObjectStore) => Promise<string | null>,
): Promise<OwnFacts> {
  const aside = `${folder}.making`;
  await rm(aside, { recursive: true, force: true });
  await mkdir(path.join(aside, "tmp"), { recursive: true, mode: 0o700 });
  await git.run({ gitDir: aside }, [
    "init",
    "--quiet",
    "--bare",
    "--template=",
    `--object-format=${wanted.format}`,
    aside,
  ]);
  await mkdir(path.join(aside, "info"), { recursive: true });
  await writeFile(path.join(aside, "info/attributes"), attributes);
  await writeFile(path.join(aside, "info/exclude"), `${ignored.join("\n")}\n`);
  await writeConfig(aside);
  const store = new ObjectStore(git, aside, wanted.format);
  try {
    const place = { gitDir: aside };
    const start = await writeStart(store);
    await git.run(place, ["update-ref", "refs/signalbox/start", start]);
    const head = (await fill(aside, store)) ?? start;
    await git.run(place, ["symbolic-ref", "HEAD", `refs/heads/${wanted.branch}`]);
    await git.run(place, [
      "update-ref",
      "--create-reflog",
      "-m",
      "signalbox: begin",
      `refs/heads/${wanted.branch}`,
      head,
    ]);
    const facts: OwnFacts = { v: 1, ...wanted, start };
    await writeSynced(path.join(aside, factsFile), `${JSON.stringify(facts)}\n`, 0o600);
    await sync(aside);
    await rename(aside, folder);
    await sync(path.dirname(folder));
    return facts;
  } catch (error) {
    await rm(aside, { recursive: true, force: true });
    throw error;
  } finally {
    await store.close();
  }
}

export async function checkGit(git: GitRunner): Promise<void> {
  const { text } = await git.run({ gitDir: "/" }, ["version"]);
  const [major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(text)?.slice(1) ?? []).map(Number);
  if (major > 2 || (major === 2 && minor >= 32)) return;
  throw new Fault("git-failed", { retry: "never", message: `git 2.32 or newer is needed; this machine has ${text}` });
}

async function writeConfig(gitDir: string): Promise<void> {
  const file = path.join(gitDir, "config");
  const ours = [
    "[gc]\n\tauto = 0",
    "[maintenance]\n\tauto = false",
    "[core]\n\tlogAllRefUpdates = false\n\thooksPath = /dev/null",
    "[receive]\n\tdenyCurrentBranch = refuse",
    "[transfer]\n\thideRefs = refs/signalbox",
  ];
  await writeFile(file, `${await readFile(file, "utf8")}${ours.join("\n")}\n`);
}

async function writeStart(store: ObjectStore): Promise<string> {
  const tree = await store.write("tree", encodeTree(new Map()));
  const author = { name: "Signalbox", email: "signalbox@localhost", atMs: 0 };
  return await store.write("commit", encodeCommit(tree, { parents: [], message: "An empty project", author }));
}
