import { completePlaces } from "../completers.ts";
import { type CommonFlags, defineCommand } from "../define-command.ts";
import { flag, jsonFlag } from "../flags.ts";
import { askNow } from "../now.ts";
import { parseNonEmpty } from "../parse-args.ts";
import { terminalColumns, terminalRows } from "../view/terminal-rows.ts";

type Flags = CommonFlags & { readonly all: boolean };

export const terminalList = defineCommand<Flags, [string?]>({
  usage: "[AGENT|RUN] [--all]",
  about: `Terminals inside the cages of agents and runs, the newest first, with who looks and who types. Of an agent also its
views, which are no terminals: signalbox attach AGENT --window NAME shows one.`,
  examples: [
    ["terminal list", "What is open."],
    ["terminal list shop-1", "The windows of one agent."],
  ],
  parameters: {
    flags: { all: flag("Also those that have ended."), json: jsonFlag },
    aliases: { a: "all" },
    positional: {
      kind: "tuple",
      parameters: [
        {
          ...{ parse: parseNonEmpty, placeholder: "AGENT", optional: true, proposeCompletions: completePlaces },
          brief: "Only of this agent or run.",
        },
      ],
    },
  },
  async run(cli, { all, json }, place) {
    const owner = place === undefined ? {} : /^r_[0-9a-z]+$/.test(place) ? { run: place } : { agent: place };
    const answer = await cli.link.call("terminal.list", { all, ...owner });
    if (json) return cli.out.json(answer);
    const rows = terminalRows(answer, await askNow(cli, answer.nowMs));
    if (rows.length === 0) return cli.out.note("No terminal is open. Open one with: signalbox attach AGENT");
    cli.out.table([...terminalColumns], rows);
  },
});
