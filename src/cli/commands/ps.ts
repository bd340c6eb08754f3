import type { InputOf } from "../../protocol/operations.ts";
import type { Run, RunState } from "../../protocol/wire/run.ts";
import type { Cli } from "../cli.ts";
import { type CommonFlags, defineCommand } from "../define-command.ts";
import { flag, jsonFlag, onlyProjectFlag, tagFlag, textFlag } from "../flags.ts";
import type { Output } from "../output.ts";
import { completeRuns } from "../completers.ts";
import { atFlag, type Moment, resolveMoment } from "../moment.ts";
import { askNow, type Now } from "../now.ts";
import { parseCount, parseRunId } from "../parse-args.ts";
import { resolveOnlyProject } from "../resolve-project.ts";
import { runStateNames } from "../run-state-names.ts";
import { showDuration } from "../text/duration.ts";
import { toSafeLine } from "../text/safe-text.ts";
import type { Cell } from "../text/table.ts";
import { enumerate } from "../view/event-fields.ts";
import { paintState } from "../view/timeline.ts";
import { whatItWaitsFor } from "../view/waits-for.ts";

type Flags = CommonFlags & {
  readonly all: boolean;
  readonly project?: string;
  readonly state: readonly RunState[];
  readonly tag?: string;
  readonly runner?: string;
  readonly find?: string;
  readonly tree?: string;
  readonly last?: number;
  readonly at?: Moment;
};

export const ps = defineCommand<Flags>({
  usage:
    "[-a] [--project PROJECT] [--state STATE]… [--tag TAG] [--runner NAME] [--find TEXT] [--tree RUN] [-n N] [--at WHEN]",
  examples: [
    ["ps", "What is at work or waits."],
    ["ps -a -n 20", "The last twenty runs, those that are over too."],
    ["ps -a --find auth", "Runs that have auth in their title, tags or units."],
    ["ps --tree r_1a", "Everything that stems from the same run, over or not, with who started whom."],
    ["ps --at 5m", "What was at work or waited five minutes ago."],
    ["ps --state blocked --state awaiting-input", "What needs somebody."],
  ],
  parameters: {
    flags: {
      all: flag("Also runs that are over."),
      project: onlyProjectFlag,
      state: {
        kind: "enum",
        values: runStateNames,
        variadic: true,
        default: [],
        placeholder: "STATE",
        brief: `Only runs in this state: ${runStateNames.join(", ")}.`,
      },
      tag: tagFlag,
      runner: textFlag("NAME", "Only runs of this runner."),
      find: textFlag("TEXT", "Only runs with this in their id, title, runner, tags or units."),
      tree: {
        kind: "parsed",
        parse: parseRunId,
        optional: true,
        placeholder: "RUN",
        brief: "Only runs that stem from the same run as this one, over or not, each below the one that started it.",
        proposeCompletions: completeRuns,
      },
      last: { kind: "parsed", parse: parseCount, optional: true, placeholder: "N", brief: "Only the newest N." },
      at: atFlag,
      json: jsonFlag,
    },
    aliases: { a: "all", n: "last" },
  },
  async run(cli, { all, project, state, tag, runner, find, tree, last = Number.POSITIVE_INFINITY, at, json }) {
    const filter: InputOf<"run.list"> = {
      ...(await resolveOnlyProject(cli, project)),
      ...(await resolveMoment(cli, at)),
      ...(tag === undefined ? {} : { tag }),
      ...(runner === undefined ? {} : { runner }),
      ...(find === undefined ? {} : { find }),
      ...(tree === undefined ? {} : { tree }),
      // A state that was asked for is shown, whether or not its runs are over.
      ...(state.length > 0 ? { state: [...state] } : all || tree !== undefined ? {} : { active: true }),
    };
    const { runs, total, nowMs } = await list(cli, filter, last);
    if (json) return cli.out.json({ runs, total, nowMs });
    if (runs.length === 0) {
      return cli.out.note(
        all ? "There is no such run." : "No such run is at work. signalbox ps -a also shows those that are over.",
      );
    }
    const rows = tree === undefined ? runs.map((run) => ({ run, depth: 0 })) : toTree(runs);
    const now = await askNow(cli, nowMs);
    cli.out.table(
      columns,
      rows.map(({ run, depth }) => toRow(cli.out, run, now, depth)),
    );
    if (runs.length < total) cli.out.note(`… and ${total - runs.length} more.`);
  },
});

type Listed = { runs: Run[]; total: number; nowMs: number };

async function list(cli: Cli, filter: InputOf<"run.list">, countMax: number): Promise<Listed> {
  const runs: Run[] = [];
  let after: string | undefined;
  for (;;) {
    const limit = Math.max(1, Math.min(1000, countMax - runs.length));
    const page = await cli.link.call("run.list", { ...filter, limit, ...(after === undefined ? {} : { after }) });
    runs.push(...page.runs);
    if (page.next === null || runs.length >= countMax) {
      return { runs: runs.slice(0, countMax), total: Math.max(page.total, runs.length), nowMs: page.nowMs };
    }
    after = page.next;
  }
}

const columns = [
  { title: "RUN" },
  { title: "STATE" },
  { title: "FOR", align: "right" },
  { title: "TITLE", cut: "end" },
  { title: "PROJECT", cut: "end" },
  { title: "RUNNER", cut: "end" },
  { title: "HOLDS", cut: "middle" },
  { title: "WAITS", cut: "end" },
] as const;

/** Each below the one that started it, the oldest first. */
function toTree(runs: readonly Run[]): { readonly run: Run; readonly depth: number }[] {
  const known = new Set(runs.map(({ id }) => id));
  const oldest = runs.toReversed();
  const below = (parent: string, depth: number): { run: Run; depth: number }[] =>
    oldest.filter((run) => run.parent === parent).flatMap((run) => [{ run, depth }, ...below(run.id, depth + 1)]);
  return oldest
    .filter(({ parent }) => parent === null || !known.has(parent))
    .flatMap((run) => [{ run, depth: 0 }, ...below(run.id, 1)]);
}

function toRow(out: Output, run: Run, now: Now, depth: number): Cell[] {
  return [
    `${"  ".repeat(depth)}${run.id}`,
    { text: run.state, paint: (text) => paintState(out.colors, run.state, text) },
    showDuration(now.since(run.sinceMs)),
    toSafeLine(run.title),
    toSafeLine(run.projectName),
    toSafeLine(run.runner),
    toSafeLine(enumerate(run.holds, 1)),
    toSafeLine(whatItWaitsFor(run)),
  ];
}
