// A person at their own repository: plain git with a plain configuration, as they would type it.

import { execFile, execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";

const environment = {
  PATH: process.env["PATH"],
  HOME: "/nonexistent",
  LANG: "C",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "Ann",
  GIT_AUTHOR_EMAIL: "ann@example.org",
  GIT_COMMITTER_NAME: "Ann",
  GIT_COMMITTER_EMAIL: "ann@example.org",
};

export class Person {
  readonly root: string;

  constructor(root: string) {
    this.root = root;
    mkdirSync(root, { recursive: true });
  }

  /** A repository with a first commit. */
  static withRepository(
    root: string,
    files: Record<string, string> = { "a.txt": "one\n" },
    ...flags: string[]
  ): Person {
    const person = new Person(root);
    person.git("init", "--quiet", "--initial-branch=main", ...flags);
    person.commit(files);
    return person;
  }

  git(...args: string[]): string {
    return execFileSync("git", args, { cwd: this.root, env: environment, stdio: ["ignore", "pipe", "pipe"] })
      .toString()
      .trimEnd();
  }

  /** For commands that meanwhile go on, or fail. */
  gitLater(...args: string[]): Promise<{ ok: boolean; output: string }> {
    return new Promise((resolve) => {
      const child = execFile("git", args, { cwd: this.root, env: environment }, (error, stdout, stderr) => {
        resolve({ ok: error === null, output: stdout + stderr });
      });
      child.stdin?.end();
    });
  }

  write(files: Record<string, string | Uint8Array | null>): void {
    for (const [name, content] of Object.entries(files)) {
      const file = path.join(this.root, name);
      if (content === null) rmSync(file, { recursive: true, force: true });
      else {
        mkdirSync(path.dirname(file), { recursive: true });
        writeFileSync(file, content);
      }
    }
  }

  link(name: string, target: string): void {
    mkdirSync(path.dirname(path.join(this.root, name)), { recursive: true });
    symlinkSync(target, path.join(this.root, name));
  }

  makeProgram(name: string): void {
    chmodSync(path.join(this.root, name), 0o755);
  }

  commit(files: Record<string, string | Uint8Array | null>, message = "by hand"): string {
    this.write(files);
    this.git("add", "--all");
    this.git("commit", "--quiet", "--allow-empty", "-m", message);
    return this.git("rev-parse", "HEAD");
  }

  /** Commits many files without writing them out. */
  importFiles(files: readonly (readonly [string, string])[]): void {
    const lines = ["commit refs/heads/main", "committer Ann <ann@example.org> 1770000000 +0000", "data 4", "many"];
    for (const [name, text] of files) lines.push(`M 100644 inline ${name}`, `data ${Buffer.byteLength(text)}`, text);
    const input = `${lines.join("\n")}\n`;
    execFileSync("git", ["fast-import", "--quiet"], { cwd: this.root, env: environment, input });
  }
}
