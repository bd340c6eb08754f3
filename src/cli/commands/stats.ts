import { showDollars } from "../../protocol/dollars.ts";
import { type Stats, statsBys, type StatsRow } from "../../protocol/wire/stats.ts";
import type { Cli } from "../cli.ts";
import { type CommonFlags, defineCommand } from "../define-command.ts";
import { durationFlag, jsonFlag, onlyProjectFlag } from "../flags.ts";
import { resolveOnlyProject } from "../resolve-project.ts";
import { showDuration } from "../text/duration.ts";
import { toSafeLine } from "../text/safe-text.ts";

type Flags = CommonFlags & { readonly project?: string; readonly by?: Stats["by"]; readonly since?: number };

export const stats = defineCommand<Flags>({
  usage: "[--project PROJECT] [--by WHAT] [--since DURATION]",
  about: `How runs went: how many there are, in which states, how many of those that ended are done with all that they changed, how
long they took from their start to their end, and what they cost. That is all the time in between: also what a
run waits for people in review, for answers and for units. One that is done while some of what it changed is set aside is done in
part, and did not end well. Runs that were removed are not counted. By tool it is calls that are counted, those at
the door and those of assistants' own tools, and by error the runs that failed, by the class of their failure. Days are in UTC.`,
  examples: [
    ["stats", "By runner."],
    ["stats --by error --since 7d", "What went wrong in the last seven days."],
    ["stats --by tool --project shop", "Which calls fail, and how long they take."],
  ],
  parameters: {
    flags: {
      project: onlyProjectFlag,
      by: {
        kind: "enum",
        values: statsBys,
        optional: true,
        placeholder: "WHAT",
        brief: `What to tell apart: ${statsBys.join(", ")}. Left out: runner.`,
      },
      since: durationFlag("Only what was submitted in so long a time."),
      json: jsonFlag,
    },
  },
  async run(cli, { project, by, since, json }) {
    const only = await resolveOnlyProject(cli, project);
    const said = { ...(by === undefined ? {} : { by }), ...(since === undefined ? {} : { lastMs: since }) };
    const answer = await cli.link.call("stats", { ...only, ...said });
    if (json) return cli.out.json(answer);
    show(cli, answer);
  },
});

function show(cli: Cli, { by, rows, total, complete }: Stats): void {
  if (rows.length === 0) return cli.out.note("There is nothing to count.");
  cli.out.table(
    [
      { title: by.toUpperCase(), cut: "end" },
      { title: by === "tool" ? "CALLS" : "RUNS", align: "right" },
      { title: "WELL", align: "right" },
      { title: by === "tool" ? "MEDIAN" : "MEDIAN TO END", align: "right" },
      { title: "95 %", align: "right" },
      { title: "COST", align: "right" },
      { title: "STATES", cut: "end" },
    ],
    [...rows, total].map(toCells),
  );
  if (!complete) cli.out.note("The log is longer than what was looked at: older events are not counted.");
}

function toCells({ name, count, successRate, durationMs, costMicros, statuses }: StatsRow): string[] {
  const states = Object.entries(statuses).map(([status, many]) => `${many} ${status}`);
  return [
    toSafeLine(name),
    String(count),
    successRate === null ? "-" : `${Math.round(successRate * 100)} %`,
    durationMs === null ? "-" : showDuration(durationMs.median),
    durationMs === null ? "-" : showDuration(durationMs.p95),
    costMicros === null ? "-" : showDollars(costMicros),
    toSafeLine(states.join(", ")),
  ];
}
