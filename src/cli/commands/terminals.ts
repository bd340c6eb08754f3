import type { Terminal } from "../../protocol/wire/terminal.ts";
import { type CommonFlags, defineCommand } from "../define-command.ts";
import { flag, jsonFlag } from "../flags.ts";
import { parseNonEmpty, parseRunId } from "../parse-args.ts";
import { showDuration } from "../text/duration.ts";
import { toSafeLine } from "../text/safe-text.ts";

type Flags = CommonFlags & { readonly run?: string; readonly all: boolean; readonly end: readonly string[] };

export const terminals = defineCommand<Flags>({
  usage: "[--run RUN] [--all] [--end TERMINAL]…",
  about: "Terminals inside the cages of runs, the newest first, with who looks and who types.",
  examples: [
    ["terminals", "What is open."],
    ["terminals --end te_2b", "End one, with everything that was started in it."],
  ],
  parameters: {
    flags: {
      run: { kind: "parsed", parse: parseRunId, optional: true, placeholder: "RUN", brief: "Only of this run." },
      all: flag("Also those that have ended."),
      end: {
        ...{ kind: "parsed", parse: parseNonEmpty, variadic: true, default: [], placeholder: "TERMINAL" },
        brief: "Ends a terminal with everything that was started in it.",
      },
      json: jsonFlag,
    },
  },
  async run(cli, { run, all, end, json }) {
    for (const terminal of end) await cli.link.call("terminal.close", { terminal });
    const answer = await cli.link.call("terminal.list", { all, ...(run === undefined ? {} : { run }) });
    if (json) return cli.out.json(answer);
    if (answer.terminals.length === 0) return cli.out.note("No terminal is open. Open one with: signalbox attach RUN");
    cli.out.table(
      [
        { title: "TERMINAL" },
        { title: "RUN" },
        { title: "PROGRAM", cut: "end" },
        { title: "AGE", align: "right" },
        { title: "TYPES" },
        { title: "LOOK", cut: "end" },
        { title: "STATE" },
      ],
      answer.terminals.map((terminal) => [
        terminal.id,
        terminal.run,
        toSafeLine(programOf(terminal)),
        showDuration(answer.nowMs - terminal.openedAtMs),
        toSafeLine(terminal.keyboard?.name ?? ""),
        toSafeLine(terminal.viewers.map(({ name }) => name).join(", ")),
        stateOf(terminal),
      ]),
    );
  },
});

export function programOf({ argv }: Pick<Terminal, "argv">): string {
  return argv.length === 0 ? "shell" : argv.join(" ");
}

export function stateOf({ ended }: Pick<Terminal, "ended">): string {
  if (ended === null) return "open";
  return ended.why === "ended" ? `ended with ${ended.exit}` : ended.why;
}
