import { defineCommand } from "../define-command.ts";
import { jsonFlag } from "../flags.ts";
import { toSafeLine } from "../text/safe-text.ts";
import { toRules, toScope } from "../view/run-view.ts";

export const policyList = defineCommand({
  usage: "",
  examples: [["policy list", "See all policies; the first that states a rule decides it."]],
  parameters: { flags: { json: jsonFlag } },
  async run(cli, { json }) {
    const answer = await cli.link.call("policy.list", {});
    if (json) return cli.out.json(answer);
    if (answer.policies.length === 0)
      return cli.out.note("There is no policy. Make one with: signalbox policy set NAME …");
    cli.out.table(
      [
        { title: "POLICY" },
        { title: "PRIORITY", align: "right" },
        { title: "ENABLED" },
        { title: "SPEAKS OF", cut: "end" },
        { title: "RULES", cut: "end" },
      ],
      answer.policies.map((policy) => [
        toSafeLine(policy.name),
        String(policy.priority),
        policy.enabled ? "yes" : "no",
        toSafeLine(toScope(policy)),
        toSafeLine(toRules(policy).join("; ")),
      ]),
    );
  },
});
