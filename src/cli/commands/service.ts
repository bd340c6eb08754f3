import type { AgentView } from "../../protocol/wire/agent.ts";
import { completeServices } from "../completers.ts";
import { type CommandMaker, type CommonFlags, defineCommand } from "../define-command.ts";
import { jsonFlag } from "../flags.ts";
import { askNow } from "../now.ts";
import { parseNonEmpty } from "../parse-args.ts";
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

function only({ services }: AgentView, name: string): AgentView["services"] {
  return services.filter((service) => service.name === name);
}

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
