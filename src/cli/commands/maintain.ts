import { type CommonFlags, defineCommand } from "../define-command.ts";
import { flag, jsonFlag } from "../flags.ts";
import { withProgress } from "../progress.ts";
import { toSafeLine } from "../text/safe-text.ts";
import { toSize } from "../text/size.ts";

const whats = {
  recordings: "recordings of terminals that are kept no longer",
  "run-outputs": "what runs have said, and is kept no longer",
  garbage: "contents that nothing refers to",
  images: "images that no agent has had for long",
  leftovers: "temporary files of ours, a day old",
  output: "what the daemon said, beyond its last 4 MiB",
  log: "the journal beside the log",
} as const;

export const maintain = defineCommand<CommonFlags & { readonly dryRun: boolean }>({
  usage: "[--dry-run]",
  about: `Tidies up at once, as the daemon does by itself once in an hour ("up --maintain" says how often, or never). Nothing goes that anything
refers to, or of which it is not proven that it is ours. It ends with 1 when something could not be done.`,
  examples: [
    ["maintain --dry-run", "See what would go."],
    ["maintain", "Do it now."],
  ],
  parameters: { flags: { dryRun: flag("Only says what would go."), json: jsonFlag } },
  async run(cli, { dryRun, json }) {
    const answer = await withProgress(cli.out, "tidying up", cli.link.call("maintain", { dryRun }));
    const code = answer.jobs.some(({ failed }) => failed !== null) ? 1 : 0;
    if (json) {
      cli.out.json(answer);
      return code;
    }
    cli.out.table(
      [
        { title: "JOB" },
        { title: "COUNT", align: "right" },
        { title: "SIZE", align: "right" },
        { title: "WHAT", cut: "end" },
      ],
      answer.jobs.map(({ job, count, bytes, failed }) => [
        job,
        String(count),
        toSize(bytes),
        failed === null ? whats[job] : `failed: ${toSafeLine(failed)}`,
      ]),
    );
    if (dryRun) cli.out.note("Nothing was changed: signalbox maintain does it.");
    return code;
  },
});
