// How agents did over time, for people: a line of small bars for each of what is used, and what the log says of their health.

import type { AgentHistory, UsePoint } from "../../protocol/wire/health-history.ts";
import type { Cli } from "../cli.ts";
import { toSafeLine } from "../text/safe-text.ts";
import { toSize } from "../text/size.ts";
import type { Cell } from "../text/table.ts";
import { type Field, toFieldLines } from "./fields-view.ts";

const bars = "▁▂▃▄▅▆▇█";
const barsMax = 30;

type Asked = { readonly day: boolean; readonly json: boolean };

/** Of those that are named, or of all. */
export async function showHistories(cli: Cli, names: readonly string[], { day, json }: Asked): Promise<void> {
  const all = names.length > 0 ? names : (await cli.link.call("agent.list", {})).agents.map(({ id }) => id);
  const found: AgentHistory[] = [];
  for (const agent of all) found.push(await cli.link.call("agent.history", { agent, span: day ? "day" : "hour" }));
  if (json) return cli.out.json({ agents: found });
  if (found.length === 0) return cli.out.note("There is no agent.");
  for (const [at, history] of found.entries()) {
    if (at > 0) cli.out.print("");
    cli.out.print(...toFieldLines(cli.out, toFields(history)), "");
    cli.out.table(
      ["SERVICE", "CPU", "MEMORY", "NOW", "CHECKS", "P50", "P95", "WELL (HOUR)", "WELL (DAY)"].map((title) => ({
        title,
      })),
      history.services.map(toRow),
    );
  }
}

function toFields(history: AgentHistory): Field[] {
  const { name, points, startup, starts, warnings, capacity } = history;
  const { template, more, boundBy } = capacity;
  const scarce = boundBy === "agents" ? "how many there may be" : boundBy;
  return [
    ["agent", name],
    ["cpu", drawn(points, ({ cpu }) => cpu)],
    ["memory", drawn(points, ({ memoryBytes }) => memoryBytes)],
    ["came up", startup === null ? null : toStartupText(startup)],
    ["before", starts.length < 2 ? null : starts.slice(0, -1).toReversed().map(toBeforeText).join(", ")],
    ["room", `for ${more} more of ${template}, bound by ${scarce}`],
    ["warning", warnings.map(({ what }) => toSafeLine(what))],
  ];
}

function toStartupText({ ms, phases }: NonNullable<AgentHistory["startup"]>): string {
  const each = phases.map(
    ({ phase, ms: took }) => `${toSafeLine(phase)} ${took === null ? "…" : `${Math.round(took)} ms`}`,
  );
  return `${ms === null ? "not yet" : `in ${(ms / 1000).toFixed(1)} s`}${each.length === 0 ? "" : `: ${each.join(", ")}`}`;
}

/** With the phase that took longest: where it is another one than before, one sees what became slow. */
function toBeforeText({ ms, phases }: NonNullable<AgentHistory["startup"]>): string {
  const over = phases.flatMap(({ phase, ms: took }) => (took === null ? [] : [{ phase, took }]));
  const [longest] = over.toSorted((a, b) => b.took - a.took);
  const most = longest === undefined ? "" : ` (${toSafeLine(longest.phase)} ${(longest.took / 1000).toFixed(1)} s)`;
  return `${ms === null ? "not up" : `${(ms / 1000).toFixed(1)} s`}${most}`;
}

function toRow({ name, points, checks, availability }: AgentHistory["services"][number]): Cell[] {
  const last = points.at(-1);
  const ms = (value: number | null): string => (value === null ? "-" : `${value.toFixed(1)} ms`);
  const share = (value: number | null): string =>
    value === null ? "-" : `${(value * 100).toFixed(value === 1 ? 0 : 2)} %`;
  return [
    toSafeLine(name),
    drawn(points, ({ cpu }) => cpu) ?? "-",
    drawn(points, ({ memoryBytes }) => memoryBytes) ?? "-",
    last === undefined ? "-" : toSize(last.memoryBytes),
    checks.count === 0 ? "-" : `${checks.count - checks.failed}/${checks.count}`,
    ...[ms(checks.p50Ms), ms(checks.p95Ms), share(availability.hour), share(availability.day)],
  ];
}

/** The newest at the right; the tallest is the most that there was. */
function drawn(points: readonly UsePoint[], of: (point: UsePoint) => number | null): string | null {
  const size = Math.max(1, Math.ceil(points.length / barsMax));
  const values = Array.from({ length: Math.ceil(points.length / size) }, (_, at) =>
    Math.max(0, ...points.slice(at * size, (at + 1) * size).map((point) => of(point) ?? 0)),
  );
  const most = Math.max(...values, 0);
  if (values.length === 0) return null;
  return values.map((value) => bars[most === 0 ? 0 : Math.round((value / most) * (bars.length - 1))]).join("");
}
