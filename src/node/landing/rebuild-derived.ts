// Makes the derived files of a candidate again, by the project's own commands, in the workspace that it is tested in (LD17).
// Whatever else the commands change goes back to what the candidate has: only what is declared lands.

import type { Entry } from "../../core/landing/entry.ts";
import { isDerived, type Derived } from "../../core/project/derived.ts";
import type { CommandEnd } from "../../protocol/keeper/keeper-wire.ts";
import type { Workspace } from "../workspace/workspace.ts";

export type Rebuilt =
  | { readonly ok: true; readonly entries: ReadonlyMap<string, Entry> }
  | { readonly ok: false; readonly failed: Failed };

/** A command that did not do what it should. */
export type Failed = { readonly call: string; readonly argv: readonly string[]; readonly end: CommandEnd };

export type RunCommand = (call: string, argv: readonly string[]) => Promise<CommandEnd>;

export async function rebuildDerived(
  workspace: Workspace,
  derived: readonly Derived[],
  run: RunCommand,
): Promise<Rebuilt> {
  for (const [at, { command }] of derived.entries()) {
    const call = `derive-${at}`;
    const end = await run(call, command);
    if (end.exit !== 0) return { ok: false, failed: { call, argv: command, end } };
  }
  const works = derived.length === 0 ? [] : await workspace.alone(() => workspace.sweep());
  const others = works.filter(({ path }) => !isDerived(derived, path));
  if (others.length > 0) await workspace.alone(() => workspace.putBack(others));
  const made = works.filter(({ path }) => isDerived(derived, path));
  return { ok: true, entries: new Map(made.map(({ path, work }) => [path, work])) };
}
