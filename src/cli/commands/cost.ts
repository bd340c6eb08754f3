import { showDollars } from "../../protocol/dollars.ts";
import { type Cost, costBys, type Spend } from "../../protocol/wire/model.ts";
import type { Cli } from "../cli.ts";
import { type CommonFlags, defineCommand } from "../define-command.ts";
import { jsonFlag, onlyProjectFlag, runArgument } from "../flags.ts";
import { parseDays } from "../parse-args.ts";
import { resolveOnlyProject } from "../resolve-project.ts";
import { toSafeLine } from "../text/safe-text.ts";
import { type Field, toFieldLines } from "../view/fields-view.ts";
import { toSpendLine } from "../view/spend-view.ts";

type Flags = CommonFlags & { readonly project?: string; readonly by?: Cost["by"]; readonly days?: number };

export const cost = defineCommand<Flags, [string?]>({
  usage: "[RUN] [--project PROJECT] [--by WHAT] [--days N]",
  about: `What model requests have cost, from what the answers say that they used and the prices of that moment. With a run: its
own spend, that of everything that stems from the same run, and what is left of its budgets. Days are in UTC.`,
  examples: [
    ["cost", "By project."],
    ["cost --by model --days 7", "By model, of the last seven days."],
    ["cost --by user", "For whom."],
    ["cost r_1a", "Of a run, with its budgets."],
  ],
  parameters: {
    flags: {
      project: onlyProjectFlag,
      by: {
        kind: "enum",
        values: costBys,
        optional: true,
        placeholder: "WHAT",
        brief: `What to tell apart: ${costBys.join(", ")}. Left out: project.`,
      },
      days: { kind: "parsed", parse: parseDays, optional: true, placeholder: "N", brief: "Only the last N days." },
      json: jsonFlag,
    },
    positional: { kind: "tuple", parameters: [{ ...runArgument, optional: true }] },
  },
  async run(cli, { project, by, days, json }, run) {
    const only = await resolveOnlyProject(cli, project);
    const given = { ...(run === undefined ? {} : { run }), ...(days === undefined ? {} : { days }) };
    const answer = await cli.link.call("cost", { ...only, ...given, ...(by === undefined ? {} : { by }) });
    if (json) return cli.out.json(answer);
    if (answer.run !== null) cli.out.print(...toFieldLines(cli.out, toRunFields(answer.run)));
    else showTable(cli, answer);
  },
});

function showTable(cli: Cli, { by, rows, total }: Cost): void {
  if (rows.length === 0) return cli.out.note("Nothing was spent on models.");
  cli.out.table(
    [
      { title: by.toUpperCase(), cut: "end" },
      { title: "COST", align: "right" },
      { title: "REQUESTS", align: "right" },
      { title: "INPUT", align: "right" },
      { title: "OUTPUT", align: "right" },
      { title: "CACHE READ", align: "right" },
      { title: "CACHE WRITE", align: "right" },
    ],
    [
      ...rows.map(({ name, title, spend }) => [toSafeLine(`${name} ${title ?? ""}`.trim()), ...cellsOf(spend)]),
      ["total", ...cellsOf(total)],
    ],
  );
  if (total.unpriced > 0)
    cli.out.note(
      `+? : ${total.unpriced} requests went to models without a price. Set one: signalbox price set MODEL …`,
    );
}

function cellsOf(spend: Spend): string[] {
  const { requests, inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = spend;
  const counts = [requests, inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens].map(String);
  return [`${showDollars(spend.costMicros)}${spend.unpriced > 0 ? " +?" : ""}`, ...counts];
}

function toRunFields({ run, spend, ownCostMicros, tree, treeSpend, budgets }: NonNullable<Cost["run"]>): Field[] {
  return [
    ["run", run],
    ["cost", toSpendLine(spend)],
    ["its own reckoning", ownCostMicros === null ? "" : showDollars(ownCostMicros)],
    ["its tree", `${tree}: ${toSpendLine(treeSpend)}`],
    [
      "budgets",
      budgets.map(
        ({ rule, policy, limitMicros, spentMicros, reservedMicros }) =>
          `${rule.replace("Micros", "")}: ${showDollars(spentMicros)} of ${showDollars(limitMicros)}${reservedMicros > 0 ? `, ${showDollars(reservedMicros)} reserved` : ""}, by policy ${toSafeLine(policy)}`,
      ),
    ],
  ];
}
