import { completePolicies } from "../completers.ts";
import { type CommonFlags, defineCommand } from "../define-command.ts";
import { jsonFlag } from "../flags.ts";
import { forEach } from "../for-each.ts";
import { parseNonEmpty } from "../parse-args.ts";

export const policyRemove = defineCommand<CommonFlags, string[]>({
  usage: "NAME…",
  about: "What it decided so far stays decided.",
  examples: [["policy remove careful", "Take a policy away."]],
  parameters: {
    flags: { json: jsonFlag },
    positional: {
      kind: "array",
      minimum: 1,
      parameter: {
        parse: parseNonEmpty,
        placeholder: "NAME",
        brief: "Name of a policy.",
        proposeCompletions: completePolicies,
      },
    },
  },
  run: (cli, { json }, ...names) =>
    forEach(
      cli,
      names,
      json,
      async (name) => {
        await cli.link.call("policy.remove", { name });
        return `The policy ${name} is removed. What it decided so far stays decided.`;
      },
      "policies",
    ),
});
