// What every command gets: where to print, which home, and a line to its daemon.

import type { CommandContext, StricliProcess } from "@stricli/core";
import { type Env, homeOf } from "./home.ts";
import { Interrupt } from "./interrupt.ts";
import { connectLink, type Link } from "./link.ts";
import { Output, type Stream } from "./output.ts";

export type CliOptions = {
  /** The file that was started, for whoever has to start it again. */
  readonly program: string;
  readonly stdout: Stream;
  readonly stderr: Stream;
  readonly env: Env;
  readonly cwd: string;
  /** Tests put a daemon of their own behind it. */
  readonly connect?: (home: string) => Link;
};

export class Cli implements CommandContext {
  readonly program: string;
  readonly process: StricliProcess;
  readonly out: Output;
  readonly env: Env;
  readonly cwd: string;
  readonly home: string;
  readonly interrupt: Interrupt;
  readonly #options: CliOptions;
  #link: Link | undefined;

  constructor(options: CliOptions, interrupt = new Interrupt()) {
    const { stdout, stderr } = options;
    // The library may print help. Its complaints are collected as they are worded and said elsewhere, where colours and
    // JSON are known.
    this.process = { stdout: { write: (text) => void stdout.write(text) }, stderr: { write: () => undefined } };
    this.out = new Output(stdout, stderr, options.env);
    this.program = options.program;
    this.env = options.env;
    this.cwd = options.cwd;
    this.home = homeOf(options.env, options.cwd);
    this.interrupt = interrupt;
    this.#options = options;
  }

  /** The line to the daemon of this home, opened once. */
  get link(): Link {
    return (this.#link ??= (this.#options.connect ?? connectLink)(this.home));
  }

  /** The same command, speaking to the daemon of another home. */
  at(home: string): Cli {
    return new Cli({ ...this.#options, env: { ...this.env, SIGNALBOX_HOME: home } }, this.interrupt);
  }

  /** The same line to the daemon, with all that is said going elsewhere. */
  beside(stream: Stream, interrupt: Interrupt): Cli {
    return new Cli({ ...this.#options, stdout: stream, stderr: stream, connect: () => this.link }, interrupt);
  }

  /** Lets go of everything that would keep the process alive. */
  close(): void {
    this.interrupt.close();
    this.#link?.close();
  }
}
