// `run --wait`: shows what the run does, and answers with its result.

import { exitCodes } from "../protocol/errors.ts";
import type { LogEvent } from "../protocol/wire/log-event.ts";
import type { Run } from "../protocol/wire/run.ts";
import type { Cli } from "./cli.ts";
import { exitCodeFor, followRun, isOver, needyStates, waitForRun } from "./follow-run.ts";
import { LiveTail } from "./live-tail.ts";
import { Lookout, needOf } from "./lookout.ts";
import { askPatiently } from "./patience.ts";
import { Progress } from "./progress.ts";
import { tellAsides } from "./tell-asides.ts";
import { Timeline } from "./view/timeline.ts";
import { whenPublished } from "./when-published.ts";
import { whereItIs } from "./where-it-is.ts";

export type StayOptions = {
  readonly json: boolean;
  /** Nobody else can reach the daemon, so a run that needs a person would wait for ever: it is ended instead. */
  readonly alone: boolean;
};

export async function stayWithRun(cli: Cli, run: string, { json, alone }: StayOptions): Promise<number> {
  if (!alone) {
    cli.interrupt.sayOnLeaving(
      `Left. Run ${run} goes on: signalbox logs -f ${run} shows it, signalbox stop ${run} ends it.`,
    );
  }
  const ended = json ? await waitQuietly(cli, run, alone) : await watch(cli, run, alone);
  let isOut = true;
  // Whoever goes on after this looks for it on the branch. Of a private daemon that is told with what else it leaves.
  if (!alone && ended.state === "done" && ended.landed !== null) {
    const project = await whenPublished(cli, ended);
    isOut = ended.landedOn !== null || project.notPublished === null;
    if (!json) cli.out.note(whereItIs(ended, project));
  }
  if (!alone && (await tellAsides(cli, ended, { json }))) isOut = false;
  if (json) cli.out.json({ run, ...ended });
  return isOver(ended) && isOut ? exitCodeFor(ended) : exitCodes.needsSomebody;
}

/** Until the run is over, or goes on only when a person says something; in private, where nobody is, until it is over. */
async function waitQuietly(cli: Cli, run: string, alone: boolean): Promise<Run> {
  const { signal } = cli.interrupt;
  const lookout = new Lookout(cli);
  const progress = new Progress(cli.out, `waiting for ${run}`);
  const onLook = (seen: Run): void => {
    progress.clear();
    if (alone) maybeEnd(cli, seen);
    else lookout.look(seen);
    progress.set(lookout.text());
  };
  const enough = (seen: Run): boolean => !alone && needOf(seen) !== undefined;
  try {
    return await waitForRun(cli, run, { signal, onLook, enough });
  } finally {
    progress.stop();
  }
}

async function watch(cli: Cli, run: string, alone: boolean): Promise<Run> {
  const { signal } = cli.interrupt;
  const timeline = new Timeline(cli.out.colors);
  const lookout = new Lookout(cli);
  const look = (): Promise<Run> =>
    askPatiently(cli, signal, async () => (await cli.link.call("run.get", { run }, { signal })).run);
  if (!cli.out.isScreen || !alone) cli.out.note(`run ${run}`);
  const enough = new AbortController();
  const tail = new LiveTail(cli, run, timeline);
  const meet = (seen: Run): void => {
    if (alone) return maybeEnd(cli, seen);
    lookout.look(seen);
    // Nothing happens any more until a person says something, and whoever waits may be that person.
    if (needOf(seen) !== undefined) enough.abort();
  };
  try {
    const take = (event: LogEvent): void => {
      tail.take(event);
      // Whatever kept us from looking will be met by whoever waits for the run.
      if (mayNeedSomebody(event)) look().then(meet, () => undefined);
    };
    await followRun(cli, run, take, AbortSignal.any([signal, enough.signal]));
  } catch (error) {
    if (!enough.signal.aborted || signal.aborted) throw error;
  } finally {
    await tail.close();
  }
  return await look();
}

function mayNeedSomebody(event: LogEvent): boolean {
  return event.type === "run.moved" && needyStates.some((state) => state === event["to"]);
}

function maybeEnd(cli: Cli, run: Run): void {
  if (needOf(run) === undefined) return;
  const because = `it is ${run.state}, and nobody can reach an ephemeral daemon`;
  // A refusal means that it went on or ended by itself meanwhile.
  cli.link.call("run.stop", { run: run.id, because }).catch(() => undefined);
}
