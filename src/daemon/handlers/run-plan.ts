import { readScript } from "../../adapters/runner/script-reader.ts";
import { refuse } from "../../base/result.ts";
import type { Run as CoreRun } from "../../core/run/run-state.ts";
import type { State } from "../../core/state.ts";
import type { OutputOf, ParsedInputOf } from "../../protocol/operations.ts";
import type { PlainStep } from "../../protocol/script.ts";
import type { Context, Reply } from "../context.ts";
import { toPlannedSteps, toPlannedUnits } from "../views/plan-view.ts";
import { findRun, toRun } from "../views/run-view.ts";

/** What a run planned, now or at an event. A script is the same for ever, so it is read of the run as it is now. */
export function showPlan(
  context: Context,
  { run: id, at, from, limit }: ParsedInputOf<"run.plan">,
  reply: Reply<OutputOf<"run.plan">>,
): void {
  const view = (state: State, { steps, failedCall }: Read): OutputOf<"run.plan"> => {
    const run = findRun(state, id);
    const shown = toRun(state, run);
    const all = steps === null ? null : toPlannedSteps(steps, shown, failedCall);
    const page = all === null ? null : all.slice(from, from + limit);
    return { plan: { units: toPlannedUnits(state, run, shown), steps: page, count: all?.length ?? 0 } };
  };
  readSteps(context, findRun(context.state, id)).then(
    (read) => context.readAt(at, (state) => view(state, read), reply),
    (error: unknown) => reply(refuse(context.toThrown(error))),
  );
}

type Read = { readonly steps: readonly PlainStep[] | null; readonly failedCall: number | null };

async function readSteps(context: Context, run: CoreRun): Promise<Read> {
  const steps = await stepsOf(context, run);
  return { steps, failedCall: steps === null ? null : await failedCallOf(context, run) };
}

/** The last call before a run failed, if it was that which failed or was refused: of a script, why it ended. */
async function failedCallOf(
  { history }: Context,
  { id, state, endedAtMs }: Pick<CoreRun, "id" | "state" | "endedAtMs">,
): Promise<number | null> {
  if (state !== "failed" || endedAtMs === null) return null;
  const [made, { seq }] = await Promise.all([history.mustHaveRun(id), history.lastAt(endedAtMs)]);
  const range = { after: made - 1, before: seq + 1 };
  const { events } = await history.readBack(range, 1, { run: id, types: ["call.finished", "call.refused"] });
  const [last] = events;
  return last === undefined || last["ok"] === true || typeof last["call"] !== "number" ? null : last["call"];
}

async function stepsOf({ parts }: Context, { runner, script }: CoreRun): Promise<readonly PlainStep[] | null> {
  if (runner !== "script" || script === null) return null;
  const bytes = await parts.blobs.get(script);
  const read = bytes === null ? null : await readScript(new TextDecoder().decode(bytes));
  return read?.ok === true ? read.value.steps : null;
}
