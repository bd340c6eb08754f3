import { inboxKinds } from "../../protocol/wire/inbox.ts";
import { completeRuns } from "../completers.ts";
import { type CommonFlags, defineCommand } from "../define-command.ts";
import { jsonFlag, onlyProjectFlag } from "../flags.ts";
import { parseRunId } from "../parse-args.ts";
import { resolveOnlyProject } from "../resolve-project.ts";
import { showDuration } from "../text/duration.ts";
import { toSafeLine } from "../text/safe-text.ts";

type Flags = CommonFlags & {
  readonly project?: string;
  readonly kind?: (typeof inboxKinds)[number];
  readonly seen: readonly string[];
};

export const inbox = defineCommand<Flags>({
  usage: "[--project PROJECT] [--kind KIND] [--seen RUN]…",
  about: `Questions, reviews, failures that nobody has looked at, runs that seem stuck or wait for their model, budgets that are spent, over all runs, and
projects whose branch does not have what landed, agents that need somebody, units that stay closed, and warnings; each with
the command that answers it. What has waited for longer than policies want (--escalate-after, an hour if none says so) is marked
with ! and comes first, then the oldest.`,
  examples: [
    ["inbox", "What needs you."],
    ["inbox --kind review", "Only what waits for a review."],
    ["inbox --seen r_1a", "You have seen that it failed, or is stuck: off the list."],
  ],
  parameters: {
    flags: {
      project: onlyProjectFlag,
      kind: { kind: "enum", values: inboxKinds, optional: true, brief: "Only items of this kind." },
      seen: {
        kind: "parsed",
        parse: parseRunId,
        variadic: true,
        default: [],
        placeholder: "RUN",
        brief: "Takes a run that failed or is stuck off the list.",
        proposeCompletions: completeRuns,
      },
      json: jsonFlag,
    },
  },
  async run(cli, { project, kind, seen, json }) {
    for (const run of seen) await cli.link.call("run.see", { run });
    const only = await resolveOnlyProject(cli, project);
    const answer = await cli.link.call("inbox", { ...only, ...(kind === undefined ? {} : { kind }) });
    if (json) return cli.out.json(answer);
    if (answer.items.length === 0) return cli.out.note("Nothing needs you.");
    cli.out.table(
      [
        { title: "AGE", align: "right" },
        { title: "WHAT" },
        { title: "RUN" },
        { title: "TITLE", cut: "end" },
        { title: "WHY", cut: "end" },
        { title: "ANSWER" },
      ],
      answer.items.map((item) => [
        `${item.escalated ? "! " : ""}${showDuration(item.ageMs)}`,
        item.kind,
        item.run ?? "-",
        toSafeLine(item.title),
        toSafeLine(item.what),
        toSafeLine(item.command),
      ]),
    );
  },
});
