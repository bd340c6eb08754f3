import { type CommonFlags, defineCommand } from "../define-command.ts";
import { jsonFlag } from "../flags.ts";
import { toSafeLine } from "../text/safe-text.ts";
import { agentArgument } from "./agent.ts";

const shownMax = 20;

export const agentRefresh = defineCommand<CommonFlags, [string]>({
  usage: "AGENT",
  about: `Brings an agent's files to mainline's newest commit. Files that nobody changed in it move; those that were changed there stay as
they are, and are named. Services that watch files begin anew by themselves, others go on with what they have read. Refused while a run is
in the agent: runs are in step by themselves.`,
  examples: [["agent refresh shop-1", "Get what was committed since it was made."]],
  parameters: { flags: { json: jsonFlag }, positional: { kind: "tuple", parameters: [agentArgument] } },
  async run(cli, { json }, ref) {
    const answer = await cli.link.call("agent.refresh", { agent: ref });
    if (json) return cli.out.json(answer);
    const { agent, from, commit, movedCount, kept, keptCount } = answer;
    const name = toSafeLine(agent.name);
    const files = movedCount === 1 ? "1 file moved" : `${movedCount} files moved`;
    if (from === commit && movedCount === 0) cli.out.print(`${name} is at ${commit.slice(0, 7)} already.`);
    else cli.out.print(`${name} is at ${commit.slice(0, 7)}: ${files}.`);
    if (keptCount === 0) return;
    cli.out.note(`Changed in ${name}, and left as they are:`);
    cli.out.note(...kept.slice(0, shownMax).map((path) => `  ${toSafeLine(path)}`));
    if (keptCount > shownMax) cli.out.note(`  and ${keptCount - shownMax} more; --json has them.`);
  },
});
