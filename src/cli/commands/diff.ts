import { type CommonFlags, defineCommand } from "../define-command.ts";
import { flag, jsonFlag, oneRun } from "../flags.ts";
import { parseCount } from "../parse-args.ts";
import { toSafeLine } from "../text/safe-text.ts";
import { diffLines, oversizedLines, staleLines, statLines } from "../view/diff-view.ts";

type Flags = CommonFlags & { readonly step?: number; readonly stat: boolean };

export const diff = defineCommand<Flags, [string]>({
  usage: "RUN [--step N] [--stat]",
  about: `Changes are shown against what each path was when the run began with it, not against what others have landed since. Of
a run that is over it shows what landed, or what was set aside. Written to a file or a pipe it is a patch that git apply
takes; files that are not text are only named in it.`,
  examples: [
    ["diff r_1a", "Everything that the run has changed."],
    ["diff r_1a --step 3", "What its call number 3 did; signalbox logs counts them."],
    ["diff r_1a --stat", "One line per file."],
    ["diff r_1a > r_1a.patch", "As a patch."],
  ],
  parameters: {
    flags: {
      step: {
        kind: "parsed",
        parse: parseCount,
        optional: true,
        placeholder: "N",
        brief: "Only what this step changed.",
      },
      stat: flag("One line per file instead of the text."),
      json: jsonFlag,
    },
    positional: oneRun,
  },
  async run(cli, { step, stat, json }, run) {
    const answer = await cli.link.call("run.diff", { run, ...(step === undefined ? {} : { step }) });
    if (json) return cli.out.json(answer);
    cli.out.note(...staleLines(answer.stale), ...oversizedLines(answer.oversized));
    if (answer.changes.length === 0) return cli.out.note(toNothing(run, step, answer.of));
    if (answer.of === "trash")
      cli.out.note(`What ${run} changed did not land; signalbox trash list --run ${run} has it.`);
    if (stat) return cli.out.print(...statLines(answer.changes, cli.out.colors, answer.of === "workspace"));
    if (cli.out.isScreen) return cli.out.print(...diffLines(answer.changes, cli.out.colors));
    cli.out.raw(answer.changes.map((change) => change.patch).join(""));
    for (const { path } of answer.changes.filter((change) => change.tooLarge))
      cli.out.note(`${toSafeLine(path)} is too large to be shown, and not in the patch.`);
  },
});

function toNothing(run: string, step: number | undefined, of: string): string {
  if (step !== undefined) return `Step ${step} of ${run} has changed nothing.`;
  return of === "landed" ? `${run} has landed nothing that was not there already.` : `${run} has changed nothing.`;
}
