import { protocolError } from "../../protocol/errors.ts";
import type { AgentView } from "../../protocol/wire/agent.ts";
import { completeServices } from "../completers.ts";
import { type CommandMaker, type CommonFlags, defineCommand } from "../define-command.ts";
import { jsonFlag } from "../flags.ts";
import { askNow } from "../now.ts";
import { parseNonEmpty } from "../parse-args.ts";
import { toSafeLine } from "../text/safe-text.ts";
import { toServiceRow, serviceColumns } from "../view/agent-view.ts";
import { agentArgument } from "./agent.ts";

const serviceArgument = {
  parse: parseNonEmpty,
  placeholder: "SERVICE",
  brief: "Name of a service, as its template says it.",
  proposeCompletions: completeServices,
} as const;

type Verb = "service.start" | "service.stop" | "service.restart";

function serviceCommand(verb: Verb, about: string, example: readonly [string, string]): CommandMaker {
  return defineCommand<CommonFlags, [string, string]>({
    usage: "AGENT SERVICE",
    about,
    examples: [example],
    parameters: {
      flags: { json: jsonFlag },
      positional: { kind: "tuple", parameters: [agentArgument, serviceArgument] },
    },
    async run(cli, { json }, agent, service) {
      const answer = await cli.link.call(verb, { agent, service });
      if (json) return cli.out.json(answer);
      const now = await askNow(cli);
      cli.out.table(
        serviceColumns,
        only(answer.agent, service).map((each) => toServiceRow(cli.out, each, now)),
      );
    },
  });
}

/** One of this name, or all instances of one that has any. */
function only({ services }: AgentView, name: string): AgentView["services"] {
  return services.filter((service) => service.name === name || service.group === name);
}

export const serviceList = defineCommand<CommonFlags, [string?]>({
  usage: "[AGENT]",
  about: "The services of an agent, or of all agents that are not archived.",
  examples: [
    ["service list", "Every service that there is."],
    ["service list shop-1", "Those of one agent."],
  ],
  parameters: {
    flags: { json: jsonFlag },
    positional: { kind: "tuple", parameters: [{ ...agentArgument, optional: true }] },
  },
  async run(cli, { json }, ref) {
    const agents =
      ref === undefined
        ? (await cli.link.call("agent.list", {})).agents
        : [(await cli.link.call("agent.get", { agent: ref })).agent];
    const listed = agents.flatMap((agent) => agent.services.map((service) => ({ agent, service })));
    if (json)
      return cli.out.json({ services: listed.map(({ agent, service }) => ({ agent: agent.name, ...service })) });
    if (listed.length === 0) return cli.out.note("There is no service.");
    const now = await askNow(cli);
    cli.out.table(
      [{ title: "AGENT" }, ...serviceColumns],
      listed.map(({ agent, service }) => [toSafeLine(agent.name), ...toServiceRow(cli.out, service, now)]),
    );
  },
});

export const serviceShow = defineCommand<CommonFlags, [string, string]>({
  usage: "AGENT SERVICE",
  about: "How a service is, or each of its instances; with --json all that is known of it.",
  examples: [["service show shop-1 web", "One of them."]],
  parameters: {
    flags: { json: jsonFlag },
    positional: { kind: "tuple", parameters: [agentArgument, serviceArgument] },
  },
  async run(cli, { json }, ref, name) {
    const { agent } = await cli.link.call("agent.get", { agent: ref });
    const services = only(agent, name);
    if (services.length === 0) throw protocolError("not-found", { kind: "service", id: `${agent.name}/${name}` });
    if (json) return cli.out.json({ services });
    const now = await askNow(cli);
    cli.out.table(
      serviceColumns,
      services.map((service) => toServiceRow(cli.out, service, now)),
    );
  },
});

export const serviceStart = serviceCommand(
  "service.start",
  "Starts a service that was stopped, has ended or had failed.",
  ["service start shop-1 web", "Bring it up."],
);

export const serviceStop = serviceCommand(
  "service.stop",
  "It stays down until somebody starts it, also over a restart of its agent.",
  ["service stop shop-1 web", "Take it down."],
);

export const serviceRestart = serviceCommand(
  "service.restart",
  "Stops a service in its own way and starts it again. It counts as no failure.",
  ["service restart shop-1 web", "Begin it anew."],
);
