import { exitCodes } from "../../protocol/errors.ts";
import { completeClaims } from "../completers.ts";
import { type CommonFlags, defineCommand } from "../define-command.ts";
import { jsonFlag } from "../flags.ts";

export const cancel = defineCommand<CommonFlags, [string]>({
  usage: "CLAIM | TASK",
  about: `A claim that was granted meanwhile stays granted: the exit code is then 3, and signalbox release gives it back.
Cancelling a task ends all its runs.`,
  examples: [
    ["cancel c_1a", "Leave the queue."],
    ["cancel t_2b", "Give a task up."],
  ],
  parameters: {
    flags: { json: jsonFlag },
    positional: {
      kind: "tuple",
      parameters: [
        {
          parse: parseClaimOrTask,
          placeholder: "ID",
          brief: "Id of a claim (c_1a) or of a task (t_1a).",
          proposeCompletions: completeClaims,
        },
      ],
    },
  },
  async run(cli, { json }, id) {
    if (id.startsWith("t_")) {
      await cli.link.call("task.cancel", { task: id });
      if (json) cli.out.json({ task: id, cancelled: true });
      else cli.out.print(`${id} cancelled`);
      return exitCodes.ok;
    }
    const claim = await cli.link.call("claim.cancel", { claim: id });
    const isTooLate = claim.state === "granted";
    if (json) cli.out.json(claim);
    else cli.out.print(`${claim.claim} ${claim.state}`);
    if (isTooLate && !json) cli.out.note(`It was granted before; give it back with: signalbox release ${id}`);
    return isTooLate ? exitCodes.refused : exitCodes.ok;
  },
});

function parseClaimOrTask(text: string): string {
  if (/^[ct]_[0-9a-z]{1,16}$/.test(text)) return text;
  throw new Error("it is the id of a claim, such as c_1a, or of a task, such as t_1a. signalbox stop ends runs.");
}
