// Whether a runner could work at all: its program is on the machine, and somebody pays for its models (RN41).

import type { Run } from "../../core/run/run-state.ts";
import { type ProtocolError, protocolError } from "../../protocol/errors.ts";
import type { Context } from "../context.ts";

/** Why a runner would fail before its assistant has said a word. */
export async function whyNot({ parts: { inventory } }: Context, runner: string): Promise<ProtocolError | null> {
  const missing = await inventory.missing(runner);
  if (missing !== null) return protocolError("runner-missing", { message: missing });
  const lack = await inventory.lackOf(runner);
  return lack === null ? null : protocolError("credential-missing", { ...lack, runner });
}

/** Throws the same for a run that is to work again, where neither its runner nor another one of its profile could. */
export async function mustBeAble(
  context: Context,
  { runner, settings }: Pick<Run, "runner" | "settings">,
): Promise<void> {
  const why = await whyNot(context, runner);
  if (why === null) return;
  for (const other of settings?.fallbacks ?? []) if ((await whyNot(context, other)) === null) return;
  throw why;
}
