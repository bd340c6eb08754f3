// The help of whatever a command line ends at.

import type { Command, CommandContext, RouteMap, StricliIntegration } from "@stricli/core";
import type { Cli } from "./cli.ts";
import { commandGroups } from "./command-groups.ts";
import { commandTable } from "./command-table.ts";
import type { CliCommand } from "./define-command.ts";
import { type HelpArgument, type Listing, toCommandHelp, toGroupHelp } from "./help.ts";

export const helpIntegration: StricliIntegration<Cli> = {
  flag: {
    brief: "Shows this help.",
    aliases: ["h"],
    global: true,
    defaultForRouteMap: true,
    run(this: CommandContext, _, { result }) {
      this.process.stdout.write(helpFor(result.target, result.prefix));
    },
  },
};

export function helpFor(target: Command<Cli> | RouteMap<Cli>, prefix: readonly string[]): string {
  const path = prefix.join(" ");
  if ("getAllEntries" in target) {
    const isRoot = prefix.length === 1;
    const listings = isRoot ? rootListings() : [toListing("Commands", target)];
    return toGroupHelp(path, isRoot ? rootBrief : target.brief, listings, isRoot ? [rootMore] : []);
  }
  const command = target as CliCommand;
  const { flags = {}, aliases = {}, positional } = command.parameters;
  return toCommandHelp({
    ...command.help,
    path,
    brief: command.brief,
    flags,
    aliases,
    arguments: positional === undefined ? [] : toArguments(positional),
  });
}

type Positional = NonNullable<Command<Cli>["parameters"]["positional"]>;

function toArguments(positional: Positional): readonly HelpArgument[] {
  return positional.kind === "array" ? [positional.parameter] : positional.parameters;
}

function toListing(title: string, map: RouteMap<Cli>): Listing {
  const entries = map.getAllEntries().filter(({ hidden }) => !hidden);
  return { title, commands: entries.map(({ name, target }) => [name.original, target.brief] as const) };
}

function rootListings(): Listing[] {
  return commandGroups.map(({ title, names }) => ({
    title,
    commands: names.map((name) => [name, commandTable[name]?.brief ?? ""] as const),
  }));
}

const rootBrief = `Signalbox runs AI agents side by side on real repositories; no two hold the same piece of track.`;
const rootMore = `Environment:
  SIGNALBOX_HOME        Where state lives. Left out: \${XDG_STATE_HOME:-~/.local/state}/signalbox
  SIGNALBOX_CACHE       Where daemons keep what they can make again, if several shall share it.
  SIGNALBOX_WORKSPACES  How the daemon makes workspaces: auto, overlay or clone.
  SIGNALBOX_FILE_BYTES_MAX
                        A larger file of a run is scratch and never lands, and of what a
                        command says so much is kept. Left out: 1GiB.
  NO_COLOR              No colours.

Every command takes --json. Exit codes: 0 done, 1 failed, 2 wrong usage, 3 refused, 4 not found, 5 no daemon,
6 timed out, 7 not allowed, 8 broken, 9 needs somebody, 130 interrupted.`;
