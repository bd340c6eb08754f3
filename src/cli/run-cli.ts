// Reads a command line and does what it says.

import { buildApplication, run } from "@stricli/core";
import { exitCodes } from "../protocol/errors.ts";
import type { Cli } from "./cli.ts";
import { growTree, loadLeaf, scannerConfiguration, understand } from "./command-tree.ts";
import { toFlagName } from "./help.ts";
import { helpIntegration } from "./help-for.ts";
import { makeUsageText } from "./usage-text.ts";

/** Does what the words say, and answers the exit code. */
export async function runCli(cli: Cli, typed: readonly string[]): Promise<number> {
  const words = toOwnWords(typed);
  const { path, leaf, names } = understand(words);
  const command = leaf === undefined ? undefined : await loadLeaf(leaf);
  const flags = Object.keys(command?.parameters.flags ?? {}).map(toFlagName);
  const complaints: string[] = [];
  const text = makeUsageText({ commands: names, flags }, (complaint) => complaints.push(complaint));
  const app = buildApplication<Cli>(
    growTree(leaf, command),
    { name: "signalbox", scanner: scannerConfiguration, localization: { text } },
    { help: helpIntegration },
  );
  await run(app, words, cli);
  if (complaints.length > 0) {
    return complain(cli, [...complaints, `See ${["signalbox", ...path].join(" ")} --help`].join(" "), words);
  }
  const { exitCode } = cli.process;
  return typeof exitCode === "number" && exitCode >= 0 ? exitCode : exitCodes.broken;
}

/** Where everybody looks first: `help ps`, `--version`. */
function toOwnWords(typed: readonly string[]): readonly string[] {
  const [first, ...rest] = typed;
  if (first === "help") return [...rest, "--help"];
  return first === "--version" || first === "-v" ? ["version", ...rest] : typed;
}

function complain(cli: Cli, message: string, words: readonly string[]): number {
  if (words.includes("--json")) cli.out.json({ error: { code: "bad-input", message, data: {}, ways: [] } });
  else cli.out.note(`${cli.out.noteColors.red("signalbox:")} ${message}`);
  return exitCodes.usage;
}
