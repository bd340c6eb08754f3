import type { InputOf } from "../../protocol/operations.ts";
import type { LogEvent } from "../../protocol/wire/log-event.ts";
import type { Cli } from "../cli.ts";
import { completeRuns } from "../completers.ts";
import { type CommonFlags, defineCommand } from "../define-command.ts";
import { flag, jsonFlag, onlyProjectFlag, textFlag } from "../flags.ts";
import { parseCount, parseNonEmpty, parseRunId } from "../parse-args.ts";
import { resolveOnlyProject } from "../resolve-project.ts";
import { EventLines } from "../view/event-lines.ts";

const pageMax = 1000;

type Flags = CommonFlags & {
  readonly follow: boolean;
  readonly after?: number;
  readonly last?: number;
  readonly type: readonly string[];
  readonly except: readonly string[];
  readonly run?: string;
  readonly agent?: string;
  readonly unit?: string;
  readonly find?: string;
  readonly project?: string;
};

type Filter = Pick<InputOf<"events.read">, "types" | "except" | "run" | "agent" | "unit" | "find" | "project">;

export const events = defineCommand<Flags>({
  usage:
    "[-f] [--after SEQ | -n N] [--type PREFIX]… [--except PREFIX]… [--run RUN] [--agent AGENT] [--unit UNIT] [--find TEXT] [--project PROJECT]",
  about: `Without -f it shows what the log has and ends; with -f alone it shows what happens from now on, and with --after or
-n also what came before. A stream that breaks is taken up again where it was: no event is missed or shown twice.`,
  examples: [
    ["events -n 20", "The last twenty events."],
    ["events -f --type run. --type lease.granted", "What happens to runs, and every grant."],
    [
      "events --run r_1a --except lease.renewed",
      "All that happened to a run, but not each time that it kept what it holds.",
    ],
    ["events -n 50 --unit file:src/app.ts", "Who had this file, or something around it."],
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
      except: {
        kind: "parsed",
        parse: parseNonEmpty,
        variadic: true,
        default: [],
        placeholder: "PREFIX",
        brief: "Only types that do not start like this, such as lease.renewed.",
      },
      run: {
        kind: "parsed",
        parse: parseRunId,
        optional: true,
        placeholder: "RUN",
        brief: "Only events of this run.",
        proposeCompletions: completeRuns,
      },
      agent: textFlag("AGENT", "Only events of this living agent and its services."),
      unit: textFlag("UNIT", "Only events about this unit, what it contains or what contains it."),
      find: textFlag("TEXT", "Only events in which this text stands."),
      project: onlyProjectFlag,
      json: jsonFlag,
    },
    aliases: { f: "follow", n: "last" },
  },
  async run(cli, { follow, after, last, type, except, run, agent, unit, find, project, json }) {
    const filter: Filter = {
      ...(type.length === 0 ? {} : { types: [...type] }),
      ...(except.length === 0 ? {} : { except: [...except] }),
      ...(run === undefined ? {} : { run }),
      ...(agent === undefined ? {} : { agent }),
      ...(unit === undefined ? {} : { unit }),
      ...(find === undefined ? {} : { find }),
      ...(await resolveOnlyProject(cli, project)),
    };
    const { openings, seq } = await cli.link.call("status", {});
    const lines = new EventLines(cli.out, openings);
    const show = (event: LogEvent): void => (json ? cli.out.jsonLine(event) : cli.out.print(lines.toLine(event)));
    const onlyNew = follow && after === undefined && last === undefined;
    if (last !== undefined) (await readNewest(cli, { ...filter, after: after ?? 0 }, last, seq)).forEach(show);
    const at = onlyNew || last !== undefined ? seq : await showPast(cli, { ...filter, after: after ?? 0 }, show);
    if (!follow) return;
    cli.interrupt.sayOnLeaving("Left.");
    const { signal } = cli.interrupt;
    for await (const event of cli.link.events({ ...filter, after: at, signal })) show(event);
    signal.throwIfAborted();
  },
});

type After = Filter & { readonly after: number };

/** Shows what the log has; answers up to where. */
async function showPast(cli: Cli, filter: After, show: (event: LogEvent) => void): Promise<number> {
  for (let { after } = filter; ;) {
    const page = await cli.link.call("events.read", { ...filter, after, limit: pageMax });
    page.events.forEach(show);
    after = page.next;
    if (!page.more) return after;
  }
}

/** The newest that match, in their order, up to a number: what comes after it is for those who follow. */
async function readNewest(cli: Cli, filter: After, count: number, seq: number): Promise<LogEvent[]> {
  const found: LogEvent[] = [];
  for (let before = seq + 1; found.length < count;) {
    const limit = Math.min(pageMax, count - found.length);
    const page = await cli.link.call("events.read", { ...filter, before, limit });
    found.push(...page.events);
    before = page.next;
    if (!page.more) break;
  }
  return found.toReversed();
}
