import { defineCommand } from "../define-command.ts";
import { anyRuns } from "../flags.ts";
import { forEach } from "../for-each.ts";
import { type SelectFlags, selectFlags, selectRuns, selectUsage, tellEnded } from "../select-runs.ts";
import { tellDone } from "../tell-done.ts";

export const stop = defineCommand<SelectFlags, string[]>({
  usage: selectUsage,
  about: "A stopped run ends as terminated, and its leases are free. signalbox pause only holds it; retry tries again.",
  examples: [
    ["stop r_1a r_2b", "End two runs."],
    ["stop --tag nightly --because 'the machine is needed'", "End all runs with a tag."],
  ],
  parameters: { flags: selectFlags, positional: anyRuns },
  async run(cli, flags, ...named) {
    const because = flags.because === undefined ? {} : { because: flags.because };
    const selection = await selectRuns(cli, flags, named);
    if (selection.by === "runs") {
      return await forEach(cli, named, flags.json, async (run) => {
        const ended = await cli.link.call("run.stop", { run, ...because });
        return tellEnded(run, "stopped", ended.runs);
      });
    }
    const { by, ...filter } = selection;
    const answer =
      "tag" in filter && by === "tag"
        ? await cli.link.call("run.stop-by-tag", { ...filter, ...because })
        : await cli.link.call("run.stop-all", { ...filter, ...because });
    if (flags.json) cli.out.json({ runs: answer.runs, errors: [] });
    else if (answer.runs.length === 0) cli.out.note("There was nothing to stop.");
    else for (const run of answer.runs) tellDone(cli, run, tellEnded(run, "stopped", [run]));
    return 0;
  },
});
