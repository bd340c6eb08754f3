import { type CommonFlags, defineCommand } from "../define-command.ts";
import { jsonFlag } from "../flags.ts";
import { parseNonEmpty } from "../parse-args.ts";
import { toSafeLine } from "../text/safe-text.ts";
import { agentArgument } from "./agent.ts";

export const agentAssist = defineCommand<CommonFlags, [string, string?]>({
  usage: "AGENT [PROMPT]",
  about: `Begins the assistant that the agent's template names, as a run in the agent, with what the template says or with PROMPT. It
waits for whoever is in the agent, like any run.`,
  examples: [["agent assist shop-1 'Mend the failing test'", "Have its assistant do something."]],
  parameters: {
    flags: { json: jsonFlag },
    positional: {
      kind: "tuple",
      parameters: [
        agentArgument,
        { parse: parseNonEmpty, placeholder: "PROMPT", brief: "What it is to do.", optional: true },
      ],
    },
  },
  async run(cli, { json }, ref, prompt) {
    const answer = await cli.link.call("agent.assist", { agent: ref, ...(prompt === undefined ? {} : { prompt }) });
    if (json) return cli.out.json(answer);
    const name = toSafeLine(answer.agent.name);
    cli.out.print(`The assistant of ${name} is being begun. See its run with: signalbox agent show ${name}`);
  },
});
