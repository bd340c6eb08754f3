// Does the engine's wish that a run's result be tried with its acceptance command, in the run's own workspace, and says what
// came of it. Whether that is good enough is decided elsewhere.

import { join } from "node:path";
import type { Act } from "../core/acts.ts";
import { actName, type Run } from "../core/run/run-state.ts";
import type { CommandEnd } from "../protocol/keeper/keeper-wire.ts";
import { keepOutput } from "./tool-host/keep-output.ts";
import type { WorkspaceGround } from "./workspace/workspace-ground.ts";

/** What a validation needs of its node. */
export type ValidateGround = Pick<WorkspaceGround, "state" | "report" | "workspaceOf"> & {
  /** What the commands of a run see beside the project. */
  readonly envOf: (run: Run) => Promise<Readonly<Record<string, string>>>;
  readonly callsFolder: (run: string) => string;
  /** The daemon ends: the command goes on, and the next daemon waits for it. */
  readonly closing: AbortSignal;
};

export async function validateRun(ground: ValidateGround, act: Extract<Act, { type: "validate" }>): Promise<void> {
  const run = ground.state().runs.get(act.run);
  // What was asked for may have been overtaken.
  if (run === undefined || actName(run) !== act.id) return;
  const workspace = await ground.workspaceOf(run);
  const { keeper } = workspace;
  const name = `validate-${run.sinceSeq}`;
  const call = `${run.id}-${name}`;
  const env = await ground.envOf(run);
  await keeper.request({ op: "start", call, argv: act.argv, cwd: null, env, timeoutMs: null });
  const end = (await keeper.request({ op: "wait", call }, ground.closing)) as CommandEnd;
  await keeper.request({ op: "stop", call, graceMs: 1000 });
  const { none } = await keepOutput(keeper, call, join(ground.callsFolder(run.id), name, "output"));
  const { exit, tail: summary } = end;
  const message = exit === 0 ? "" : `the acceptance command ended with ${exit}`;
  const tested = { exit, summary, output: none === true ? null : `${act.run}/${name}/output` };
  await ground.report({ type: "run.validated", run: act.run, ok: exit === 0, message, act: act.id, tested });
  await workspace.forget(call);
}
