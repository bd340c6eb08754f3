// Which terminal or view somebody means, by the name of its window, and opening it where there is none.

import type { View } from "../../protocol/wire/terminal.ts";
import type { Cli } from "../cli.ts";
import { UsageError } from "../usage-error.ts";

export const isTerminal = (target: string): boolean => /^te_[0-9a-z]+$/.test(target);
export const isRun = (target: string): boolean => /^r_[0-9a-z]+$/.test(target);

/** A window of an agent that is no terminal. */
export async function findView(cli: Cli, target: string, window: string): Promise<View | undefined> {
  if (isTerminal(target) || isRun(target)) return undefined;
  const { views } = await cli.link.call("terminal.list", { agent: target, limit: 1 });
  const found = views.find((view) => view.window === window);
  if (found === undefined && window === "run") throw new UsageError(`No run is in ${target}.`);
  return found;
}

export type How = {
  readonly isNew: boolean;
  readonly window: string | undefined;
  readonly readOnly: boolean;
  readonly size: { readonly cols: number; readonly rows: number };
};

/** The terminal that is meant: by its id, by the name of its window, the person's own, or a new one. */
export async function findOrOpen(cli: Cli, target: string, argv: readonly string[], how: How): Promise<string> {
  const { isNew, window, readOnly, size } = how;
  if (isTerminal(target)) {
    if (isNew || window !== undefined)
      throw new UsageError(`${target} is a terminal that is there: leave --new, --window and the program out.`);
    return target;
  }
  const owner = isRun(target) ? { run: target } : { agent: target };
  if (readOnly && !isNew) {
    const { terminals } = await cli.link.call("terminal.list", owner);
    const found = terminals.find((each) => window === undefined || each.window === window);
    if (found !== undefined) return found.id;
    const which = window === undefined ? "no terminal" : `no window ${window}`;
    throw new UsageError(`${target} has ${which} that is open. Without --read-only one is opened.`);
  }
  const named = window === undefined ? {} : { window };
  const program = argv.length === 0 ? {} : { argv: [...argv] };
  return (await cli.link.call("terminal.open", { ...owner, ...named, join: !isNew, ...program, ...size })).terminal;
}

/** Who types needs keys to type with. */
export function mustBeTerminal(readOnly: boolean): void {
  if (!readOnly && process.stdin.isTTY !== true)
    throw new UsageError("attach needs a terminal on standard input. To only look, give --read-only.");
}
