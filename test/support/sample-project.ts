// A real repository with a person in it, for tests that work on it through a daemon.

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export class SampleProject {
  readonly root: string;

  constructor(files: Readonly<Record<string, string>>, parent: string = tmpdir()) {
    this.root = mkdtempSync(join(parent, "sb-repo-"));
    this.git("init", "--quiet", "--initial-branch=main");
    this.git("config", "user.name", "Eva");
    this.git("config", "user.email", "eva@example.org");
    this.write(files);
    this.commit("the beginning");
  }

  git(...args: readonly string[]): string {
    return execFileSync("git", ["-C", this.root, ...args], { encoding: "utf8" }).trimEnd();
  }

  write(files: Readonly<Record<string, string>>): void {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.root, path)), { recursive: true });
      writeFileSync(join(this.root, path), text);
    }
  }

  read(path: string): string {
    return readFileSync(join(this.root, path), "utf8");
  }

  /** Only when no daemon has it any more: a folder that comes after may get its inode. */
  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }

  commit(message: string): string {
    this.git("add", "--all");
    this.git("commit", "--quiet", "--no-verify", "--allow-empty", `--message=${message}`);
    return this.git("rev-parse", "HEAD");
  }
}
