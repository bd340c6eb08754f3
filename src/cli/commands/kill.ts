import { defineCommand } from "../define-command.ts";
import { anyRuns } from "../flags.ts";
import { forEach } from "../for-each.ts";
import { listSelected, tellEnded, type SelectFlags, selectFlags, selectRuns, selectUsage } from "../select-runs.ts";

export const kill = defineCommand<SelectFlags, string[]>({
  usage: selectUsage,
  about: "For runs that do not end by signalbox stop.",
  examples: [["kill r_1a", "End a run at once."]],
  parameters: { flags: selectFlags, positional: anyRuns },
  async run(cli, flags, ...named) {
    const because = flags.because === undefined ? {} : { because: flags.because };
    const runs = await listSelected(cli, await selectRuns(cli, flags, named));
    if (runs.length === 0 && !flags.json) cli.out.note("There was nothing to kill.");
    return await forEach(cli, runs, flags.json, async (run) => {
      const ended = await cli.link.call("run.kill", { run, ...because });
      return tellEnded(run, "killed", ended.runs);
    });
  },
});
