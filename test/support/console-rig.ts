// A daemon of its own and a real browser, for tests of the console and for its pictures.

import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { type Browser, chromium } from "playwright-core";
import { buildConsole } from "../../scripts/build-console.ts";
import { type Client, connectHttp } from "../../src/client/client.ts";
import { builtProgram } from "./built-program.ts";
import { keptPort } from "./free-ports.ts";
import { removeHome } from "./remove-home.ts";
import { homePaths } from "../../src/protocol/home.ts";

const chromiumPath = process.env["SIGNALBOX_CHROMIUM"] ?? "/usr/bin/chromium";
const chromiumFlags = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-quic",
];

export function hasChromium(): boolean {
  return existsSync(chromiumPath);
}

export function launchChromium(more: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath, args: [...chromiumFlags, ...more] });
}

export class ConsoleRig {
  /** Everything that it leaves on the disk. */
  readonly folder: string;
  readonly #port: number;
  #child: ChildProcess | undefined;
  #url = "";
  #loginUrl = "";

  private constructor(folder: string, port: number) {
    this.folder = folder;
    this.#port = port;
  }

  /** Builds the console if it changed, and starts a daemon that nobody else uses. */
  static async start(): Promise<ConsoleRig> {
    await buildConsole();
    const rig = new ConsoleRig(await mkdtemp(path.join(tmpdir(), "sb-console-")), await keptPort());
    await rig.up();
    return rig;
  }

  get url(): string {
    return this.#url;
  }

  /** Opens the console once. */
  get loginUrl(): string {
    return this.#loginUrl;
  }

  /** Starts the daemon, always on the same port: a page that was open finds it there. */
  async up(): Promise<void> {
    const args = [builtProgram("cli"), "up", "--port", String(this.#port), "--json"];
    const env = { ...process.env, SIGNALBOX_HOME: this.home };
    const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "inherit"] });
    this.#child = child;
    const line = await new Promise<string>((resolve, reject) => {
      createInterface({ input: child.stdout }).once("line", resolve);
      child.once("exit", (code) => reject(new Error(`the daemon ended with ${code} before it was ready`)));
    });
    const { url, loginUrl } = JSON.parse(line) as { url: string; loginUrl: string };
    this.#url = url;
    this.#loginUrl = loginUrl;
  }

  /** Ends the daemon without a word, and waits until it is gone. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (child === undefined || !this.#isUp()) return;
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await gone;
  }

  async connect(): Promise<Client> {
    const token = await readFile(homePaths(this.home).token, "utf8");
    return connectHttp({ url: this.#url, token: token.trim() });
  }

  /** A folder to be a project. */
  async makeFolder(name: string): Promise<string> {
    const folder = path.join(this.folder, "projects", name);
    await mkdir(folder, { recursive: true });
    return folder;
  }

  /** Ends its runs, then the daemon: commands outlive a daemon that is killed, and nobody would end them later. */
  async remove(): Promise<void> {
    if (!this.#isUp()) await this.up();
    await this.#endRuns();
    await this.kill();
    await removeHome(this.home);
    await rm(this.folder, { recursive: true, force: true });
  }

  async #endRuns(): Promise<void> {
    const client = await this.connect();
    const { seq } = await client.call("status", {});
    const ended = await client.call("run.stop-all", {});
    const left = new Set(ended.runs);
    // A run that never started has nothing to prove, so this waits for a while and not for all.
    const signal = AbortSignal.timeout(left.size === 0 ? 0 : 2000);
    for await (const event of client.events({ after: seq, types: ["run.stopped"], signal })) {
      left.delete(String(event["run"]));
      if (left.size === 0) break;
    }
  }

  #isUp(): boolean {
    const child = this.#child;
    return child !== undefined && child.exitCode === null && child.signalCode === null;
  }

  private get home(): string {
    return path.join(this.folder, "home");
  }
}
