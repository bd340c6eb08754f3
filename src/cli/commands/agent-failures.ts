import type { FailureView } from "../../protocol/wire/failure.ts";
import { defineCommand, type CommonFlags } from "../define-command.ts";
import { jsonFlag, textFlag } from "../flags.ts";
import { askNow, type Now } from "../now.ts";
import type { Output } from "../output.ts";
import { parseCount } from "../parse-args.ts";
import { showDuration } from "../text/duration.ts";
import { toSafeLine, toSafeLines } from "../text/safe-text.ts";
import { toSize } from "../text/size.ts";
import { type Field, toFieldLines } from "../view/fields-view.ts";
import { agentArgument } from "./agent.ts";

type Flags = CommonFlags & { readonly service?: string; readonly limit?: number };

export const agentFailures = defineCommand<Flags, [string]>({
  usage: "AGENT [--service SERVICE] [--limit N]",
  about: `What failed, the newest first, with how everything was at that moment: its class, how the process ended and what it said
last, what it might use and did, how those were that it needs, what was changed in the hour before, how often it had failed like this,
and what was done about it.`,
  examples: [
    ["agent failures shop-1", "Find out why it does not come up."],
    ["agent failures shop-1 --service web --limit 1", "The last failure of one service."],
  ],
  parameters: {
    flags: {
      service: textFlag("SERVICE", "Only of this service."),
      limit: {
        ...{ kind: "parsed", parse: parseCount, placeholder: "N", optional: true },
        brief: "How many. Left out: ten.",
      },
      json: jsonFlag,
    },
    positional: { kind: "tuple", parameters: [agentArgument] },
  },
  async run(cli, { service, limit, json }, agent) {
    const wish = { ...(service === undefined ? {} : { service }), ...(limit === undefined ? {} : { limit }) };
    const answer = await cli.link.call("agent.failures", { agent, ...wish });
    if (json) return cli.out.json(answer);
    if (answer.failures.length === 0) return cli.out.note(`Nothing has failed in ${toSafeLine(answer.name)}.`);
    const now = await askNow(cli, answer.nowMs);
    const parts = answer.failures.map((failure) => failureLines(cli.out, failure, now));
    cli.out.print(...parts.flatMap((lines, at) => (at === 0 ? lines : ["", ...lines])));
  },
});

function failureLines(out: Output, failure: FailureView, now: Now): string[] {
  const { service, life, what, found, end, before, tried } = failure;
  const head = `${toSafeLine(service)} failed ${showDuration(now.since(failure.atMs))} ago: ${toSafeLine(what)}`;
  const said = end === null ? [] : toSafeLines(end.said.trimEnd()).filter((line) => line !== "");
  const fields: Field[] = [
    ["class", `${failure.class} (${found})`],
    [
      "ended",
      end === null
        ? `it has not: life ${life} goes on`
        : `${end.exit}${end.signal === undefined ? "" : ` by ${end.signal}`}, ${end.why}, life ${life}`,
    ],
    ["used", usedText(failure)],
    ["may use", limitsText(failure)],
    [
      "needs",
      failure.needs
        .map(({ service: name, state, healthy }) => `${name} ${healthy === false ? "not healthy" : state}`)
        .join(", ") || null,
    ],
    [
      "changed",
      failure.changes.map((each) => `${each.what}, ${showDuration(failure.atMs - each.atMs)} before`).join("; ") ||
        null,
    ],
    ["before", before.count === 0 ? "not like this" : beforeText(failure)],
    ["then", tried],
    [
      "just before",
      failure.recent.map(({ type, service: name }) => (name === null ? type : `${type} (${name})`)).join(", ") || null,
    ],
  ];
  return [
    out.colors.bold(head),
    ...toFieldLines(out, fields),
    ...said.slice(-8).map((line) => out.colors.dim(`  | ${line}`)),
  ];
}

function beforeText({ before: { count, lastAtMs }, atMs }: FailureView): string {
  const when = lastAtMs === null ? "" : `, last ${showDuration(atMs - lastAtMs)} earlier`;
  return `${count === 1 ? "once" : `${count} times`}${when}`;
}

function usedText({ use }: FailureView): string | null {
  if (use === null) return null;
  const { memoryBytes, memoryBytesPeak, cpu, files, processes, agoMs, diskFreeBytes } = use;
  const parts = [
    `memory ${toSize(memoryBytes)} (most ${toSize(memoryBytesPeak)})`,
    ...(cpu === null ? [] : [`processors ${(cpu * 100).toFixed(0)} %`]),
    ...(files === null ? [] : [`${files} files`]),
    `${processes} processes`,
    ...(diskFreeBytes === null ? [] : [`${toSize(diskFreeBytes)} free on the disk`]),
  ];
  return `${parts.join(", ")}, ${showDuration(agoMs)} before its end`;
}

function limitsText({ limits }: FailureView): string | null {
  if (limits === null) return null;
  const { memoryBytes, memoryBytesMax, cpu, processes, files } = limits;
  const parts = [
    ...(memoryBytes === null ? [] : [`memory ${toSize(memoryBytes)}`]),
    ...(memoryBytesMax === undefined ? [] : [`up to ${toSize(memoryBytesMax)}`]),
    ...(cpu === null ? [] : [`${cpu} processors`]),
    ...(processes === null ? [] : [`${processes} processes`]),
    ...(files === null ? [] : [`${files} files each`]),
  ];
  return parts.join(", ") || null;
}
