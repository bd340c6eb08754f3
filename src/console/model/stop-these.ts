// How the runs that a filter leaves are ended: by their ids, which somebody has seen. What is submitted while they think about it, under
// the same tag or in the same project, is not among them.

/** Says the same: those, and no others, however many carry the tag by the time somebody runs it. */
export function toStopCommand(runs: readonly string[]): string {
  return `signalbox stop ${runs.join(" ")}`;
}

export type Stopped = {
  /** Everything that ended by it: sub-runs go along with theirs. */
  readonly ended: ReadonlySet<string>;
  /** Those that had ended by themselves meanwhile, and are in nobody's way. */
  readonly over: readonly string[];
  /** Those that may be at work still, with why. */
  readonly kept: readonly { readonly run: string; readonly why: string }[];
};

/** Goes on where one is refused: whoever ends forty is told of the one that is left, and not that nothing was done. */
export async function stopEach(
  runs: readonly string[],
  /** Answers which have ended. */
  stop: (run: string) => Promise<readonly string[]>,
): Promise<Stopped> {
  const ended = new Set<string>();
  const over: string[] = [];
  const kept: { run: string; why: string }[] = [];
  for (const run of runs) {
    try {
      for (const each of await stop(run)) ended.add(each);
    } catch (error) {
      // One that went along with another has ended here, too.
      if (ended.has(run)) continue;
      if (isOver(error)) over.push(run);
      else kept.push({ run, why: error instanceof Error ? error.message : String(error) });
    }
  }
  return { ended, over, kept };
}

function isOver(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "wrong-state" || error.code === "not-found");
}
