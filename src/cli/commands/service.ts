import type { AgentView, ServiceView } from "../../protocol/wire/agent.ts";
import { type CommandMaker, type CommonFlags, defineCommand } from "../define-command.ts";
import { flag, jsonFlag } from "../flags.ts";
import { askNow } from "../now.ts";
import { stayWithAgent } from "../stay-with-agent.ts";
import { toSafeLine } from "../text/safe-text.ts";
import { toServiceRow, serviceColumns } from "../view/agent-view.ts";
import { agentAndService, agentArgument } from "./agent.ts";

type Verb = "service.start" | "service.stop" | "service.restart";

function serviceCommand(verb: Verb, about: string, example: readonly [string, string]): CommandMaker {
  return defineCommand<CommonFlags & { readonly detach: boolean }, [string, string]>({
    usage: "AGENT SERVICE [-d]",
    about,
    examples: [example],
    parameters: {
      flags: { detach: flag("Does not wait until it has come to rest."), json: jsonFlag },
      aliases: { d: "detach" },
      positional: agentAndService,
    },
    async run(cli, { detach: isDetached, json }, ref, service) {
      const { agent: asked } = await cli.link.call(verb, { agent: ref, service });
      const agent = isDetached ? asked : await stayWithAgent(cli, asked, service);
      const services = agent === null ? [] : only(agent, service);
      if (json) cli.out.json({ agent });
      else if (agent === null) cli.out.note(`${toSafeLine(asked.name)} is gone.`);
      else {
        const now = await askNow(cli);
        cli.out.table(
          serviceColumns,
          services.map((each) => toServiceRow(cli.out, each, now)),
        );
        if (verb === "service.stop" && agent.state === "stopped")
          cli.out.note(`${toSafeLine(agent.name)} is stopped; ${toSafeLine(service)} stays down when it is started.`);
      }
      return !isDetached && services.some(hasNotComeUp) ? 1 : 0;
    },
  });
}

/** One of this name, or all instances of one that has any. */
function only({ services }: AgentView, name: string): AgentView["services"] {
  return services.filter((service) => service.name === name || service.group === name);
}

function hasNotComeUp({ state, healthy }: ServiceView): boolean {
  return state === "failed" || state === "delayed" || healthy === false;
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
    positional: agentAndService,
  },
  async run(cli, { json }, ref, name) {
    const { services } = await cli.link.call("service.get", { agent: ref, service: name });
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
  "Starts a service that was stopped, has ended or had failed, in an agent that is not stopped. It waits until it is up, and ends with 1 when it did not come up.",
  ["service start shop-1 web", "Bring it up."],
);

export const serviceStop = serviceCommand(
  "service.stop",
  "It stays down until somebody starts it, also over a restart of its agent, or when that is stopped now. It waits until nothing of it runs.",
  ["service stop shop-1 web", "Take it down."],
);

export const serviceRestart = serviceCommand(
  "service.restart",
  "Stops a service in its own way and starts it again, which counts as no failure. In an agent that is stopped there is nothing to restart. It waits until it is up, and ends with 1 when it did not come up.",
  ["service restart shop-1 web", "Begin it anew."],
);
