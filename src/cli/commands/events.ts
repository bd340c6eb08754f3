import type { LogEvent } from "../../protocol/wire/log-event.ts";
import type { Cli } from "../cli.ts";
import { completeRuns } from "../completers.ts";
import { type CommonFlags, defineCommand } from "../define-command.ts";
import { flag, jsonFlag, onlyProjectFlag } from "../flags.ts";
import { parseCount, parseNonEmpty, parseRunId } from "../parse-args.ts";
import { resolveOnlyProject } from "../resolve-project.ts";
import { EventLines } from "../view/event-lines.ts";

type Flags = CommonFlags & {
  readonly follow: boolean;
  readonly after?: number;
  readonly last?: number;
  readonly type: readonly string[];
  readonly run?: string;
  readonly project?: string;
};

type Filter = { readonly types?: string[]; readonly run?: string; readonly project?: string };

export const events = defineCommand<Flags>({
  usage: "[-f] [--after SEQ | -n N] [--type PREFIX]… [--run RUN] [--project PROJECT]",
  about: `Without -f it shows what the log has and ends; with -f alone it shows what happens from now on, and with --after or
-n also what came before. A stream that breaks is taken up again where it was: no event is missed or shown twice.`,
  examples: [
    ["events -n 20", "The last twenty events."],
    ["events -f --type run. --type lease.granted", "What happens to runs, and every grant."],
    ["events -f --after 812 --json", "For programs: everything after number 812, one document per line."],
  ],
  parameters: {
    flags: {
      follow: flag("Goes on with what happens."),
      after: {
        kind: "parsed",
        parse: parseCount,
        optional: true,
        placeholder: "SEQ",
        brief: "Only events after this number.",
      },
      last: {
        kind: "parsed",
        parse: parseCount,
        optional: true,
        placeholder: "N",
        brief: "Only the newest N that the log has.",
      },
      type: {
        kind: "parsed",
        parse: parseNonEmpty,
        variadic: true,
        default: [],
        placeholder: "PREFIX",
        brief: "Only types that start like this, such as run. or lease.granted.",
      },
      run: {
        kind: "parsed",
        parse: parseRunId,
        optional: true,
        placeholder: "RUN",
        brief: "Only events of this run.",
        proposeCompletions: completeRuns,
      },
      project: onlyProjectFlag,
      json: jsonFlag,
    },
    aliases: { f: "follow", n: "last" },
  },
  async run(cli, { follow, after, last, type, run, project, json }) {
    const filter: Filter = {
      ...(type.length === 0 ? {} : { types: [...type] }),
      ...(run === undefined ? {} : { run }),
      ...(await resolveOnlyProject(cli, project)),
    };
    const { openings, seq } = await cli.link.call("status", {});
    const lines = new EventLines(cli.out, openings);
    const show = (event: LogEvent): void => (json ? cli.out.jsonLine(event) : cli.out.print(lines.toLine(event)));
    // Without a filter the numbers themselves say where the newest begin.
    const newest = last === undefined || Object.keys(filter).length > 0 ? 0 : Math.max(0, seq - last);
    const onlyNew = follow && after === undefined && last === undefined;
    const at = onlyNew ? seq : await showPast(cli, { ...filter, after: Math.max(after ?? 0, newest) }, last, show);
    if (!follow) return;
    cli.interrupt.sayOnLeaving("Left.");
    const { signal } = cli.interrupt;
    for await (const event of cli.link.events({ ...filter, after: at, signal })) show(event);
    signal.throwIfAborted();
  },
});

/** Shows what the log has; answers up to where. */
async function showPast(
  cli: Cli,
  filter: Filter & { after: number },
  last: number | undefined,
  show: (event: LogEvent) => void,
): Promise<number> {
  let kept: LogEvent[] = [];
  let { after } = filter;
  for (;;) {
    const page = await cli.link.call("events.read", { ...filter, after, limit: 1000 });
    if (last === undefined) page.events.forEach(show);
    else kept = [...kept, ...page.events].slice(-last || Number.POSITIVE_INFINITY);
    after = page.next;
    if (!page.more) break;
  }
  kept.forEach(show);
  return after;
}
