import { inboxKinds } from "../../protocol/wire/inbox.ts";
import { completeRuns } from "../completers.ts";
import { type CommonFlags, defineCommand } from "../define-command.ts";
import { jsonFlag, onlyProjectFlag } from "../flags.ts";
import { atFlag, type Moment, resolveMoment } from "../moment.ts";
import { resolveOnlyProject } from "../resolve-project.ts";
import { showDuration } from "../text/duration.ts";
import { toSafeLine } from "../text/safe-text.ts";
import { cutEnd } from "../text/text-width.ts";

type Flags = CommonFlags & {
  readonly project?: string;
  readonly kind?: (typeof inboxKinds)[number];
  readonly seen: readonly string[];
  readonly at?: Moment;
};

/** Whoever wants all of it has --json, and the run's own page. */
const whyWidthMax = 200;

export const inbox = defineCommand<Flags>({
  usage: "[--project PROJECT] [--kind KIND] [--at WHEN] [--seen ITEM]…",
  about: `Questions, permissions that assistants ask for, reviews, failures that nobody has looked at, runs that seem stuck or wait for
their model, and budgets that are spent, over all runs, and projects whose branch does not have what landed, agents that need
somebody, units that stay closed, and warnings; each with the command that answers it. What has waited for longer than policies want (--escalate-after, an hour if none says so) is marked
with ! and comes first, then the oldest. What nobody has to act on (failures, stuck runs, waits for a model, warnings) goes off the list
by --seen; what happens later is news again, and a warning about an agent or the machine is, after a day.`,
  examples: [
    ["inbox", "What needs you."],
    ["inbox --kind review", "Only what waits for a review."],
    ["inbox --at 30m", "What needed you half an hour ago."],
    ["inbox --seen r_1a", "You have seen that it failed, is stuck, or left something behind: off the list."],
    ["inbox --seen ag_1:web:restarts", "The same for a warning; its ANSWER, or --json, has the name."],
  ],
  parameters: {
    flags: {
      project: onlyProjectFlag,
      kind: {
        kind: "enum",
        values: inboxKinds,
        optional: true,
        placeholder: "KIND",
        brief: `Only items of this kind: ${inboxKinds.join(", ")}.`,
      },
      seen: {
        kind: "parsed",
        parse: String,
        variadic: true,
        default: [],
        placeholder: "ITEM",
        brief: "Takes a run, or a warning by its name, off the list.",
        proposeCompletions: completeRuns,
      },
      at: atFlag,
      json: jsonFlag,
    },
  },
  async run(cli, { project, kind, seen, at, json }) {
    for (const item of seen) await cli.link.call("inbox.see", { item });
    const only = await resolveOnlyProject(cli, project);
    const then = await resolveMoment(cli, at);
    const answer = await cli.link.call("inbox", { ...only, ...(kind === undefined ? {} : { kind }), ...then });
    if (json) return cli.out.json(answer);
    if (answer.items.length === 0)
      return cli.out.note(at === undefined ? "Nothing needs you." : "Nothing needed you then.");
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
        cutEnd(toSafeLine(item.what), whyWidthMax),
        toSafeLine(item.command),
      ]),
    );
  },
});
