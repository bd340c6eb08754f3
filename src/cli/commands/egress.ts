import { type CommonFlags, defineCommand } from "../define-command.ts";
import { jsonFlag } from "../flags.ts";
import { askNow } from "../now.ts";
import { parseNonEmpty } from "../parse-args.ts";
import { showDuration } from "../text/duration.ts";
import { toSafeLine } from "../text/safe-text.ts";
import { egressReason } from "../../protocol/egress-reasons.ts";
import { toEgressText } from "../view/run-view.ts";

const whose = { parse: parseNonEmpty, placeholder: "RUN|AGENT", brief: "Id of a run, or an agent." } as const;

function isRun(ref: string): boolean {
  return /^r_[0-9a-z]+$/.test(ref);
}

export const egress = defineCommand<CommonFlags, [string]>({
  usage: "RUN|AGENT",
  about: `Bytes are those of connections that are over. signalbox project change PROJECT --allow HOST puts a host on the
allow-list, also for runs that are under way. What leaves a living agent is the agent's, also where a run in it asked.`,
  examples: [
    ["egress r_1a", "Which hosts it has reached, and which it was refused."],
    ["egress shop-1", "The same of a living agent."],
  ],
  parameters: { flags: { json: jsonFlag }, positional: { kind: "tuple", parameters: [whose] } },
  async run(cli, { json }, run) {
    const answer = isRun(run)
      ? await cli.link.call("run.egress", { run })
      : await cli.link.call("agent.egress", { agent: run });
    if (json) return cli.out.json(answer);
    const { kind, policy, allow } = answer.egress;
    cli.out.note(
      toSafeLine(`${run} has ${toEgressText(kind, policy)}${kind === "list" ? `: ${allow.join(", ")}` : ""}`),
    );
    if (answer.hosts.length === 0) return cli.out.note("It has not tried to reach anybody.");
    const now = await askNow(cli, answer.nowMs);
    cli.out.table(
      [
        { title: "HOST", cut: "middle" },
        { title: "PORT", align: "right" },
        { title: "MADE", align: "right" },
        { title: "REFUSED", align: "right" },
        { title: "OUT", align: "right" },
        { title: "IN", align: "right" },
        { title: "LAST" },
        { title: "ADDRESS" },
        { title: "WHY NOT", cut: "end" },
      ],
      answer.hosts.map((each) => [
        each.host === "*" ? "(others)" : toSafeLine(each.host),
        each.port === 0 ? "" : String(each.port),
        ...[each.connections, each.refusals, each.bytesOut, each.bytesIn].map(String),
        `${showDuration(now.since(each.lastAtMs))} ago`,
        each.address ?? "",
        each.refused === null ? "" : toSafeLine(egressReason(each.refused)),
      ]),
    );
  },
});
