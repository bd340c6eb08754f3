import { exitCodes } from "../../protocol/errors.ts";
import type { Run } from "../../protocol/wire/run.ts";
import { type CommonFlags, defineCommand } from "../define-command.ts";
import { durationFlag, jsonFlag, manyRuns } from "../flags.ts";
import { exitCodeFor, isOver, waitForRun } from "../follow-run.ts";
import { Progress } from "../progress.ts";
import { Lookout } from "../lookout.ts";
import { tellAsides } from "../tell-asides.ts";
import { tellUnpublished } from "../tell-unpublished.ts";
import { paintState } from "../view/timeline.ts";

export const wait = defineCommand<CommonFlags & { readonly timeout?: number }, string[]>({
  usage: "RUN… [--timeout DURATION]",
  about: `Ends with 0 when all are done, 1 when one failed, was rejected or terminated, 6 when the time was up first, and 9 when all
are done but some of what they changed is set aside. It survives a restart of the daemon.`,
  examples: [
    ["wait r_1a r_2b", "Go on when both are over."],
    ["wait r_1a --timeout 10m", "But not for longer than ten minutes."],
  ],
  parameters: {
    flags: { timeout: durationFlag("Gives up after this time; the runs go on."), json: jsonFlag },
    positional: manyRuns,
  },
  async run(cli, { timeout, json }, ...named) {
    const ids = [...new Set(named)];
    cli.interrupt.sayOnLeaving(`Left. ${ids.length === 1 ? `Run ${ids[0]} goes` : "The runs go"} on.`);
    const { signal } = cli.interrupt;
    const lookout = new Lookout(cli);
    const told = new Set<string>();
    const progress = new Progress(cli.out, `waiting for ${ids.join(", ")}`);
    const untilMs = timeout === undefined ? Number.POSITIVE_INFINITY : performance.now() + timeout;
    const onLook = (run: Run): void => {
      progress.clear();
      lookout.look(run);
      progress.set(lookout.text());
    };
    let isAllThere = true;
    const waitForOne = async (id: string): Promise<Run> => {
      const run = await waitForRun(cli, id, { signal, untilMs, onLook });
      lookout.forget(run);
      progress.clear();
      if (!json && isOver(run)) {
        const because = run.because === null ? "" : ` (${run.because})`;
        cli.out.print(`${run.id} ${paintState(cli.out.colors, run.state, run.state)}${because}`);
        await tellUnpublished(cli, run, told);
      }
      if (await tellAsides(cli, run, { json })) isAllThere = false;
      return run;
    };
    let runs: Run[];
    try {
      runs = await Promise.all(ids.map(waitForOne));
    } finally {
      progress.stop();
    }
    const late = runs.filter((run) => !isOver(run));
    if (json) cli.out.json({ reached: late.length === 0, runs });
    else for (const run of late) cli.out.note(`${run.id} is still ${run.state}.`);
    if (late.length > 0) return exitCodes.timedOut;
    return Math.max(...runs.map(exitCodeFor)) || (isAllThere ? exitCodes.ok : exitCodes.needsSomebody);
  },
});
