// Runs a command of an agent's own, or finds it under way, and tells how it ended. What it said is kept.

import { join } from "node:path";
import type { Hook, HookName } from "../../core/agent/agent-spec.ts";
import type { Agent, ServiceEnd } from "../../core/agent/agent-state.ts";
import { fill } from "../../core/agent/references.ts";
import type { CommandEnd } from "../../protocol/keeper/keeper-wire.ts";
import { formsOf, isHideable } from "../relay/redactor.ts";
import { keepOutput } from "../tool-host/keep-output.ts";
import type { KeeperLine } from "../workspace/keepers.ts";
import { lastSaid } from "./last-said.ts";
import { envOf, type Given, servicesEnvOf, valueOf } from "./service-order.ts";

export type HookOrder = {
  readonly agent: Agent;
  readonly name: HookName;
  readonly hook: Hook;
  readonly number: number;
  readonly given: Given;
  readonly keeper: KeeperLine;
  readonly callsFolder: string;
  readonly signal: AbortSignal;
};

/** Under which name the output of a hook is kept. No service has a name that begins with a digit. */
export function hookOutputNameOf(agent: string, hook: string, number: number): string {
  return `${agent}/0-${hook}-${number}/output`;
}

/** As what it runs. */
export function hookCallOf(agent: string, hook: string, number: number): string {
  return `${agent}-0-${hook}-${number}`;
}

/** Its keeper knows how it ended until that is in the log, and then has to be told to forget it. */
export async function runHook(order: HookOrder): Promise<ServiceEnd> {
  const { agent, name, hook, number, given, keeper, callsFolder, signal } = order;
  const call = hookCallOf(agent.id, name, number);
  const argv = hook.argv.map((text) => fill(text, "", (reference) => valueOf(agent, reference)));
  const env = {
    ...given.joined,
    ...servicesEnvOf(agent),
    ...envOf(agent, { ...given, joined: {} }),
    SIGNALBOX_HOOK: name,
  };
  const { cwd, timeoutMs } = hook;
  const hide = Object.values(given.secrets).filter(isHideable);
  const blot = formsOf(hide);
  await keeper.request({ op: "start", call, argv, cwd, env, blot, hide, timeoutMs }, signal);
  const { exit, why, tail } = (await keeper.request({ op: "wait", call }, signal)) as CommandEnd;
  await keeper.request({ op: "stop", call, graceMs: 0 }).catch(() => undefined);
  await keepOutput(keeper, call, join(callsFolder, hookOutputNameOf(agent.id, name, number)));
  return { exit, why, said: lastSaid(tail) };
}
