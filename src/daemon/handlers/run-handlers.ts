// Runs.

import { assert } from "../../base/assert.ts";
import type { Input, RunSelector } from "../../core/inputs.ts";
import type { Run } from "../../core/run/run-state.ts";
import { isOver } from "../../core/run/run-states.ts";
import { egressOf } from "../../core/egress/egress.ts";
import { rootOf, type State } from "../../core/state.ts";
import { protocolError } from "../../protocol/errors.ts";
import type { OutputOf, ParsedInputOf } from "../../protocol/operations.ts";
import type { runOperations } from "../../protocol/operations/run.ts";
import { overStates, type RunState } from "../../protocol/wire/run.ts";
import type { Caller, Context, Handlers, Reply } from "../context.ts";
import { from, nextOf } from "../views/page.ts";
import { findProject } from "../views/project-view.ts";
import { findRun, toRun } from "../views/run-view.ts";
import { idOf } from "./id-of.ts";
import { mustBeAble } from "./must-be-able.ts";
import { mustRepeat } from "./must-repeat.ts";
import { approvedOf } from "./review-handlers.ts";
import { showPlan } from "./run-plan.ts";
import { submitRun } from "./run-submit.ts";

export const runHandlers: Handlers<keyof typeof runOperations> = {
  "run.submit": (context, input, caller, reply) => context.later(submitRun(context, input, caller), reply),
  "run.list": (context, input, _caller, reply) =>
    context.readAt(input.at, (state, nowMs) => listRuns(state, input, nowMs), reply),
  "run.get": (context, { run, at }, _caller, reply) =>
    context.readAt(at, (state) => ({ run: toRun(state, findRun(state, run)) }), reply),
  "run.plan": (context, input, _caller, reply) => showPlan(context, input, reply),
  "run.pause": (context, { run }, caller, reply) => simply(context, caller, { type: "run.pause", run }, reply),
  "run.resume": (context, { run }, caller, reply) => simply(context, caller, { type: "run.resume", run }, reply),
  "run.stop": (context, { run, because }, caller, reply) =>
    terminate(context, caller, { by: "run", run }, because ?? `stopped by ${caller.actor}`, reply),
  "run.kill": (context, { run, because }, caller, reply) =>
    terminate(context, caller, { by: "run", run }, because ?? `killed by ${caller.actor}`, reply, true),
  "run.stop-by-tag": (context, { tag, project, because }, caller, reply) => {
    const select: RunSelector = { by: "tag", tag, project: maybeProject(context.state, project) };
    terminate(context, caller, select, because ?? `all of ${tag} stopped by ${caller.actor}`, reply);
  },
  "run.stop-all": (context, { project, because }, caller, reply) => {
    const select: RunSelector = { by: "all", project: maybeProject(context.state, project) };
    terminate(context, caller, select, because ?? `all stopped by ${caller.actor}`, reply);
  },
  "run.continue": (context, { run, message }, caller, reply) =>
    context.later(continueRun(context, { run, message }, caller), reply),
  "run.retry": (context, { run }, caller, reply) => context.later(retry(context, run, caller), reply),
  "run.answer": (context, { run, text, question }, caller, reply) => {
    mustRepeat(caller, context.state, findRun(context.state, run), "an answer to");
    simply(context, caller, { type: "run.answer", run, text, question }, reply);
  },
  "run.steer": (context, { run, message, interrupt }, caller, reply) => {
    const found = findRun(context.state, run);
    mustRepeat(caller, context.state, found, "a message to");
    const { runner } = found;
    if (runner === "script" || runner === "command")
      throw protocolError("runner-cannot", { run, runner, what: "take messages while it works" });
    simply(context, caller, { type: "run.steer", run, message, interrupt }, reply);
  },
  "run.approve": (context, input, caller, reply) => context.later(approve(context, input, caller), reply),
  "run.reject": (context, { run, message }, caller, reply) =>
    simply(context, caller, { type: "run.reject", run, message }, reply),
  "run.return": (context, { run, message }, caller, reply) =>
    context.later(returnRun(context, { run, message }, caller), reply),
  "run.raise": (context, { run, limit, to }, caller, reply) =>
    simply(context, caller, { type: "run.raise", run, limit, value: to }, reply),
  "run.remove": (context, { run }, caller, reply) => simply(context, caller, { type: "run.remove", run }, reply),
  "run.log": (context, { run, after, limit }, _caller, reply) =>
    context.later(readRunLog(context, run, after, limit), reply),
  "run.egress": (context, { run }, _caller, reply) =>
    context.read((state) => {
      const found = findRun(state, run);
      const { kind, allow, policy } = egressOf(state, found);
      const root = rootOf(state, found);
      const { reached: all } = state.agents.get(root.agent ?? "") ?? root;
      const hosts = [...all.values()].map((reached) => ({ ...reached }));
      const egress = { kind: found.caged ? kind : ("open" as const), allow: [...allow], policy };
      return { egress, hosts, nowMs: context.parts.engine.nowMs() };
    }, reply),
  "run.wait": (context, { run, states, waitMs }, caller, reply) => {
    const wanted: readonly RunState[] = states ?? overStates;
    context.waits.until(run, waitMs, caller.signal, (last) => {
      const now = context.state.runs.get(run);
      if (now !== undefined && !last && !wanted.includes(now.state)) return false;
      context.read((state) => {
        const found = findRun(state, run);
        return { run: toRun(state, found), reached: wanted.includes(found.state) };
      }, reply);
      return true;
    });
  },
};

async function continueRun(
  context: Context,
  { run, message }: ParsedInputOf<"run.continue">,
  caller: Caller,
): Promise<OutputOf<"run.continue">> {
  const found = findRun(context.state, run);
  mustRepeat(caller, context.state, found, "the continuation of");
  if (found.state === "done") await mustBeAble(context, found);
  await context.ask(caller, { type: "run.continue", run, message });
  return {};
}

/** One that could not go on would fail, and its result with it. */
async function returnRun(
  context: Context,
  { run, message }: ParsedInputOf<"run.return">,
  caller: Caller,
): Promise<OutputOf<"run.return">> {
  const found = findRun(context.state, run);
  if (found.state === "review") await mustBeAble(context, found);
  await context.ask(caller, { type: "run.return", run, message });
  return {};
}

async function retry(context: Context, run: string, caller: Caller): Promise<OutputOf<"run.retry">> {
  const found = findRun(context.state, run);
  mustRepeat(caller, context.state, found, "a retry of");
  if (isOver(found.state) && found.state !== "done") await mustBeAble(context, found);
  return { run: idOf(await context.ask(caller, { type: "run.retry", run })) };
}

type RunPage = { runs: ReturnType<typeof toRun>[]; next: string | null; total: number; nowMs: number };

function listRuns(state: State, input: ParsedInputOf<"run.list">, nowMs: number): RunPage {
  const project = maybeProject(state, input.project);
  const { state: states, active, tag, task, runner } = input;
  const tree = input.tree === undefined ? undefined : findRun(state, input.tree).tree;
  const sought = input.find?.trim().toLowerCase() ?? "";
  const found = [...state.runs.values()]
    .filter(
      (run) =>
        (project === null || run.project === project) &&
        (states === undefined || states.length === 0 || states.includes(run.state)) &&
        (active === undefined || active !== isOver(run.state)) &&
        (tag === undefined || run.tags.includes(tag)) &&
        (task === undefined || run.task === task) &&
        (tree === undefined || run.tree === tree) &&
        (runner === undefined || run.runner === runner) &&
        (sought === "" || mentions(state, run, sought)),
    )
    .toReversed();
  const page = from(found, input.after).slice(0, input.limit);
  return {
    runs: page.map((run) => toRun(state, run)),
    next: nextOf(found, page),
    total: found.length,
    nowMs,
  };
}

/** Whether what is sought is in a text by which people know the run. */
function mentions(state: State, run: Run, sought: string): boolean {
  const has = (text: string): boolean => text.toLowerCase().includes(sought);
  if (has(run.id) || has(run.title) || has(run.runner) || run.tags.some(has) || run.plan.some(has)) return true;
  const leases = state.table.families.get(run.family)?.leases.values() ?? [];
  return [...leases].some((lease) => has(lease.unit.text));
}

async function approve(
  context: Context,
  input: ParsedInputOf<"run.approve">,
  caller: Caller,
): Promise<Record<string, never>> {
  const approved = await approvedOf(context, input);
  await context.ask(caller, { type: "run.approve", run: input.run, approved });
  return {};
}

async function readRunLog(
  context: Context,
  run: string,
  after: number,
  limit: number,
): ReturnType<Context["history"]["read"]> {
  const made = await context.history.mustHaveRun(run);
  const last = context.parts.store.lastSeq;
  return context.history.read(Math.max(after, made - 1), last, limit, { run });
}

function terminate(
  context: Context,
  caller: Caller,
  select: RunSelector,
  because: string,
  reply: Reply<{ runs: string[] }>,
  force = false,
): void {
  context.submit(caller, { type: "run.terminate", select, because, force }, reply, (answer) => {
    assert(answer.of === "ids", "ending runs is answered by their ids");
    return { runs: [...answer.ids] };
  });
}

function simply(context: Context, caller: Caller, input: Input, reply: Reply<Record<string, never>>): void {
  context.submit(caller, input, reply, () => ({}));
}

function maybeProject(state: State, ref: string | undefined): string | null {
  return ref === undefined ? null : findProject(state, ref).id;
}
