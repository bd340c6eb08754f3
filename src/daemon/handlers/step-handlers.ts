// Going back to a step of a run, and on from there in another one.

import type { Work } from "../../core/workspace/workspace-state.ts";
import { limits } from "../../protocol/limits.ts";
import { protocolError } from "../../protocol/errors.ts";
import type { OutputOf, ParsedInputOf } from "../../protocol/operations.ts";
import type { stepOperations } from "../../protocol/operations/step.ts";
import { checkpointAt } from "../checkpoint.ts";
import type { Caller, Context, Handlers } from "../context.ts";
import { findRun } from "../views/run-view.ts";
import { idOf } from "./id-of.ts";
import { mustBeAble } from "./must-be-able.ts";
import { mustRepeat } from "./must-repeat.ts";
import { knownRunner } from "./known-runner.ts";

export const stepHandlers: Handlers<keyof typeof stepOperations> = {
  "run.rewind": (context, input, caller, reply) => context.later(rewind(context, input, caller), reply),
  "run.fork": (context, input, caller, reply) => context.later(fork(context, input, caller), reply),
};

/** Answers once the workspace has gone back, or could not. */
async function rewind(
  context: Context,
  { run, step }: ParsedInputOf<"run.rewind">,
  caller: Caller,
): Promise<OutputOf<"run.rewind">> {
  const { works } = await checkpointAt(context, findRun(context.state, run), step);
  const before = context.parts.store.lastSeq;
  await context.ask(caller, { type: "run.rewind", run, step, works });
  await new Promise<void>((resolve) => {
    context.waits.until(run, limits.waitMsMax, caller.signal, (last) => {
      const isOver = last || (context.state.runs.get(run)?.rewinding ?? null) === null;
      if (isOver) resolve();
      return isOver;
    });
  });
  const { events } = await context.history.read(before, context.parts.store.lastSeq, 1, {
    run,
    types: ["run.rewound"],
  });
  const [outcome] = events;
  if (outcome === undefined)
    throw protocolError("in-use", { kind: "run", id: run, by: `its rewind to step ${step}, which is still under way` });
  if (typeof outcome["refused"] === "string") throw protocolError("cannot-rewind", { run, why: outcome["refused"] });
  return {
    changed: (outcome["works"] as readonly Work[]).map(({ path }) => path),
    trash: [...(outcome["ids"] as readonly string[])],
    stayed: [...(outcome["stayed"] as readonly string[])],
  };
}

async function fork(
  context: Context,
  { run: id, step, runner, message }: ParsedInputOf<"run.fork">,
  caller: Caller,
): Promise<OutputOf<"run.fork">> {
  const run = findRun(context.state, id);
  mustRepeat(caller, context.state, run, "a fork of");
  const named = runner === undefined ? null : knownRunner(context, runner);
  const checkpoint = await checkpointAt(context, run, step);
  await mustBeAble(context, { runner: named ?? run.runner, settings: named === null ? run.settings : null });
  const input = { type: "run.fork", run: id, step, runner: named, message: message ?? null } as const;
  return { run: idOf(await context.ask(caller, { ...input, ...checkpoint })) };
}
