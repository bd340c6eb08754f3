import { exitCodes } from "../../protocol/errors.ts";
import type { Run } from "../../protocol/wire/run.ts";
import type { Cli } from "../cli.ts";
import { type CommonFlags, defineCommand } from "../define-command.ts";
import { durationFlag, jsonFlag, manyRuns } from "../flags.ts";
import { exitCodeFor, isOver, type WaitHooks, waitForRun } from "../follow-run.ts";
import { askPatiently } from "../patience.ts";
import { Progress } from "../progress.ts";
import { Lookout, needOf } from "../lookout.ts";
import { tellAsides } from "../tell-asides.ts";
import { tellUnpublished } from "../tell-unpublished.ts";
import { paintState } from "../view/timeline.ts";

export const wait = defineCommand<CommonFlags & { readonly timeout?: number }, string[]>({
  usage: "RUN… [--timeout DURATION]",
  about: `Ends with 0 when all are done, 1 when one failed, was rejected or terminated, 6 when the time was up first, and 9 when one
goes on only after a person said something (it is in review, asks or is paused) and the others are over, when something of theirs
keeps what has landed from the branch, or when some of what they changed is set aside. It survives a restart of the daemon.`,
  examples: [
    ["wait r_1a r_2b", "Go on when both are over, or one of them needs you."],
    ["wait r_1a --timeout 10m", "But not for longer than ten minutes."],
  ],
  parameters: {
    flags: { timeout: durationFlag("Gives up after this time; the runs go on."), json: jsonFlag },
    positional: manyRuns,
  },
  async run(cli, { timeout, json }, ...named) {
    const ids = [...new Set(named)];
    cli.interrupt.sayOnLeaving(`Left. ${ids.length === 1 ? `Run ${ids[0]} goes` : "The runs go"} on.`);
    const lookout = new Lookout(cli);
    const progress = new Progress(cli.out, `waiting for ${ids.join(", ")}`);
    const untilMs = timeout === undefined ? Number.POSITIVE_INFINITY : performance.now() + timeout;
    const onLook = (run: Run): void => {
      progress.clear();
      lookout.look(run);
      progress.set(lookout.text());
    };
    const told = new Set<string>();
    let isAllThere = true;
    const onOver = async (run: Run): Promise<void> => {
      lookout.forget(run);
      progress.clear();
      const because = run.because === null ? "" : ` (${run.because})`;
      if (!json) cli.out.print(`${run.id} ${paintState(cli.out.colors, run.state, run.state)}${because}`);
      if (!(await tellUnpublished(cli, run, { told, json }))) isAllThere = false;
      if (await tellAsides(cli, run, { json })) isAllThere = false;
    };
    let runs: readonly Run[];
    try {
      runs = await waitForAll(cli, ids, { signal: cli.interrupt.signal, untilMs, onLook }, onOver);
    } finally {
      progress.stop();
    }
    const late = runs.filter((run) => !isSettled(run));
    if (json) cli.out.json({ reached: runs.every(isOver), runs });
    else for (const run of late) cli.out.note(`${run.id} is still ${run.state}.`);
    if (late.length > 0) return exitCodes.timedOut;
    const worst = Math.max(...runs.filter(isOver).map(exitCodeFor), exitCodes.ok);
    return worst || (isAllThere && runs.every(isOver) ? exitCodes.ok : exitCodes.needsSomebody);
  },
});

/** Over, or where it stays until a person says something. */
function isSettled(run: Run): boolean {
  return isOver(run) || needOf(run) !== undefined;
}

/** How the runs stand when each of them is settled, or the time is up. Each that is over is told once. */
async function waitForAll(
  cli: Cli,
  ids: readonly string[],
  hooks: WaitHooks & { readonly untilMs: number },
  onOver: (run: Run) => Promise<void>,
): Promise<readonly Run[]> {
  const over = new Map<string, Run>();
  const waitForOne = async (id: string): Promise<Run> => {
    const ended = over.get(id);
    if (ended !== undefined) return ended;
    const run = await waitForRun(cli, id, { ...hooks, enough: isSettled });
    if (!isOver(run)) return run;
    over.set(id, run);
    await onOver(run);
    return run;
  };
  const { signal } = hooks;
  const lookAgain = (run: string): Promise<Run> =>
    askPatiently(cli, signal, async () => (await cli.link.call("run.get", { run }, { signal })).run);
  for (;;) {
    const seen = await Promise.all(ids.map(waitForOne));
    // Somebody may have said something to one of them while the others were waited for: then there is more to wait for.
    const now = await Promise.all(seen.map(async (run) => (over.has(run.id) ? run : await lookAgain(run.id))));
    const isOpen = (run: Run): boolean => !over.has(run.id) && needOf(run) === undefined;
    if (!now.some(isOpen) || performance.now() >= hooks.untilMs) return now;
  }
}
