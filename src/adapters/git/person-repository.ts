// The person's own repository: where it is, what its branch stands at and where that branch is checked out. Only plumbing
// that starts nothing is run on it; above all no hook is: one may live in the tracked tree (core.hooksPath=.husky), and then
// a landing would be executed by the daemon the moment it is published.

import { lstat, readdir, readFile, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { Fault } from "../../base/fault.ts";
import { readIfThere } from "../../os/durable-file.ts";
import { isErrno } from "../../os/errno.ts";
import type { GitRunner } from "./git-runner.ts";
import type { ObjectFormat } from "./object-codec.ts";

export type PersonRepository = {
  readonly root: string;
  readonly gitDir: string;
  readonly commonDir: string;
  readonly format: ObjectFormat;
};

export type Checkout = {
  readonly gitDir: string;
  /** Null where the folder is gone or not reachable. */
  readonly root: string | null;
  readonly named: string;
  /** What somebody is in the middle of there, if anything. */
  readonly busyWith: string | null;
};

const inTheMiddle: Readonly<Record<string, string>> = {
  MERGE_HEAD: "a merge",
  CHERRY_PICK_HEAD: "a cherry-pick",
  REVERT_HEAD: "a revert",
  BISECT_START: "a bisect",
  "rebase-merge": "a rebase",
  "rebase-apply": "a rebase",
  sequencer: "a sequence of picks",
};

/** Finds the repository of a folder: null where the folder is a plain one. What we cannot work with is a fault. */
export async function findPersonRepository(git: GitRunner, folder: string): Promise<PersonRepository | null> {
  const found = await locate(folder);
  if (found === null) {
    await refuseInsideOrBare(await realpath(folder));
    return null;
  }
  const { root, gitDir, commonDir } = found;
  const place = { gitDir };
  const format = await git.run(place, ["rev-parse", "--show-object-format"]).catch((cause: unknown) => {
    throw unfit(
      `git cannot read the repository at ${root}: ${cause instanceof Error ? cause.message : String(cause)}`,
      cause,
    );
  });
  const wanted = "^(extensions\\.partialclone|remote\\..*\\.promisor)$";
  const partial = await git.run(place, ["config", "--includes", "--name-only", "--get-regexp", wanted], {
    exits: [0, 1],
  });
  if (partial.exit === 0) {
    throw unfit(
      `${root} is a partial clone, whose missing files only its remote has. Fetch them all with: git fetch --refetch --no-filter`,
    );
  }
  return { root, gitDir, commonDir, format: format.text as ObjectFormat };
}

/** Where a branch stands by the files of its repository alone; null where that cannot be told without git. */
export async function readTip(folder: string, branch: string): Promise<string | null> {
  try {
    const { commonDir } = (await locate(folder)) ?? {};
    // Another way of keeping refs, whose files are not these.
    if (commonDir === undefined || (await kindOf(path.join(commonDir, "reftable"))) !== null) return null;
    const ref = `refs/heads/${branch}`;
    const loose = await readIfThere(path.join(commonDir, ref));
    if (loose !== null) return toTip(loose);
    // In this order: a ref that is being packed is there before its own file goes.
    const packed = (await readIfThere(path.join(commonDir, "packed-refs"))) ?? "";
    const line = packed.split("\n").find((each) => each.endsWith(` ${ref}`));
    return toTip(line?.slice(0, -ref.length - 1) ?? "");
  } catch {
    // Whatever is wrong with it, git and we say so where it is needed.
    return null;
  }
}

function toTip(text: string): string | null {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})\n?$/.test(text) ? text.trimEnd() : null;
}

async function locate(folder: string): Promise<Omit<PersonRepository, "format"> | null> {
  const root = await realpath(folder);
  const link = path.join(root, ".git");
  const kind = await kindOf(link);
  if (kind === null) return null;
  const gitDir = kind === "folder" ? link : await followGitFile(link);
  const common = await readIfThere(path.join(gitDir, "commondir"));
  const commonDir = common === null ? gitDir : await realpath(path.resolve(gitDir, common.trimEnd()));
  await refuseForeign(root, commonDir);
  return { root, gitDir, commonDir };
}

/** The branch that is checked out at the project's folder. */
export async function currentBranch(git: GitRunner, person: PersonRepository): Promise<string> {
  const { exit, text } = await git.run(person, ["symbolic-ref", "--quiet", "HEAD"], { exits: [0, 1] });
  if (exit === 0 && text.startsWith("refs/heads/")) return text.slice("refs/heads/".length);
  throw unfit(`${person.root} has no branch checked out (its HEAD is detached). Check one out: git switch BRANCH`);
}

export async function checkBranchName(git: GitRunner, branch: string): Promise<void> {
  const { exit } = await git.run({ gitDir: "/" }, ["check-ref-format", `refs/heads/${branch}`], { exits: [0, 1] });
  if (exit !== 0 || branch.startsWith("-")) throw unfit(`${JSON.stringify(branch)} cannot be the name of a branch`);
}

export async function personTip(
  git: GitRunner,
  person: Pick<PersonRepository, "gitDir">,
  branch: string,
): Promise<string | null> {
  const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `refs/heads/${branch}^{commit}`];
  const { exit, text } = await git.run({ gitDir: person.gitDir }, args, { exits: [0, 1] });
  return exit === 0 ? text : null;
}

/** Everywhere that the branch is checked out, or was before somebody began what is not over yet. */
export async function checkoutsOf(git: GitRunner, person: PersonRepository, branch: string): Promise<Checkout[]> {
  const found: Checkout[] = [];
  for (const gitDir of [person.commonDir, ...(await linkedGitDirs(person.commonDir))]) {
    const busyWith = await busyIn(gitDir);
    const head = await git.run({ gitDir }, ["symbolic-ref", "--quiet", "HEAD"], { exits: [0, 1, 128] });
    const isHere = head.text === `refs/heads/${branch}` || (await wasHere(gitDir, branch));
    if (isHere && !(gitDir === person.commonDir && (await isBare(git, person))))
      found.push({ gitDir, busyWith, ...(await rootOf(gitDir, person)) });
  }
  return found;
}

async function isBare(git: GitRunner, person: PersonRepository): Promise<boolean> {
  const answer = await git.run(
    { gitDir: person.commonDir },
    ["config", "--includes", "--type=bool", "--get", "core.bare"],
    { exits: [0, 1] },
  );
  return answer.text === "true";
}

async function linkedGitDirs(commonDir: string): Promise<string[]> {
  const folder = path.join(commonDir, "worktrees");
  const names = await readdir(folder).catch((error: unknown) => {
    if (isErrno(error, "ENOENT")) return [];
    throw error;
  });
  return names.map((name) => path.join(folder, name));
}

async function busyIn(gitDir: string): Promise<string | null> {
  for (const [name, what] of Object.entries(inTheMiddle)) {
    if ((await kindOf(path.join(gitDir, name))) !== null) return what;
  }
  return null;
}

/** During a rebase or bisect HEAD names no branch; these files say which one will be moved or returned to. */
async function wasHere(gitDir: string, branch: string): Promise<boolean> {
  const names = ["rebase-merge/head-name", "rebase-apply/head-name", "BISECT_START"];
  const texts = await Promise.all(names.map((name) => readIfThere(path.join(gitDir, name))));
  return texts.some((text) => [branch, `refs/heads/${branch}`].includes(text?.trimEnd() ?? ""));
}

async function rootOf(gitDir: string, person: PersonRepository): Promise<{ root: string | null; named: string }> {
  if (gitDir === person.gitDir) return { root: person.root, named: person.root };
  const link = await readIfThere(path.join(gitDir, "gitdir"));
  // The main checkout has no such file. Its folder is the one that its repository lies in.
  const named = link === null ? path.dirname(gitDir) : path.dirname(path.resolve(gitDir, link.trimEnd()));
  // The folder has to point back: something else may have come to stand there.
  const isItsOwn = await sameGitDir(path.join(named, ".git"), gitDir);
  return { root: isItsOwn ? named : null, named };
}

async function sameGitDir(link: string, gitDir: string): Promise<boolean> {
  try {
    const target = (await kindOf(link)) === "folder" ? link : await followGitFile(link);
    return (await realpath(target)) === (await realpath(gitDir));
  } catch {
    return false;
  }
}

async function refuseForeign(root: string, commonDir: string): Promise<void> {
  const [{ uid }, me] = [await stat(commonDir), process.getuid?.()];
  if (me === undefined || uid === me) return;
  throw unfit(
    `the repository at ${root} belongs to the user ${uid}, and this is the user ${me}. Run the daemon as its owner.`,
  );
}

async function refuseInsideOrBare(root: string): Promise<void> {
  const marks = await Promise.all(["HEAD", "objects", "refs"].map((name) => kindOf(path.join(root, name))));
  if (marks.every((mark) => mark !== null))
    throw unfit(`${root} is a bare repository: it has no files to work on. Name a checkout of it.`);
  for (let folder = path.dirname(root); ; folder = path.dirname(folder)) {
    if ((await kindOf(path.join(folder, ".git"))) !== null)
      throw unfit(`${root} lies within the repository ${folder}. Name that folder instead.`);
    if (folder === path.dirname(folder)) return;
  }
}

async function followGitFile(file: string): Promise<string> {
  const match = /^gitdir: (.+?)\n?$/s.exec(await readFile(file, "utf8"));
  if (match?.[1] === undefined) throw unfit(`${file} does not say where its repository is`);
  try {
    return await realpath(path.resolve(path.dirname(file), match[1]));
  } catch (cause) {
    throw unfit(`${file} names ${match[1]}, which is not there`, cause);
  }
}

async function kindOf(file: string): Promise<"folder" | "other" | null> {
  try {
    return (await lstat(file)).isDirectory() ? "folder" : "other";
  } catch (error) {
    if (isErrno(error, "ENOENT", "ENOTDIR")) return null;
    throw error;
  }
}

export function unfit(message: string, cause?: unknown): Fault {
  return new Fault("not-a-repository", { retry: "never", message, cause });
}
