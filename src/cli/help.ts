// The help of every command, of groups of commands, and of all of them. The reference in docs is made of the same text.

import type { CommandHelp } from "./define-command.ts";
import { padEnd, widthOf } from "./text/text-width.ts";

/** A flag as the library describes it. */
export type HelpFlag = {
  readonly kind: string;
  readonly brief: string;
  readonly placeholder?: string | undefined;
  readonly variadic?: boolean | string | undefined;
  readonly values?: readonly string[] | undefined;
  readonly hidden?: boolean | undefined;
};

export type HelpArgument = { readonly placeholder?: string | undefined; readonly brief: string };

export type CommandPage = CommandHelp & {
  /** Such as `signalbox project add`. */
  readonly path: string;
  readonly brief: string;
  readonly flags: Readonly<Record<string, HelpFlag>>;
  readonly aliases: Readonly<Record<string, string>>;
  readonly arguments: readonly HelpArgument[];
};

export type Listing = {
  readonly title: string;
  readonly commands: readonly (readonly [name: string, brief: string])[];
};

export function toCommandHelp(page: CommandPage): string {
  const { path, brief, usage, about, examples } = page;
  const parts = [`Usage: ${path}${usage === "" ? "" : ` ${usage}`}`, brief];
  if (about !== undefined) parts.push(about);
  if (page.arguments.length > 0) {
    const rows = page.arguments.map((each) => [each.placeholder ?? "", each.brief] as const);
    parts.push(`Arguments:\n${toRows(rows)}`);
  }
  parts.push(`Flags:\n${toRows(flagRows(page))}`);
  parts.push(`Examples:\n${examples.map(([input, what]) => `  # ${what}\n  signalbox ${input}`).join("\n")}`);
  return `${parts.join("\n\n")}\n`;
}

export function toGroupHelp(
  path: string,
  brief: string,
  listings: readonly Listing[],
  more: readonly string[],
): string {
  const parts = [`Usage: ${path} COMMAND`, brief];
  for (const { title, commands } of listings) parts.push(`${title}:\n${toRows(commands)}`);
  return `${[...parts, ...more, `See ${path} COMMAND --help for what a command takes.`].join("\n\n")}\n`;
}

/** Names of flags are written in one word inside and with dashes outside. */
export function toFlagName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function flagRows(page: CommandPage): (readonly [string, string])[] {
  const rows = Object.entries(page.flags)
    .filter(([, flag]) => flag.hidden !== true)
    .map(([name, flag]) => {
      const alias = Object.keys(page.aliases).find((letter) => page.aliases[letter] === name);
      const value = flag.kind === "boolean" ? "" : ` ${flag.placeholder ?? flag.values?.join("|") ?? "VALUE"}`;
      const often = flag.variadic === undefined || flag.variadic === false ? "" : " Can be given several times.";
      return [toTerm(alias, `${toFlagName(name)}${value}`), `${flag.brief}${often}`] as const;
    });
  return [...rows, [toTerm("h", "help"), "Shows this help."]];
}

function toTerm(alias: string | undefined, name: string): string {
  return alias === undefined ? `    --${name}` : `-${alias}, --${name}`;
}

const textWidthMax = 110;

/** Two columns; a text that is too long for its line goes on below itself. */
function toRows(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([term]) => widthOf(term)));
  return rows
    .map(([term, text]) => {
      const lines = wrap(text, textWidthMax - width - 4);
      const indent = " ".repeat(width + 4);
      return `  ${padEnd(term, width)}  ${lines.join(`\n${indent}`)}`.trimEnd();
    })
    .join("\n");
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && widthOf(line) + 1 + widthOf(word) > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
