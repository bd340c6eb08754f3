// Commands inside agents: one answer at their end, or piece by piece while they run.

import { Fault } from "../../base/fault.ts";
import type { Agent, Service } from "../../core/agent/agent-state.ts";
import type { ExecRef } from "../../node/agents/execs.ts";
import { protocolError } from "../../protocol/errors.ts";
import { limits } from "../../protocol/limits.ts";
import type { OutputOf, ParsedInputOf } from "../../protocol/operations.ts";
import type { execOperations } from "../../protocol/operations/exec.ts";
import type { Caller, Context, Handlers } from "../context.ts";
import { findAgent } from "../views/agent-view.ts";
import { mustHaveService } from "./must-have-service.ts";

export const execHandlers: Handlers<keyof typeof execOperations | "agent.exec" | "service.exec"> = {
  "service.exec": (context, input, caller, reply) => context.later(execOnce(context, input, caller), reply),
  "agent.exec": (context, input, caller, reply) => context.later(execOnce(context, input, caller), reply),
  "exec.start": (context, { agent: ref, service, argv, cwd, timeoutMs = null, stdin, key }, { connection }, reply) => {
    const agent = madeAgent(context, ref);
    const order = { argv, ...besideOf(agent, service, cwd), timeoutMs, stdin, key, paced: true };
    const start = async (): Promise<OutputOf<"exec.start">> => {
      const exec = await context.parts.execs.start(agent, order);
      if (connection !== undefined) context.parts.execs.tie({ agent, exec }, connection);
      return { exec };
    };
    context.later(inside(context, agent, start), reply);
  },
  "exec.output": (context, input, caller, reply) => context.later(read(context, input, caller), reply),
  "exec.input": (context, { agent: ref, exec, base64, end, tag }, caller, reply) => {
    const agent = madeAgent(context, ref);
    const write = async (): Promise<OutputOf<"exec.input">> => {
      const { signal } = caller;
      return { taken: await context.parts.execs.write({ agent, exec }, { base64, end, tag }, signal) };
    };
    context.later(inside(context, agent, write, exec), reply);
  },
  "exec.stop": (context, { agent: ref, exec, signal, graceMs, forget }, _caller, reply) => {
    const agent = madeAgent(context, ref);
    const stop = async (): Promise<OutputOf<"exec.stop">> => {
      await context.parts.execs.stop({ agent, exec }, { first: signal, graceMs });
      if (forget) await context.parts.execs.forget({ agent, exec });
      return {};
    };
    context.later(inside(context, agent, stop, exec), reply);
  },
};

async function execOnce(
  context: Context,
  { agent: ref, service, argv, cwd, timeoutMs }: ParsedInputOf<"agent.exec"> & { readonly service?: string },
  { signal }: Caller,
): Promise<OutputOf<"agent.exec">> {
  const agent = madeAgent(context, ref);
  const { execs } = context.parts;
  const order = { argv, ...besideOf(agent, service, cwd), timeoutMs, stdin: false, paced: false };
  return inside(context, agent, async () => {
    const exec: ExecRef = { agent, exec: await execs.start(agent, order) };
    try {
      const { exit, why, outputBytes } = await execs.wait(exec, signal);
      const limit = limits.outputBytesMax;
      const { base64 } = await execs.read(exec, { offset: Math.max(0, outputBytes - limit), limit }, {});
      return { exit, why, output: Buffer.from(base64, "base64").toString("utf8"), outputBytes };
    } finally {
      // Whoever left in the middle leaves nothing behind.
      await execs.forget(exec);
    }
  });
}

async function read(
  context: Context,
  { agent: ref, exec, offset, limit, waitMs }: ParsedInputOf<"exec.output">,
  { signal, connection }: Caller,
): Promise<OutputOf<"exec.output">> {
  const agent = madeAgent(context, ref);
  const patience = waitMs === 0 ? {} : { patience: AbortSignal.timeout(waitMs) };
  const ask = (): ReturnType<typeof context.parts.execs.read> =>
    context.parts.execs.read({ agent, exec }, { offset, limit }, { ...patience, signal });
  const { base64, offset: from, totalBytes, end } = await inside(context, agent, ask, exec);
  if (connection !== undefined) context.parts.execs.tie({ agent, exec }, connection);
  return { base64, offset: from, size: totalBytes, end: end && { exit: end.exit, why: end.why } };
}

/** What a command beside a service has of that: its folder, unless another one was said, and its variables. */
function besideOf(
  agent: Agent,
  name: string | undefined,
  cwd: string | undefined,
): { readonly beside: Service | null; readonly cwd: string | null } {
  const beside = name === undefined ? null : (mustHaveService(agent, name)[0] ?? null);
  return { beside, cwd: cwd ?? beside?.spec.cwd ?? null };
}

function madeAgent({ state }: Context, ref: string): Agent {
  const agent = findAgent(state, ref);
  if (!agent.isMade) throw protocolError("agent-down", { agent: agent.name, state: agent.state });
  return agent;
}

/** An agent that goes down takes its commands along, whatever they were just asked. */
async function inside<T>(context: Context, agent: Agent, act: () => Promise<T>, exec?: string): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    if (error.code === "unknown-call" && exec !== undefined)
      throw protocolError("not-found", { kind: "command", id: exec }, { cause: error });
    const now = context.state.agents.get(agent.id);
    if (goneCodes.has(error.code) && now?.state !== "running")
      throw protocolError("agent-down", { agent: agent.name, state: now?.state ?? "removed" }, { cause: error });
    throw error;
  }
}

const goneCodes: ReadonlySet<string> = new Set(["agent-down", "keeper-gone", "keeper-unavailable"]);
