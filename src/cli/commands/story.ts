import { showDollars } from "../../protocol/dollars.ts";
import { limits } from "../../protocol/limits.ts";
import { brokenOff, type RunStep, type RunStory } from "../../protocol/wire/story.ts";
import { type CommonFlags, defineCommand } from "../define-command.ts";
import { jsonFlag, oneRun } from "../flags.ts";
import { parseCount } from "../parse-args.ts";
import { showDuration } from "../text/duration.ts";
import { toSafeLine } from "../text/safe-text.ts";

type Flags = CommonFlags & { readonly step?: number; readonly limit?: number };

const limitDefault = 20;

export const story = defineCommand<Flags, [string]>({
  usage: "RUN [--step N] [--limit N]",
  about: `How long it took, what it did how often and what that has cost, from its beginning on, however long it is; then its last
steps, or those around one. A step's number is what diff, rewind and fork take with --step.`,
  examples: [
    ["story r_1a", "What it came to, and its last steps."],
    ["story r_1a --step 400", "The steps around that one."],
  ],
  parameters: {
    flags: {
      step: {
        kind: "parsed",
        parse: parseCount,
        optional: true,
        placeholder: "N",
        brief: "Shows the steps around this one.",
      },
      limit: {
        kind: "parsed",
        parse: parseCount,
        optional: true,
        placeholder: "N",
        brief: `So many steps at most, up to ${limits.storyStepsMax}. Left out: ${limitDefault}.`,
      },
      json: jsonFlag,
    },
    positional: oneRun,
  },
  async run(cli, { step = Number.MAX_SAFE_INTEGER, limit = limitDefault, json }, run) {
    const tell = (): Promise<RunStory> => cli.link.call("run.story", { run, step, limit });
    let told = await tell();
    while (told.more) told = await tell();
    if (json) return cli.out.json(told);
    cli.out.print(toSummary(told));
    cli.out.table(
      [{ title: "STEP", align: "right" }, { title: "HOW" }, { title: "TOOL" }, { title: "WHAT", cut: "end" }],
      told.steps.rows.map((row) => [
        String(row.call),
        endOf(row),
        toSafeLine(row.tool),
        toSafeLine(row.units.join(", ")),
      ]),
    );
    const left = told.counts.steps - told.steps.rows.length;
    if (left > 0) cli.out.note(`And ${left} more steps: --step N shows those around one, --limit N more of them.`);
  },
});

function toSummary({ fromMs, lastMs, counts, spend }: RunStory): string {
  const parts = [
    showDuration((lastMs ?? 0) - (fromMs ?? 0)),
    `${counts.steps} steps`,
    `${counts.said} messages`,
    `${counts.units} units`,
    `${showDollars(spend.costMicros)} for ${spend.requests} requests`,
  ];
  return parts.join(", ");
}

function endOf({ ok, exit, summary }: RunStep): string {
  if (ok === null) return "under way";
  if (exit === null && summary === brokenOff) return brokenOff;
  return exit === null ? (ok ? "done" : "failed") : `exit ${exit}`;
}
