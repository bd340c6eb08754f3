// The tree of commands as the library wants it. Only what is meant is loaded; of all other commands the name and the brief
// are enough.

import { buildCommand, buildRouteMap, type Command, type RouteMap } from "@stricli/core";
import type { Cli } from "./cli.ts";
import { type Branch, commandTable, isBranch, type Leaf } from "./command-table.ts";
import type { CliCommand } from "./define-command.ts";

/** Flags have dashes outside and none inside; after `--` everything is an argument. */
export const scannerConfiguration = { caseStyle: "allow-kebab-for-camel", allowArgumentEscapeSequence: true } as const;

type Table = Readonly<Record<string, Leaf | Branch>>;
type Routes = Record<string, Command<Cli> | RouteMap<Cli>>;

/** How much of a command line could be understood. */
export type Understood = {
  /** The names that led somewhere, without aliases: `project`, `add`. */
  readonly path: readonly string[];
  readonly leaf: Leaf | undefined;
  /** The names that can stand where the path ends. */
  readonly names: readonly string[];
};

export function understand(words: readonly string[], branch: Branch = trunk, path: readonly string[] = []): Understood {
  const [word = "", ...rest] = words;
  const name = branch.aliases?.[word] ?? word;
  const entry = Object.hasOwn(branch.commands, name) ? branch.commands[name] : undefined;
  if (entry === undefined) return { path, leaf: undefined, names: visibleNames(branch) };
  if (isBranch(entry)) return understand(rest, entry, [...path, name]);
  return { path: [...path, name], leaf: entry, names: [] };
}

/** The tree in which one command is loaded. */
export function growTree(leaf: Leaf | undefined, command: CliCommand | undefined): RouteMap<Cli> {
  const toTarget = (each: Leaf): Command<Cli> => (each === leaf && command !== undefined ? command : toStub(each));
  const grow = (branch: Branch): RouteMap<Cli> =>
    toRouteMap(branch, (entry) => (isBranch(entry) ? grow(entry) : toTarget(entry)));
  return grow(trunk);
}

/** The tree in which all of them are, for documents and completion. */
export async function growWholeTree(): Promise<RouteMap<Cli>> {
  const loaded = new Map<Leaf, CliCommand>();
  const load = async (table: Table): Promise<void> => {
    for (const entry of Object.values(table)) {
      if (isBranch(entry)) await load(entry.commands);
      else loaded.set(entry, await loadLeaf(entry));
    }
  };
  await load(commandTable);
  const grow = (branch: Branch): RouteMap<Cli> =>
    toRouteMap(branch, (entry) => (isBranch(entry) ? grow(entry) : (loaded.get(entry) ?? toStub(entry))));
  return grow(trunk);
}

export async function loadLeaf(leaf: Leaf): Promise<CliCommand> {
  return (await leaf.load())(leaf.brief);
}

const trunk: Branch = { brief: "", commands: commandTable };

function toRouteMap(branch: Branch, toTarget: (entry: Leaf | Branch) => Command<Cli> | RouteMap<Cli>): RouteMap<Cli> {
  // Without prototypes, so that `signalbox constructor` is no command.
  const routes = { __proto__: null } as unknown as Routes;
  const hideRoute: Record<string, boolean> = {};
  for (const [name, entry] of Object.entries(branch.commands)) {
    routes[name] = toTarget(entry);
    hideRoute[name] = entry.hidden === true;
  }
  const aliases = { __proto__: null, ...branch.aliases } as never;
  return buildRouteMap<string, Cli>({ routes, docs: { brief: branch.brief, hideRoute }, aliases });
}

function toStub(leaf: Leaf): Command<Cli> {
  return buildCommand<object, [], Cli>({ func: () => undefined, parameters: {}, docs: { brief: leaf.brief } });
}

function visibleNames(branch: Branch): string[] {
  return Object.entries(branch.commands).flatMap(([name, { hidden }]) => (hidden === true ? [] : [name]));
}
