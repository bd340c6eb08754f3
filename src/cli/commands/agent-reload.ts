// An agent beside what its template says now: what differs, and becoming that.

import type { OutputOf } from "../../protocol/operations.ts";
import type { Cli } from "../cli.ts";
import { type CommonFlags, defineCommand } from "../define-command.ts";
import { flag, jsonFlag } from "../flags.ts";
import { parseCount, parseNonEmpty } from "../parse-args.ts";
import { readText } from "../read-text.ts";
import { toSafeLine } from "../text/safe-text.ts";
import { agentArgument, restAgent, serviceArgument } from "./agent.ts";

const defaultFile = "signalbox.yaml";
const file = {
  parse: parseNonEmpty,
  placeholder: "FILE",
  optional: true,
  brief: `A template; left out, ${defaultFile}; - is standard input.`,
} as const;
const agentAndFile = { kind: "tuple", parameters: [agentArgument, file] } as const;
const serviceAndFile = { kind: "tuple", parameters: [agentArgument, serviceArgument, file] } as const;
const detach = flag("Does not wait until it has come to rest.");

const effects = {
  none: "at once",
  service: "restarts services",
  place: "makes its place anew",
  never: "needs another agent",
} as const;

export const agentDrift = defineCommand<CommonFlags, [string, string?]>({
  usage: "AGENT [FILE]",
  about: `Says what differs between what an agent is made of and what a template says now, and what it takes to become that.
An agent keeps what it was made of until somebody reloads it.`,
  examples: [["agent drift shop-1", `Compare it with ${defaultFile}.`]],
  parameters: { flags: { json: jsonFlag }, positional: agentAndFile },
  async run(cli, { json }, agent, path = defaultFile) {
    const template = await readText(cli, "The template", path);
    const { agent: _, ...plan } = await cli.link.call("agent.reload", { agent, template, file: path, dryRun: true });
    if (json) return cli.out.json(plan);
    tell(cli, plan);
  },
});

export const agentReload = defineCommand<CommonFlags & { readonly detach: boolean }, [string, string?]>({
  usage: "AGENT [FILE] [-d]",
  about: `Makes an agent what a template says now. What can change while it runs does; services whose command, variables or check
changed restart, with those that need them; ports and the number of instances make its place anew around the same files.`,
  examples: [["agent reload shop-1", `Become what ${defaultFile} says, and wait until it is up.`]],
  parameters: {
    flags: { detach, json: jsonFlag },
    aliases: { d: "detach" },
    positional: agentAndFile,
  },
  async run(cli, { detach: isDetached, json }, ref, path = defaultFile) {
    const template = await readText(cli, "The template", path);
    const { agent, ...plan } = await cli.link.call("agent.reload", { agent: ref, template, file: path });
    if (!json) tell(cli, plan);
    return await restAgent(cli, agent, isDetached, json);
  },
});

export const serviceDrift = defineCommand<CommonFlags, [string, string, string?]>({
  usage: "AGENT SERVICE [FILE]",
  about:
    "Says what differs between what a service is made of and what a template says of it now, and what becoming that takes.",
  examples: [["service drift shop-1 web", `Compare it with ${defaultFile}.`]],
  parameters: { flags: { json: jsonFlag }, positional: serviceAndFile },
  async run(cli, { json }, agent, service, path = defaultFile) {
    const template = await readText(cli, "The template", path);
    const given = { agent, service, template, file: path, dryRun: true };
    const { agent: _, ...plan } = await cli.link.call("service.reload", given);
    if (json) return cli.out.json(plan);
    tell(cli, plan);
  },
});

export const serviceReload = defineCommand<CommonFlags & { readonly detach: boolean }, [string, string, string?]>({
  usage: "AGENT SERVICE [FILE] [-d]",
  about: `Makes one service what a template says of it now, and leaves everything else of the agent as it is. It restarts where it has
to, with those that need it.`,
  examples: [["service reload shop-1 web", `Become what ${defaultFile} says of it.`]],
  parameters: { flags: { detach, json: jsonFlag }, aliases: { d: "detach" }, positional: serviceAndFile },
  async run(cli, { detach: isDetached, json }, ref, service, path = defaultFile) {
    const template = await readText(cli, "The template", path);
    const { agent, ...plan } = await cli.link.call("service.reload", { agent: ref, service, template, file: path });
    if (!json) tell(cli, plan);
    return await restAgent(cli, agent, isDetached, json);
  },
});

export const serviceScale = defineCommand<CommonFlags & { readonly detach: boolean }, [string, string, number]>({
  usage: "AGENT SERVICE COUNT [-d]",
  about: `Sees that so many instances of a service stand behind its ports. From several to another number of several, or with
overlap, instances come or go and nothing else is touched; from one to several, or back, the agent's place is made anew around the same
files. Its template stays as it is: agent drift tells the difference, and agent reload makes the agent what the template says.`,
  examples: [["service scale shop-1 web 3", "Three of them, side by side."]],
  parameters: {
    flags: { detach, json: jsonFlag },
    aliases: { d: "detach" },
    positional: {
      kind: "tuple",
      parameters: [
        agentArgument,
        serviceArgument,
        { parse: parseCount, placeholder: "COUNT", brief: "How many there are to be." },
      ],
    },
  },
  async run(cli, { detach: isDetached, json }, ref, service, instances) {
    const { agent, ...plan } = await cli.link.call("service.scale", { agent: ref, service, instances });
    if (!json) tell(cli, plan);
    return await restAgent(cli, agent, isDetached, json);
  },
});

function tell(cli: Cli, { changes, restarts }: Pick<OutputOf<"agent.reload">, "changes" | "restarts">): void {
  if (changes.length === 0) return cli.out.note("Nothing differs.");
  cli.out.table(
    [{ title: "WHERE" }, { title: "TAKES" }, { title: "AGENT", cut: "end" }, { title: "TEMPLATE", cut: "end" }],
    changes.map(({ path, effect, agent, template }) => [
      toSafeLine(path),
      effects[effect],
      toSafeLine(agent ?? "-"),
      toSafeLine(template ?? "-"),
    ]),
  );
  if (restarts.length > 0) cli.out.note(`Restarts: ${restarts.map(toSafeLine).join(", ")}`);
}
