// A real daemon in a process of its own, with a private home: for tests that kill it.

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { connectHttp, type Client } from "../../src/client/client.ts";
import { homePaths, type DaemonInfo } from "../../src/protocol/home.ts";
import { removeHome } from "./remove-home.ts";

const root = join(import.meta.dirname, "../..");

export class DaemonProcess {
  readonly home: string;
  #child: ChildProcess | undefined;
  #ready = Promise.withResolvers<void>();

  readonly #env: Readonly<Record<string, string>>;

  private constructor(home: string, env: Readonly<Record<string, string>>) {
    this.home = home;
    this.#env = env;
  }

  /** With these variables beside our own. 0 is any port that is free. */
  static async start(env: Readonly<Record<string, string>> = {}, port = 0): Promise<DaemonProcess> {
    const daemon = new DaemonProcess(await mkdtemp(join(tmpdir(), "sb-")), env);
    await daemon.up(port);
    return daemon;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** The process of the life that it has now. */
  get process(): ChildProcess {
    if (this.#child === undefined) throw new Error("the daemon was never started");
    return this.#child;
  }

  /** Resolves as soon as there is a daemon that answers. */
  whenUp(): Promise<void> {
    return this.#ready.promise;
  }

  /** Starts it and waits until it says that it is ready. 0 is any port that is free. */
  async up(port = 0): Promise<void> {
    const script = join(root, "test/support/daemon-main.ts");
    const env = { ...process.env, ...this.#env };
    const child = spawn(process.execPath, [script, this.home, String(port)], {
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.#child = child;
    const lines = createInterface({ input: child.stdout });
    await new Promise<void>((resolve, reject) => {
      lines.once("line", () => resolve());
      child.once("exit", (code) => reject(new Error(`the daemon ended with ${code} before it was ready`)));
    });
    this.#ready.resolve();
  }

  /** Ends it as a power cut of the process would, and waits until it is gone. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    this.#ready = Promise.withResolvers();
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await gone;
  }

  /** A client for the life that the daemon has now. */
  async connect(): Promise<Client> {
    const paths = homePaths(this.home);
    const { url } = JSON.parse(await readFile(paths.daemon, "utf8")) as DaemonInfo;
    return connectHttp({ url, token: (await readFile(paths.token, "utf8")).trim() });
  }

  async remove(): Promise<void> {
    await this.kill();
    await removeHome(this.home);
  }
}
