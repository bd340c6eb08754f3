import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command, RouteMap } from "@stricli/core";
import { describe, expect, test } from "vitest";
import type { Cli } from "./cli.ts";
import { commandGroups } from "./command-groups.ts";
import { commandTable, isBranch } from "./command-table.ts";
import { growWholeTree } from "./command-tree.ts";
import type { CliCommand } from "./define-command.ts";
import { helpFor } from "./help-for.ts";

const path = join(import.meta.dirname, "../../docs/reference/cli.md");
const endOfProse = "up to date. -->\n";

type Page = { readonly words: readonly string[]; readonly target: Command<Cli> | RouteMap<Cli> };

/** Every command, groups before what is in them. */
function pagesOf(map: RouteMap<Cli>, words: readonly string[]): Page[] {
  return map
    .getAllEntries()
    .filter(({ hidden }) => !hidden)
    .flatMap(({ name, target }) => {
      const here = [...words, name.original];
      const page = { words: here, target };
      return "getAllEntries" in target ? [page, ...pagesOf(target, here)] : [page];
    });
}

const pages = pagesOf(await growWholeTree(), ["signalbox"]);

test("the reference shows every command's own help, and no other command", async () => {
  const prose = readFileSync(path, "utf8").split(endOfProse)[0] ?? "";
  const sections = pages.map(
    ({ words, target }) => `## ${words.join(" ")}\n\n\`\`\`text\n${helpFor(target, words)}\`\`\`\n`,
  );
  await expect(`${prose}${endOfProse}\n${sections.join("\n")}`).toMatchFileSnapshot(path);
});

describe("every command", () => {
  const commands = pages.flatMap(({ words, target }) =>
    "getAllEntries" in target ? [] : [{ name: words.slice(1).join(" "), command: target as CliCommand }],
  );

  test.each(commands)("$name has a brief, an example and --json", ({ name, command }) => {
    expect(command.brief).toMatch(/^[A-Z].*\.$/);
    expect(command.help.examples.length).toBeGreaterThan(0);
    for (const [input] of command.help.examples) expect(input).toMatch(new RegExp(`^${name}\\b`));
    expect(Object.keys(command.parameters.flags ?? {})).toContain("json");
  });

  test.each(commands)("$name names in its usage only flags that it has", ({ command }) => {
    const { usage, examples } = command.help;
    const flags = Object.keys(command.parameters.flags ?? {}).map((flag) =>
      flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    );
    const own = examples.map(([input]) => input.split(/ (?:&&|\|) /)[0]);
    for (const [, negation, named = ""] of [usage, ...own]
      .join(" ")
      .matchAll(/(?:^|[ [])--(\[no-\]|no-)?([a-z][a-z-]*)/g)) {
      expect(flags, `${negation ?? ""}${named}`).toContain(named);
    }
  });
});

test("the list of all commands has each of them once", () => {
  const listed = commandGroups.flatMap(({ names }) => names);
  const visible = Object.entries(commandTable).flatMap(([name, { hidden }]) => (hidden === true ? [] : [name]));
  expect(listed.toSorted()).toEqual(visible.toSorted());
  expect(Object.values(commandTable).filter(isBranch).length).toBeGreaterThan(0);
});
