import { TimedLines } from "../../client/timed-lines.ts";
import { ProtocolError } from "../../protocol/errors.ts";
import type { InputOf, OutputOf } from "../../protocol/operations.ts";
import type { AgentView } from "../../protocol/wire/agent.ts";
import type { Cli } from "../cli.ts";
import { type CommandSpec, type CommonFlags, defineCommand } from "../define-command.ts";
import { flag, jsonFlag } from "../flags.ts";
import { parseCount, parseNonEmpty } from "../parse-args.ts";
import { askPatiently } from "../patience.ts";
import { parseMoment } from "../text/moment.ts";
import { toSafeLine } from "../text/safe-text.ts";
import { padEnd } from "../text/text-width.ts";
import { UsageError } from "../usage-error.ts";
import { agentAndService, agentArgument } from "./agent.ts";

type Flags = CommonFlags & {
  readonly follow: boolean;
  readonly tail?: number;
  readonly find?: string;
  readonly life?: number;
  readonly previous: boolean;
  readonly lives: boolean;
  readonly timestamps: boolean;
  readonly since?: number;
  readonly until?: number;
};
type Line = OutputOf<"agent.logs">["lines"][number];
type End = OutputOf<"agent.logs">["ends"][number];
type Say = (line: Line) => void;

const tailDefault = 50;
/** Of each life, where somebody looks for something and does not say how much of it they want. */
const foundMax = 5000;
const waitMs = 20_000;

const spec: CommandSpec<Flags, string[]> = {
  usage:
    "AGENT [SERVICE…] [-f] [--tail N] [--find TEXT] [--since WHEN] [--until WHEN] [--timestamps] [--previous | --lives | --life N]",
  about: `What the services of an agent said, in the order in which they said it, each line with the name of its service: the end of it, and with
-f what comes. What a service said in its last five lives is kept; --find, --since and --until look through all of what is meant, and
not only at its end, unless --tail says how much of that; of each life the newest lines are shown, so many as can be. WHEN is how long ago (10m), or a time such as 2026-03-01T12:00:00Z. What an earlier release kept has no times: it comes first.`,
  examples: [
    ["agent logs shop-1", "The last lines of every service."],
    ["agent logs shop-1 web -f", "One service, and what it says from now on."],
    ["agent logs shop-1 --since 5m --timestamps", "Everything of the last five minutes, with when it was said."],
    ["agent logs shop-1 --previous", "What each service said before it was begun anew."],
    ["agent logs shop-1 --lives --find ERROR", "Lines that say something, in every life that is kept."],
    ["agent logs shop-1 web --life 3", "What it said in its third life."],
  ],
  parameters: {
    flags: {
      follow: flag("Stays, and shows what comes."),
      tail: {
        kind: "parsed",
        parse: parseCount,
        optional: true,
        placeholder: "N",
        brief: `The last N lines of each. Left out: ${tailDefault}, or with --find, --since or --until all.`,
      },
      find: {
        kind: "parsed",
        parse: parseNonEmpty,
        optional: true,
        placeholder: "TEXT",
        brief: "Only lines with this in them.",
      },
      since: momentFlag("Only what was said then or later."),
      until: momentFlag("Only what was said then or earlier."),
      timestamps: flag("When each line was said, before it."),
      life: {
        kind: "parsed",
        parse: parseCount,
        optional: true,
        placeholder: "N",
        brief: "Of this life of a service, which agent show counts. Left out: the newest.",
      },
      previous: flag("Of the life before the newest."),
      lives: flag("Of every life that is kept, the oldest first."),
      json: jsonFlag,
    },
    aliases: { f: "follow", p: "previous", t: "timestamps" },
    positional: { kind: "array", parameter: { ...agentArgument, brief: "An agent, then services of it." }, minimum: 1 },
  },
  async run(cli, flags, ref = "", ...named) {
    if (flags.life !== undefined && named.length !== 1)
      throw new UsageError("--life speaks of one service: name it after the agent.");
    const wishes = [flags.life !== undefined, flags.previous, flags.lives].filter(Boolean).length;
    if (wishes > 1) throw new UsageError("Say one of --life, --previous and --lives.");
    if (flags.follow && flags.until !== undefined) throw new UsageError("With -f there is no end: leave --until out.");
    if (flags.follow && (flags.previous || flags.life !== undefined))
      throw new UsageError("A life that is over says nothing more: leave -f out.");
    await showServices(cli, ref, named, flags);
  },
};

export const agentLogs = defineCommand(spec);

export const serviceLogs = defineCommand({
  ...spec,
  examples: [
    ["service logs shop-1 web -f", "What it said last, and what it says from now on."],
    ["service logs shop-1 web --previous", "What it said before it was begun anew."],
  ],
});

function momentFlag(brief: string) {
  return { kind: "parsed", parse: parseMoment, optional: true, placeholder: "WHEN", brief } as const;
}

const attachedTail = 200;

export const serviceAttach = defineCommand<CommonFlags, [string, string]>({
  usage: "AGENT SERVICE",
  about: `What a service says as it comes, through every restart, after the last ${attachedTail} lines of what it said; of several instances all of
them. It is a window to look through: a service has no keyboard. Ctrl-c leaves, and it goes on. For a program that somebody types at, see
"signalbox attach".`,
  examples: [["service attach shop-1 web", "Stay with what it says."]],
  parameters: { flags: { json: jsonFlag }, positional: agentAndService },
  async run(cli, { json }, agent, service) {
    const how = { follow: true, tail: attachedTail, previous: false, lives: false, timestamps: false, json };
    await showServices(cli, agent, [service], how);
  },
});

/** The end of what services of an agent said, or of all of them, and with `follow` what comes. */
export async function showServices(cli: Cli, ref: string, named: readonly string[], flags: Flags): Promise<void> {
  const { agent } = await cli.link.call("agent.get", { agent: ref });
  const wanted = named.length > 0 ? named.flatMap((name) => instancesOf(agent, name)) : agent.services.map(toName);
  const services = flags.previous ? wanted.filter((name) => !isInFirstLife(cli, agent, name)) : wanted;
  if (services.length === 0) return;
  const answer = await cli.link.call("agent.logs", {
    agent: agent.id,
    ...(named.length === 0 && services.length === wanted.length ? {} : { services }),
    ...toWish(flags),
  });
  const say = sayerOf(cli, wanted, flags);
  if (answer.untimed.length > 0 && (flags.since !== undefined || flags.until !== undefined))
    cli.out.note(`Nobody knows when ${answer.untimed.join(", ")} said something: an earlier release kept it.`);
  for (const line of answer.lines) say(line);
  if (answer.more && flags.tail === undefined && isLookedThrough(flags))
    cli.out.note(`There is more: these are the newest ${foundMax} lines of each life at most.`);
  if (flags.follow) await followAll(cli, agent, [...endsOf(agent, wanted), ...answer.ends], say);
}

type Wish = Pick<InputOf<"agent.logs">, "lives" | "life" | "text" | "sinceMs" | "untilMs" | "limit">;

function toWish(flags: Flags): Wish {
  const { tail, find, life, previous, lives, since, until } = flags;
  return {
    ...(life === undefined ? {} : { life }),
    ...(previous ? { lives: "previous" as const } : lives ? { lives: "all" as const } : {}),
    ...(find === undefined || tail !== undefined ? {} : { text: find }),
    ...(since === undefined ? {} : { sinceMs: since }),
    ...(until === undefined ? {} : { untilMs: until }),
    limit: tail ?? (isLookedThrough(flags) ? foundMax : tailDefault),
  };
}

function isLookedThrough({ find, since, until }: Flags): boolean {
  return find !== undefined || since !== undefined || until !== undefined;
}

/** Where several lives are shown, each line says which. */
function sayerOf(cli: Cli, services: readonly string[], { lives, find, timestamps, json }: Flags): Say {
  const labelOf = (service: string, life: number): string => (lives ? `${service}#${life}` : service);
  const width = Math.max(...services.map((name) => name.length)) + (lives ? 4 : 0);
  return ({ service, life, atMs, text }) => {
    if (find !== undefined && !text.includes(find)) return;
    if (json) return cli.out.jsonLine({ service, life, atMs, text });
    const when = timestamps ? `${atMs === null ? padEnd("-", 24) : new Date(atMs).toISOString()} ` : "";
    cli.out.print(`${cli.out.colors.dim(`${when}${padEnd(labelOf(service, life), width)} │`)} ${toSafeLine(text)}`);
  };
}

async function followAll(cli: Cli, agent: AgentView, ends: readonly End[], say: Say): Promise<void> {
  cli.interrupt.sayOnLeaving(`Left. ${agent.name} goes on.`);
  // Nobody goes on asking when one of them could not.
  const over = new AbortController();
  const signal = AbortSignal.any([cli.interrupt.signal, over.signal]);
  const newest = [...new Map(ends.map((end) => [end.service, end])).values()];
  try {
    await Promise.all(newest.map((from) => followOne(cli, { agent: agent.id, from, say, signal })));
  } catch (error) {
    if (!isGone(error)) throw error;
    cli.out.note(`${toSafeLine(agent.name)} was removed.`);
  } finally {
    over.abort();
  }
}

function isGone(error: unknown): boolean {
  return error instanceof ProtocolError && error.code === "not-found" && error.data["kind"] === "agent";
}

/** Those that have said nothing yet may do so. */
function endsOf({ services }: AgentView, wanted: readonly string[]): End[] {
  const unborn = services.filter(({ name, life }) => life === 0 && wanted.includes(name));
  return unborn.map(({ name }) => ({ service: name, life: 0, offset: 0 }));
}

type Following = { readonly agent: string; readonly from: End; readonly say: Say; readonly signal: AbortSignal };

/** Goes on where a part ended, through every life that follows. */
async function followOne(cli: Cli, { agent, from, say, signal }: Following): Promise<void> {
  const { service } = from;
  let { life, offset } = from;
  let lines = new TimedLines();
  while (!signal.aborted) {
    const wish = { agent, service, ...(life === 0 ? {} : { life, offset }), waitMs, times: true };
    const part = await askPatiently(cli, signal, () => cli.link.call("service.output", wish));
    const bytes = Buffer.from(part.base64, "base64");
    for (const line of lines.take(bytes, part.offset, part.times ?? [])) say({ service, life: part.life, ...line });
    offset = part.offset + bytes.length;
    life = part.life;
    if (!part.ended || offset < part.size) continue;
    for (const line of lines.end()) say({ service, life: part.life, ...line });
    const next = await nextLife(cli, { agent, service }, life, signal);
    if (next === undefined) await new Promise((resolve) => setTimeout(resolve, 250));
    else [life, offset, lines] = [next, 0, new TimedLines()];
  }
}

async function nextLife(
  cli: Cli,
  { agent, service }: { readonly agent: string; readonly service: string },
  life: number,
  signal: AbortSignal,
): Promise<number | undefined> {
  const answer = await askPatiently(cli, signal, () => cli.link.call("agent.get", { agent }));
  const now = answer.agent.services.find(({ name }) => name === service)?.life ?? life;
  return now > life ? life + 1 : undefined;
}

function isInFirstLife(cli: Cli, { services }: AgentView, name: string): boolean {
  const isFirst = (services.find((service) => service.name === name)?.life ?? 2) < 2;
  if (isFirst) cli.out.note(`${name} is in its first life.`);
  return isFirst;
}

const toName = ({ name }: { readonly name: string }): string => name;

/** A service by its name, or all instances of one that has any. What is not there is told by whoever is asked for it. */
function instancesOf({ services }: AgentView, name: string): string[] {
  const instances = services.filter(({ group }) => group === name).map((each) => each.name);
  return instances.length === 0 ? [name] : instances;
}
