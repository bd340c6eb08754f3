import { buildApplication, proposeCompletions } from "@stricli/core";
import { type CommonFlags, defineCommand } from "../define-command.ts";
import { jsonFlag } from "../flags.ts";
import { parseText } from "../parse-args.ts";
import { growWholeTree, scannerConfiguration } from "../command-tree.ts";

/** For the shells' scripts: the words so far, the last of them unfinished. Answers a word and its brief per line. */
export const completeWords = defineCommand<CommonFlags, string[]>({
  usage: "-- WORD…",
  examples: [],
  parameters: {
    flags: { json: jsonFlag },
    positional: { kind: "array", parameter: { parse: parseText, placeholder: "WORD", brief: "A word." } },
  },
  async run(cli, { json }, ...words) {
    const app = buildApplication(await growWholeTree(), { name: "signalbox", scanner: scannerConfiguration });
    const proposals = await proposeCompletions(app, words, cli);
    // The escape is possible nearly everywhere and meant nearly never.
    const useful = proposals.filter(({ completion }) => completion !== "--");
    if (json) cli.out.json({ proposals: useful });
    else for (const { completion, brief } of useful) cli.out.print(`${completion}\t${brief.split("\n")[0]}`);
  },
});
