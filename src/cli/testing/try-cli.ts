// Runs a command line in this process, against answers that the test gives. Only tests use it.

import { protocolError } from "../../protocol/errors.ts";
import type { LogEvent } from "../../protocol/wire/log-event.ts";
import { Cli } from "../cli.ts";
import type { Link } from "../link.ts";
import { runCli } from "../run-cli.ts";

export type Answers = Readonly<Record<string, unknown>>;

export type Tried = {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly calls: readonly (readonly [name: string, input: unknown])[];
};

export type TryOptions = {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly events?: readonly LogEvent[] | (() => AsyncIterable<LogEvent>);
  /** Whether a person looks: columns of the screen. */
  readonly columns?: number;
};

/** An answer that is a function is asked with the input; one that is an error is thrown. */
export async function tryCli(
  words: readonly string[],
  answers: Answers = {},
  options: TryOptions = {},
): Promise<Tried> {
  const calls: [string, unknown][] = [];
  let stdout = "";
  let stderr = "";
  const screen = options.columns === undefined ? {} : { isTTY: true, columns: options.columns };
  const cli = new Cli({
    program: "signalbox",
    stdout: { write: (text) => (stdout += text), ...screen },
    stderr: { write: (text) => (stderr += text) },
    env: { SIGNALBOX_HOME: "/nowhere", NO_COLOR: "1", ...options.env },
    cwd: options.cwd ?? "/",
    connect: () => fakeLink(answers, options.events ?? [], calls),
  });
  const exitCode = await runCli(cli, words);
  cli.close();
  return { exitCode, stdout, stderr, calls };
}

function fakeLink(answers: Answers, events: NonNullable<TryOptions["events"]>, calls: [string, unknown][]): Link {
  return {
    async call(name, input) {
      // Whoever shows how long ago something was asks for this as well. Where a test says nothing of it, nobody was ever down.
      const isAside = name === "status" && !Object.hasOwn(answers, name) && Object.keys(answers).length > 0;
      if (isAside) return { nowMs: 0, openings: [] } as never;
      calls.push([name, input]);
      if (!Object.hasOwn(answers, name)) throw protocolError("daemon-not-running", { where: "/nowhere" });
      const answer = answers[name];
      const given: unknown = typeof answer === "function" ? (answer as (input: unknown) => unknown)(input) : answer;
      if (given instanceof Error) throw given;
      return given as never;
    },
    async *events() {
      yield* typeof events === "function" ? events() : events;
    },
    socket: () => {
      throw protocolError("daemon-not-running", { where: "/nowhere" });
    },
    close: () => undefined,
  };
}
