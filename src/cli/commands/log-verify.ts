import { exitCodes } from "../../protocol/errors.ts";
import { defineCommand } from "../define-command.ts";
import { jsonFlag } from "../flags.ts";
import { toFieldLines } from "../view/fields-view.ts";

export const logVerify = defineCommand({
  usage: "",
  about: `Walks every record, its checksum and the chain of hashes, and compares the snapshot with the events. It changes
nothing, and a daemon may run meanwhile. Damage is named with its place; the exit code is then 8.`,
  examples: [["log verify", "See whether the log of this home is whole."]],
  parameters: { flags: { json: jsonFlag } },
  async run(cli, { json }) {
    const { verifyLog } = await import("../../daemon/main.ts");
    const report = verifyLog(cli.home);
    if (json) cli.out.json(report);
    else {
      const { green, red } = cli.out.colors;
      cli.out.print(report.isWhole ? green("The log is whole.") : red("The log is damaged."));
      cli.out.print(
        ...toFieldLines(cli.out, [
          ["file", report.path],
          ["events", String(report.events)],
          ["head", report.headHash],
          ["damage", report.damage === null ? "" : toText(report.damage)],
          ["state", toText(report.state)],
        ]),
      );
      if (!report.isWhole) cli.out.note("What to do: docs/operating/recovery.md");
    }
    return report.isWhole ? exitCodes.ok : exitCodes.broken;
  },
});

function toText(facts: object): string {
  return Object.entries(facts)
    .map(([name, value]) => `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");
}
