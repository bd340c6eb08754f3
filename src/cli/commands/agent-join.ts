import { type CommonFlags, defineCommand } from "../define-command.ts";
import { flag, jsonFlag } from "../flags.ts";
import { toSafeLine } from "../text/safe-text.ts";
import { agentArgument } from "./agent.ts";

const twoAgents = { kind: "tuple", parameters: [agentArgument, agentArgument] } as const;

export const agentJoin = defineCommand<CommonFlags & { readonly across: boolean }, [string, string]>({
  usage: "AGENT AGENT [--across]",
  about: `Each of the two sees the services of the other from now on: by a name such as web.shop-1.agents, at the service's own port,
and nothing else of it. It stays so until they are parted, or one is removed.`,
  examples: [["agent join shop-1 db-1", "The services of shop-1 reach those of db-1, and the other way round."]],
  parameters: {
    flags: { across: flag("Also where they are agents of different projects."), json: jsonFlag },
    positional: twoAgents,
  },
  async run(cli, { across, json }, ref, other) {
    const answer = await cli.link.call("agent.join", { agent: ref, with: other, across });
    if (json) return cli.out.json(answer);
    const name = toSafeLine(answer.agent.name);
    cli.out.print(
      `${name} is joined with ${toSafeLine(other)}. See where its services are: signalbox agent show ${name}`,
    );
  },
});

export const agentPart = defineCommand<CommonFlags, [string, string]>({
  usage: "AGENT AGENT",
  about: "Neither of the two sees the services of the other any more, also where their templates name each other.",
  examples: [["agent part shop-1 db-1", "Connections between them are cut off."]],
  parameters: { flags: { json: jsonFlag }, positional: twoAgents },
  async run(cli, { json }, ref, other) {
    const answer = await cli.link.call("agent.part", { agent: ref, with: other });
    if (json) return cli.out.json(answer);
    cli.out.print(`${toSafeLine(answer.agent.name)} and ${toSafeLine(other)} are parted.`);
  },
});
