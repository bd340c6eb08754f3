// Terminals, from outside: opening, naming and ending them, and a word to those who are in one.

import { completePlaces, completeTerminals } from "../completers.ts";
import { type CommonFlags, defineCommand } from "../define-command.ts";
import { jsonFlag } from "../flags.ts";
import { parseNonEmpty } from "../parse-args.ts";

type Opening = CommonFlags & { readonly window?: string };

const terminalArgument = {
  parse: parseNonEmpty,
  placeholder: "TERMINAL",
  brief: "Id of a terminal, such as te_2b.",
  proposeCompletions: completeTerminals,
} as const;

export const terminalOpen = defineCommand<Opening, [string, ...string[]]>({
  usage: "[--window NAME] AGENT|RUN [-- COMMAND…]",
  about: "The terminal is there and recorded from then on, whether or not somebody looks. Answers its id.",
  examples: [["terminal open shop-1 --window tests -- npm test", "Run the tests where others can look at them."]],
  parameters: {
    flags: {
      window: {
        ...{ kind: "parsed", parse: parseNonEmpty, optional: true, placeholder: "NAME" },
        brief: "What it is called. Left out: like you, or like its program.",
      },
      json: jsonFlag,
    },
    aliases: { w: "window" },
    positional: {
      kind: "array",
      minimum: 1,
      parameter: {
        ...{ parse: String, placeholder: "AGENT", proposeCompletions: completePlaces },
        brief: "An agent or a run, then a program.",
      },
    },
  },
  async run(cli, { window, json }, place, ...argv) {
    const owner = /^r_[0-9a-z]+$/.test(place) ? { run: place } : { agent: place };
    const named = window === undefined ? {} : { window };
    const answer = await cli.link.call("terminal.open", { ...owner, ...named, ...(argv.length === 0 ? {} : { argv }) });
    if (json) return cli.out.json(answer);
    cli.out.print(answer.terminal);
  },
});

export const terminalRename = defineCommand<CommonFlags, [string, string]>({
  usage: "TERMINAL NAME",
  examples: [["terminal rename te_2b tests", "Give it the name that others look for."]],
  parameters: {
    flags: { json: jsonFlag },
    positional: {
      kind: "tuple",
      parameters: [
        terminalArgument,
        { parse: parseNonEmpty, placeholder: "NAME", brief: "What it is called from now on." },
      ],
    },
  },
  async run(cli, { json }, terminal, window) {
    const answer = await cli.link.call("terminal.rename", { terminal, window });
    if (json) cli.out.json(answer);
  },
});

export const terminalSay = defineCommand<CommonFlags, [string, ...string[]]>({
  usage: "TERMINAL TEXT…",
  about: "A line beside the terminal: it is not typed and not recorded. In attach, ctrl-p ctrl-s does the same.",
  examples: [['terminal say te_2b "please do not restart it"', "Tell those who are there."]],
  parameters: {
    flags: { json: jsonFlag },
    positional: {
      kind: "array",
      minimum: 2,
      parameter: { ...terminalArgument, brief: "Id of a terminal, then what to say." },
    },
  },
  async run(cli, { json }, terminal, ...words) {
    const answer = await cli.link.call("terminal.say", { terminal, text: words.join(" ") });
    if (json) return cli.out.json(answer);
    cli.out.note(answer.heard === 0 ? "Nobody is there." : `Said to ${answer.heard}.`);
  },
});

export const terminalClose = defineCommand<CommonFlags, string[]>({
  usage: "TERMINAL…",
  about: "Everything that was started in it ends, for all who look. Its recording is kept.",
  examples: [["terminal close te_2b", "End one."]],
  parameters: {
    flags: { json: jsonFlag },
    positional: { kind: "array", minimum: 1, parameter: terminalArgument },
  },
  async run(cli, { json }, ...terminals) {
    for (const terminal of terminals) await cli.link.call("terminal.close", { terminal });
    if (json) cli.out.json({ terminals });
  },
});
