// How a command is written down: what it takes, how its help reads, and what it does. Errors that it throws become a
// sentence and an exit code in one place.

import { type BaseArgs, buildCommand, type Command, type TypedCommandParameters } from "@stricli/core";
import type { Cli } from "./cli.ts";
import { reportError } from "./report-error.ts";

/** Every command can answer with JSON. */
export type CommonFlags = { readonly json: boolean };

export type CommandSpec<Flags extends CommonFlags, Args extends BaseArgs> = {
  /** What comes after the name, as one would type it. */
  readonly usage: string;
  /** More than the brief says: what to expect, what to know. */
  readonly about?: string;
  /** What comes after `signalbox`, each with what it does. */
  readonly examples: readonly (readonly [input: string, what: string])[];
  readonly parameters: TypedCommandParameters<Flags, Args, Cli>;
  /** Answers the exit code; nothing is success. */
  readonly run: (cli: Cli, flags: Flags, ...args: Args) => Promise<number | void>;
};

export type CommandHelp = Pick<CommandSpec<CommonFlags, BaseArgs>, "usage" | "about" | "examples">;
export type CliCommand = Command<Cli> & { readonly help: CommandHelp };
/** The brief stands in the table of commands, so that listing them loads none of them. */
export type CommandMaker = (brief: string) => CliCommand;

export function defineCommand<Flags extends CommonFlags, Args extends BaseArgs = []>(
  spec: CommandSpec<Flags, Args>,
): CommandMaker {
  const { usage, about, examples, parameters, run } = spec;
  return (brief) => {
    const command = buildCommand<Flags, Args, Cli>({
      docs: { brief },
      // Without a prototype, so that `--constructor` is no flag.
      parameters: { ...parameters, flags: { __proto__: null, ...parameters.flags } as never },
      async func(flags, ...args) {
        try {
          this.process.exitCode = (await run(this, flags, ...args)) ?? 0;
        } catch (error) {
          this.process.exitCode = await reportError(this, error, flags.json);
        }
      },
    });
    const help: CommandHelp = about === undefined ? { usage, examples } : { usage, about, examples };
    return { ...command, help };
  };
}
