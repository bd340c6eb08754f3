// The command line as people meet it: a process of its own, with a home and a project that nobody else uses.

import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { builtProgram } from "../support/built-program.ts";
import { removeHome } from "../support/remove-home.ts";

const main = builtProgram("cli");

export type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

export class Sandbox {
  readonly folder = mkdtempSync(join(tmpdir(), "sb-cli-"));
  readonly home = join(this.folder, "home");
  readonly project = join(this.folder, "shop");
  readonly #children = new Set<ChildProcess>();

  constructor() {
    mkdirSync(join(this.project, "src"), { recursive: true });
    // Where the daemon is root its agents are somebody else, who has to get to the home.
    chmodSync(this.folder, 0o711);
  }

  /** Writes a script into the project and answers its path. */
  script(name: string, text: string): string {
    const path = join(this.folder, name);
    writeFileSync(path, text);
    return path;
  }

  start(words: readonly string[], cwd = this.project, env: Readonly<Record<string, string>> = {}): Running {
    const child = spawn(process.execPath, [main, ...words], {
      cwd,
      env: { ...process.env, SIGNALBOX_HOME: this.home, TMPDIR: this.folder, ...env },
      stdio: ["pipe", "pipe", "pipe"],
    });
    this.#children.add(child);
    child.once("exit", () => this.#children.delete(child));
    return new Running(child);
  }

  async run(...words: readonly string[]): Promise<Ended> {
    const running = this.start(words);
    running.closeInput();
    return await running.ended;
  }

  /** For what has to succeed: its standard output. */
  async ok(...words: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(...words);
    if (code !== 0) throw new Error(`signalbox ${words.join(" ")} ended with ${code}:\n${stdout}${stderr}`);
    return stdout;
  }

  /** For what has to succeed and answer with one document. */
  async json<T>(...words: readonly string[]): Promise<T> {
    const stdout = await this.ok(...words, "--json");
    if (stdout.indexOf("\n") !== stdout.length - 1) throw new Error(`this is not one document:\n${stdout}`);
    return JSON.parse(stdout) as T;
  }

  /** Ends whatever is left, each by its own id. */
  async close(): Promise<void> {
    const { stdout } = await this.run("status", "--json");
    const { pid } = JSON.parse(stdout) as { pid?: number };
    await this.run("kill", "--all");
    const { code } = await this.run("down");
    if (code !== 0 && pid !== undefined) process.kill(pid, "SIGKILL");
    for (const child of this.#children) child.kill("SIGKILL");
    await removeHome(this.home);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export class Running {
  readonly ended: Promise<Ended>;
  readonly #child: ChildProcess;
  readonly #lines: string[] = [];
  readonly #notes: string[] = [];
  readonly #wakes: (() => void)[] = [];
  #over = false;

  constructor(child: ChildProcess) {
    this.#child = child;
    const said = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const) {
      child[name]?.setEncoding("utf8").on("data", (text: string) => (said[name] += text));
    }
    this.#listen(child.stdout, this.#lines);
    this.#listen(child.stderr, this.#notes);
    this.ended = new Promise((resolve) =>
      child.once("close", (code) => {
        this.#over = true;
        for (const wake of this.#wakes.splice(0)) wake();
        resolve({ code, ...said });
      }),
    );
  }

  /** The first line of standard output that satisfies, as soon as it is there. */
  line(isMeant: (line: string) => boolean): Promise<string> {
    return this.#find(this.#lines, isMeant);
  }

  /** The same on standard error. */
  note(isMeant: (line: string) => boolean): Promise<string> {
    return this.#find(this.#notes, isMeant);
  }

  write(text: string): void {
    this.#child.stdin?.write(text);
  }

  closeInput(): void {
    this.#child.stdin?.end();
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  #listen(stream: Readable | null, lines: string[]): void {
    if (stream === null) return;
    createInterface({ input: stream }).on("line", (line) => {
      lines.push(line);
      for (const wake of this.#wakes.splice(0)) wake();
    });
  }

  async #find(lines: readonly string[], isMeant: (line: string) => boolean): Promise<string> {
    for (;;) {
      const found = lines.find(isMeant);
      if (found !== undefined) return found;
      if (this.#over) throw new Error(`it ended without the line; it said:\n${lines.join("\n")}`);
      await new Promise<void>((resolve) => this.#wakes.push(resolve));
    }
  }
}
