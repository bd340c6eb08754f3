import { completePolicies } from "../completers.ts";
import { type CommonFlags, defineCommand } from "../define-command.ts";
import { jsonFlag } from "../flags.ts";
import { parseNonEmpty } from "../parse-args.ts";
import { toFieldLines } from "../view/fields-view.ts";
import { toPolicyFields } from "../view/run-view.ts";

export const policyShow = defineCommand<CommonFlags, [string]>({
  usage: "NAME",
  examples: [["policy show careful", "See its scope and rules."]],
  parameters: {
    flags: { json: jsonFlag },
    positional: {
      kind: "tuple",
      parameters: [
        { parse: parseNonEmpty, placeholder: "NAME", brief: "Name of a policy.", proposeCompletions: completePolicies },
      ],
    },
  },
  async run(cli, { json }, name) {
    const answer = await cli.link.call("policy.get", { name });
    if (json) return cli.out.json(answer);
    cli.out.print(...toFieldLines(cli.out, toPolicyFields(answer.policy)));
  },
});
