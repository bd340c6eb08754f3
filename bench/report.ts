// Results as text. The ratio is what counts; the absolute numbers below it are of this machine and this hour.

import type { Aim, Measure } from "./harness/contender.ts";
import type { Absolute, Compared, RowResult, Verdict } from "./harness/run-row.ts";
import type { Spread } from "./harness/stats.ts";

const measureNames: Readonly<Record<Measure, string>> = {
  rate: "rate",
  cpu: "CPU/op",
  p50: "p50",
  p99: "p99",
  disk: "disk",
  memory: "memory",
  calls: "calls",
};

export function toText(result: RowResult): string {
  const some = `${result.rounds} rounds${result.dropped === 0 ? "" : `, ${result.dropped} dropped for drift`}`;
  const rounds =
    result.rounds === 0 ? `${result.dropped} rounds, none of them steady: which way it goes and no more` : some;
  const errors = result.absolute.filter((each) => each.errors > 0).map((each) => `${each.errors} of ${each.name}`);
  return [
    `${result.name}: ${result.title}`,
    ...result.compared.map(toLine),
    line("A/A (ours twice)", "", spread(result.control), ""),
    `  ${result.ops}/s: ${result.absolute.map((each) => toNumbers(each)).join(" · ")}`,
    `  ${rounds}${errors.length === 0 ? "" : `; ERRORS: ${errors.join(", ")}`}`,
    ...result.leftOut.map((what) => `  left out: ${what}`),
    "",
  ].join("\n");
}

/** What a run came to: how many aims are met, and each that is not. */
export function toSummary(results: readonly RowResult[]): string {
  const count = (verdict: Verdict): number =>
    results.flatMap((result) => result.compared).filter((each) => each.verdict === verdict).length;
  const [met, missed, unsure] = [count("met"), count("not met"), count("unsure")];
  const named = results.flatMap((result) =>
    result.compared
      .filter((each) => each.verdict === "not met" || each.verdict === "unsure")
      .map((each) => `  ${each.verdict}: ${result.name} against ${each.against}, ${measureNames[each.measure]}`),
  );
  const restless = unsure === 0 ? "" : `, ${unsure} unsure because the machine was restless`;
  return [`${met} of ${met + missed + unsure} aims met${restless}`, ...named].join("\n");
}

function toLine({ against, measure, ratio, aim, verdict }: Compared): string {
  return line(
    `against ${against}`,
    measureNames[measure],
    spread(ratio),
    aim === undefined ? "" : `${aimText(aim)} ${verdict}`,
  );
}

function line(what: string, measure: string, ratio: string, aim: string): string {
  return `  ${what.padEnd(36)} ${measure.padEnd(7)} ${ratio.padEnd(26)} ${aim}`.trimEnd();
}

function aimText(aim: Aim): string {
  return "atLeast" in aim ? `aim ≥ ${aim.atLeast}:` : `aim ≤ ${aim.atMost}:`;
}

function spread({ median, lower, upper }: Spread): string {
  if (!Number.isFinite(median)) return "–";
  return `${times(median)}× (${times(lower)} … ${times(upper)})`;
}

function times(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

function toNumbers(each: Absolute): string {
  const latency =
    each.p50Us === null || each.p99Us === null
      ? ""
      : `, p50 ${each.p50Us.toFixed(0)} µs, p99 ${each.p99Us.toFixed(0)} µs`;
  if (each.ops === 0) return `${each.name} –`;
  const memory = each.memoryBytes === null ? "" : `, ${Math.round(each.memoryBytes / 1e6)} MB`;
  const calls = each.callsPerOp === null ? "" : `, ${each.callsPerOp} calls`;
  const rate = each.perSecond < 10 ? each.perSecond.toPrecision(2) : Math.round(each.perSecond).toLocaleString("en");
  return `${each.name} ${rate} (CPU ${each.cpuUsPerOp.toFixed(1)} µs${latency}${memory}${calls})`;
}
