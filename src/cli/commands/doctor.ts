import { exitCodes } from "../../protocol/errors.ts";
import { findDaemon } from "../daemon-info.ts";
import { defineCommand } from "../define-command.ts";
import { jsonFlag } from "../flags.ts";
import { withProgress } from "../progress.ts";
import { toSafeLine } from "../text/safe-text.ts";
import { padEnd } from "../text/text-width.ts";

export const doctor = defineCommand({
  usage: "",
  about: `Works with and without a daemon. The log is looked through for damage for up to ten seconds; when that is not
enough, the answer says how far it got, and signalbox log verify looks at all of it. Ends with 1 when something
that is needed is missing or damaged; where there is something to use instead, it warns and ends with 0.`,
  examples: [["doctor", "See whether this machine has what the daemon needs."]],
  parameters: { flags: { json: jsonFlag } },
  async run(cli, { json }) {
    const running = await findDaemon(cli);
    const examine = async () => {
      if (running !== undefined) return await cli.link.call("doctor", {});
      return await (await import("../../daemon/main.ts")).doctor(cli.home);
    };
    const report = await withProgress(cli.out, "trying things out, and looking through the log", examine());
    if (json) cli.out.json({ running: running !== undefined, ...report });
    else {
      const { green, red, yellow, dim } = cli.out.colors;
      const width = Math.max(...report.checks.map(({ name }) => name.length));
      for (const { name, ok, needed, detail, fix } of report.checks) {
        const mark = ok ? green("ok  ") : needed ? red("FAIL") : yellow("warn");
        cli.out.print(`${mark}  ${padEnd(name, width)}  ${toSafeLine(detail)}`);
        const advice = needed ? "what to do" : "instead";
        if (!ok && fix !== null) cli.out.print(`      ${padEnd("", width)}  ${dim(`${advice}: ${toSafeLine(fix)}`)}`);
      }
      cli.out.note(
        running === undefined
          ? "No daemon runs; the machine was looked at."
          : `The daemon (pid ${running.pid}) was asked.`,
      );
    }
    return report.ok ? exitCodes.ok : exitCodes.failed;
  },
});
