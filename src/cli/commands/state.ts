import type { StateDocument } from "../../protocol/wire/state.ts";
import { type CommonFlags, defineCommand } from "../define-command.ts";
import { jsonFlag } from "../flags.ts";
import { atFlag, type Moment, resolveMoment } from "../moment.ts";
import { showDollars } from "../../protocol/dollars.ts";
import { toSafeLine } from "../text/safe-text.ts";
import { toSize } from "../text/size.ts";
import { type Field, toFieldLines } from "../view/fields-view.ts";

export const state = defineCommand<CommonFlags & { readonly at?: Moment }>({
  usage: "[--at WHEN]",
  about: `With --json it is the whole document: projects, runs that are not over, agents with services, ports and health, leases and
who waits, the machine, what needs somebody, and budgets. It has a version and a bounded size; a list that has only some
says how many there are. What is in it stands in docs/reference/state.md. Without --json these are the counts.`,
  examples: [
    ["state", "How much there is of everything."],
    ["state --json", "All of it, for programs and models."],
    ["state --at 812 --json", "As it was right after event 812."],
  ],
  parameters: { flags: { at: atFlag, json: jsonFlag } },
  async run(cli, { at, json }) {
    const answer = await cli.link.call("state", await resolveMoment(cli, at));
    if (json) return cli.out.json(answer);
    cli.out.print(...toFieldLines(cli.out, toFields(answer)));
  },
});

function toFields(document: StateDocument): Field[] {
  const { projects, runs, agents, archived, leases, waiting, inbox, budgets, nodes } = document;
  const well = agents.items.filter((agent) => agent.well).length;
  return [
    ["projects", toSafeLine(projects.items.map(({ name }) => name).join(", ")) || "none"],
    ["runs", `${runs.total} not over: ${toCounts(runs.states)}`],
    ["agents", `${agents.total}, ${well} well${archived.total === 0 ? "" : `; ${archived.total} archived`}`],
    ["leases", `${leases.total}; ${waiting.total} claims wait`],
    ["inbox", inbox.total === 0 ? "nobody is needed" : toCounts(inbox.kinds)],
    ["cost", `${showDollars(budgets.todayMicros)} today, ${showDollars(budgets.totalMicros)} in all`],
    ...nodes.map((node): Field => [node.name, toMachine(node)]),
  ];
}

function toMachine({ processors, load, memory, disk }: StateDocument["nodes"][number]): string {
  const [now = 0] = load;
  const free = `${toSize(memory.availableBytes)} of ${toSize(memory.totalBytes)} memory`;
  return `load ${now} on ${processors} processors; ${free} and ${toSize(disk.freeBytes)} of ${toSize(disk.totalBytes)} disk are free`;
}

function toCounts(counts: Readonly<Record<string, number>>): string {
  const all = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
  return all.length === 0 ? "none" : all.join(", ");
}
