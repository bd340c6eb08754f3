import { type CommonFlags, defineCommand } from "../define-command.ts";
import { jsonFlag, oneRun, stepFlag } from "../flags.ts";
import { tellDone } from "../tell-done.ts";

export const rewind = defineCommand<CommonFlags & { readonly step: number }, [string]>({
  usage: "RUN --step N",
  about:
    "The run has to be paused, waiting or in review. What is given up is in the trash, and the run is told. Leases, and what has landed meanwhile, stay as they are.",
  examples: [["rewind r_1a --step 3", "The workspace is as it was after step 3; signalbox logs has its number."]],
  parameters: { flags: { step: stepFlag, json: jsonFlag }, positional: oneRun },
  async run(cli, { step, json }, run) {
    const answer = await cli.link.call("run.rewind", { run, step });
    if (json) return cli.out.json({ run, step, ...answer });
    const { changed, trash, stayed } = answer;
    const what = changed.length === 0 ? "Nothing had to change for that." : `Changed by that: ${changed.join(", ")}.`;
    const kept = trash.length === 0 ? "" : ` What was there is kept: signalbox trash list --run ${run}.`;
    const others = stayed.length === 0 ? "" : ` As they were, because others have changed them: ${stayed.join(", ")}.`;
    tellDone(cli, run, `The workspace of ${run} is as it was after step ${step}. ${what}${kept}${others}`);
  },
});
