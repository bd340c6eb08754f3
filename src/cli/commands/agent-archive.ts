// Agents that are put away and brought back, and what hooks said on the way.

import { type CommonFlags, defineCommand } from "../define-command.ts";
import { flag, jsonFlag } from "../flags.ts";
import { toSafeLine, toSafeLines } from "../text/safe-text.ts";
import { UsageError } from "../usage-error.ts";
import { hookNames, type HookName } from "../../protocol/template/agent-spec.ts";
import { agentArgument, restAgent } from "./agent.ts";

type Waiting = CommonFlags & { readonly detach: boolean };

const detach = flag("Does not wait until it has come to rest.");
const oneAgent = { kind: "tuple", parameters: [agentArgument] } as const;

export const agentArchive = defineCommand<Waiting & { readonly force: boolean }, [string]>({
  usage: "AGENT [--force] [-d]",
  about: `Its archive hook is run while its services are there, then they go down in order. Its files, its history and its
recordings stay, its ports are given back. It is not archived, and ends with 1, where the hook fails. One with such a hook that
is not up is not archived: start it first, or leave the hook out with --force.`,
  examples: [["agent archive shop-1", "Put it away until it is needed again."]],
  parameters: {
    flags: { force: flag("Without its hook, and ending the run that is in it."), detach, json: jsonFlag },
    aliases: { d: "detach" },
    positional: oneAgent,
  },
  async run(cli, { force, detach: isDetached, json }, ref) {
    const { agent } = await cli.link.call("agent.archive", { agent: ref, force });
    const ended = await restAgent(cli, agent, isDetached, json);
    if (isDetached) return ended;
    const { agent: now } = await cli.link.call("agent.get", { agent: agent.id });
    if (now.archived) return ended;
    const failed = now.hooks.find(({ name, state }) => name === "archive" && state === "failed");
    const why = failed === undefined ? "somebody wanted it to go on" : "its archive hook failed";
    cli.out.note(
      `${toSafeLine(now.name)} was not archived: ${why}. See what it said with: signalbox agent hook ${toSafeLine(now.name)} archive`,
    );
    return 1;
  },
});

export const agentRestore = defineCommand<Waiting, [string]>({
  usage: "AGENT [-d]",
  about: "It comes up around the same files, with its ports where nobody else has them now, else with others.",
  examples: [["agent restore shop-1", "Bring it back, and wait until it is up."]],
  parameters: { flags: { detach, json: jsonFlag }, aliases: { d: "detach" }, positional: oneAgent },
  async run(cli, { detach: isDetached, json }, ref) {
    const { agent } = await cli.link.call("agent.restore", { agent: ref });
    return await restAgent(cli, agent, isDetached, json);
  },
});

const hookArgument = {
  parse: (text: string): HookName => {
    const found = hookNames.find((name) => name === text);
    if (found === undefined) throw new UsageError(`A hook is one of ${hookNames.join(", ")}.`);
    return found;
  },
  placeholder: "HOOK",
  brief: "setup, ready or archive.",
} as const;

export const agentHook = defineCommand<CommonFlags, [string, HookName]>({
  usage: "AGENT HOOK",
  about: "What a hook of the agent's template said when it was last run: setup, ready or archive.",
  examples: [["agent hook shop-1 setup", "Why it did not come up."]],
  parameters: {
    flags: { json: jsonFlag },
    positional: { kind: "tuple", parameters: [agentArgument, hookArgument] },
  },
  async run(cli, { json }, agent, hook) {
    const answer = await cli.link.call("hook.output", { agent, hook });
    if (json) return cli.out.json(answer);
    if (answer.text !== "") cli.out.print(...toSafeLines(answer.text.replace(/\n$/, "")));
  },
});
