import type { OutputOf } from "../../protocol/operations.ts";
import type { AgentView } from "../../protocol/wire/agent.ts";
import type { Cli } from "../cli.ts";
import { type CommonFlags, defineCommand } from "../define-command.ts";
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
};
type Part = OutputOf<"service.output">;

const tailDefault = 50;
const waitMs = 20_000;

export const agentLogs = defineCommand<Flags, string[]>({
  usage: "AGENT [SERVICE…] [-f] [--tail N] [--find TEXT] [--life N]",
  about:
    "What the services of an agent said, each line with the name of its service: the end of it, and with -f what comes.",
  examples: [
    ["agent logs shop-1", "The last lines of every service."],
    ["agent logs shop-1 web -f", "One service, and what it says from now on."],
    ["agent logs shop-1 --find ERROR --tail 1000", "Lines that say something, among the last thousand of each."],
    ["agent logs shop-1 web --life 3", "What it said in its third life; that of the last five is kept."],
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
      json: jsonFlag,
    },
    aliases: { f: "follow" },
    positional: { kind: "array", parameter: { ...agentArgument, brief: "An agent, then services of it." }, minimum: 1 },
  },
  async run(cli, flags, ref = "", ...named) {
    if (flags.life !== undefined && named.length !== 1)
      throw new UsageError("--life speaks of one service: name it after the agent.");
    await showServices(cli, ref, named, flags);
  },
});

/** The end of what services of an agent said, or of all of them, and with `follow` what comes. */
export async function showServices(
  cli: Cli,
  ref: string,
  named: readonly string[],
  { follow, tail = tailDefault, find, life, json }: Flags,
): Promise<void> {
  const { agent } = await cli.link.call("agent.get", { agent: ref });
  const services =
    named.length > 0 ? named.flatMap((name) => instancesOf(agent, name)) : agent.services.map(({ name }) => name);
  const width = Math.max(...services.map((name) => name.length));
  const say = (service: string, life: number, text: string): void => {
    if (find !== undefined && !text.includes(find)) return;
    if (json) cli.out.jsonLine({ service, life, text });
    else cli.out.print(`${cli.out.colors.dim(`${padEnd(service, width)} │`)} ${toSafeLine(text)}`);
  };
  const ends = await Promise.all(
    services.map(async (service) => ({
      service,
      part: await cli.link.call("service.output", {
        agent: agent.id,
        service,
        ...(life === undefined ? {} : { life }),
      }),
    })),
  );
  for (const { service, part } of ends)
    for (const text of linesOf(part.text).slice(-tail)) say(service, part.life, text);
  if (!follow) return;
  cli.interrupt.sayOnLeaving(`Left. ${agent.name} goes on.`);
  await Promise.all(ends.map(({ service, part }) => followOne(cli, { agent: agent.id, service }, part, say)));
}

/** Goes on where a part ended, through every life that follows. */
async function followOne(
  cli: Cli,
  of: { readonly agent: string; readonly service: string },
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

async function nextLife(
  cli: Cli,
  { agent, service }: { readonly agent: string; readonly service: string },
  life: number,
): Promise<number | undefined> {
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
