import { limits } from "../../protocol/limits.ts";
import type { OutputOf } from "../../protocol/operations.ts";
import type { AgentView } from "../../protocol/wire/agent.ts";
import type { Cli } from "../cli.ts";
import { type CommandSpec, type CommonFlags, defineCommand } from "../define-command.ts";
import { flag, jsonFlag } from "../flags.ts";
import { parseCount, parseNonEmpty } from "../parse-args.ts";
import { askPatiently } from "../patience.ts";
import { toSafeLine } from "../text/safe-text.ts";
import { padEnd } from "../text/text-width.ts";
import { UsageError } from "../usage-error.ts";
import { agentArgument } from "./agent.ts";

type Flags = CommonFlags & {
  readonly follow: boolean;
  readonly tail?: number;
  readonly find?: string;
  readonly life?: number;
  readonly previous: boolean;
  readonly lives: boolean;
};
type Part = OutputOf<"service.output">;

const tailDefault = 50;
const waitMs = 20_000;

const spec: CommandSpec<Flags, string[]> = {
  usage: "AGENT [SERVICE…] [-f] [--tail N] [--find TEXT] [--previous | --lives | --life N]",
  about: `What the services of an agent said, each line with the name of its service: the end of it, and with -f what comes. What a service
said in its last five lives is kept; --find looks through all of what is meant, and not only at its end.`,
  examples: [
    ["agent logs shop-1", "The last lines of every service."],
    ["agent logs shop-1 web -f", "One service, and what it says from now on."],
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
        brief: `The last N lines of each. Left out: ${tailDefault}.`,
      },
      find: {
        kind: "parsed",
        parse: parseNonEmpty,
        optional: true,
        placeholder: "TEXT",
        brief: "Only lines with this in them.",
      },
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
    aliases: { f: "follow", p: "previous" },
    positional: { kind: "array", parameter: { ...agentArgument, brief: "An agent, then services of it." }, minimum: 1 },
  },
  async run(cli, flags, ref = "", ...named) {
    if (flags.life !== undefined && named.length !== 1)
      throw new UsageError("--life speaks of one service: name it after the agent.");
    const wishes = [flags.life !== undefined, flags.previous, flags.lives].filter(Boolean).length;
    if (wishes > 1) throw new UsageError("Say one of --life, --previous and --lives.");
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

/** The end of what services of an agent said, or of all of them, and with `follow` what comes. */
export async function showServices(
  cli: Cli,
  ref: string,
  named: readonly string[],
  { follow, tail, find, json, ...wish }: Flags,
): Promise<void> {
  const { agent } = await cli.link.call("agent.get", { agent: ref });
  const services =
    named.length > 0 ? named.flatMap((name) => instancesOf(agent, name)) : agent.services.map(({ name }) => name);
  // Where several lives are shown, each line says which.
  const labelOf = (service: string, life: number): string => (wish.lives ? `${service}#${life}` : service);
  const width = Math.max(...services.map((name) => name.length)) + (wish.lives ? 4 : 0);
  const say = (service: string, life: number, text: string): void => {
    if (find !== undefined && !text.includes(find)) return;
    if (json) cli.out.jsonLine({ service, life, text });
    else cli.out.print(`${cli.out.colors.dim(`${padEnd(labelOf(service, life), width)} │`)} ${toSafeLine(text)}`);
  };
  const isWhole = find !== undefined && tail === undefined;
  const ends = await Promise.all(
    services.map(async (service) => {
      const of = { agent: agent.id, service };
      const parts: Part[] = [];
      for (const life of livesOf(agent, service, wish))
        parts.push(await (isWhole ? readWhole(cli, of, life) : readEnd(cli, of, life)));
      return { service, parts };
    }),
  );
  for (const { service, parts } of ends) {
    if (parts.length === 0) cli.out.note(`${service} is in its first life.`);
    for (const part of parts)
      for (const text of linesOf(part.text).slice(isWhole ? 0 : -(tail ?? tailDefault))) say(service, part.life, text);
  }
  if (!follow) return;
  cli.interrupt.sayOnLeaving(`Left. ${agent.name} goes on.`);
  await Promise.all(
    ends.map(async ({ service, parts }) => {
      const last = parts.at(-1);
      if (last !== undefined) await followOne(cli, { agent: agent.id, service }, last, say);
    }),
  );
}

type Of = { readonly agent: string; readonly service: string };

/** Which lives are meant; undefined is the newest. */
function livesOf(
  { services }: AgentView,
  service: string,
  wish: Pick<Flags, "life" | "previous" | "lives">,
): (number | undefined)[] {
  const now = services.find(({ name }) => name === service)?.life ?? 0;
  if (wish.previous) return now > 1 ? [now - 1] : [];
  if (!wish.lives || now === 0) return [wish.life];
  const first = Math.max(1, now - limits.serviceLivesMax + 1);
  return Array.from({ length: now - first + 1 }, (_, at) => first + at);
}

function readEnd(cli: Cli, of: Of, life: number | undefined): Promise<Part> {
  return cli.link.call("service.output", { ...of, ...(life === undefined ? {} : { life }) });
}

/** All that is kept of a life, from its beginning. */
async function readWhole(cli: Cli, of: Of, life: number | undefined): Promise<Part> {
  const wish = { ...of, ...(life === undefined ? {} : { life }) };
  const decoder = new TextDecoder();
  let text = "";
  for (let offset = 0; ;) {
    const part: Part = await cli.link.call("service.output", { ...wish, offset });
    const bytes = Buffer.from(part.base64, "base64");
    text += decoder.decode(bytes, { stream: true });
    offset = part.offset + bytes.length;
    if (bytes.length === 0 || offset >= part.size) return { ...part, text };
  }
}

/** Goes on where a part ended, through every life that follows. */
async function followOne(
  cli: Cli,
  of: Of,
  from: Part,
  say: (service: string, life: number, text: string) => void,
): Promise<void> {
  const { signal } = cli.interrupt;
  let { life } = from;
  let offset = from.size;
  let rest = "";
  while (!signal.aborted) {
    const wish = { ...of, ...(life === 0 ? {} : { life, offset }), waitMs };
    const part = await askPatiently(cli, signal, () => cli.link.call("service.output", wish));
    const lines = (rest + part.text).split("\n");
    rest = lines.pop() ?? "";
    for (const text of lines) say(of.service, part.life, text);
    offset = part.offset + Buffer.from(part.base64, "base64").length;
    life = part.life;
    if (!part.ended || offset < part.size) continue;
    const next = await nextLife(cli, of, life);
    if (next !== undefined) [life, offset] = [next, 0];
    else await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

async function nextLife(cli: Cli, { agent, service }: Of, life: number): Promise<number | undefined> {
  const answer = await askPatiently(cli, cli.interrupt.signal, () => cli.link.call("agent.get", { agent }));
  const now = answer.agent.services.find(({ name }) => name === service)?.life ?? life;
  return now > life ? life + 1 : undefined;
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

/** A service by its name, or all instances of one that has any. What is not there is told by whoever is asked for it. */
function instancesOf({ services }: AgentView, name: string): string[] {
  const instances = services.filter(({ group }) => group === name).map((each) => each.name);
  return instances.length === 0 ? [name] : instances;
}
