// The runners that this daemon has.

import { protocolError } from "../../protocol/errors.ts";
import type { OutputOf } from "../../protocol/operations.ts";
import type { runnerOperations } from "../../protocol/operations/runner.ts";
import type { Context, Handlers } from "../context.ts";
import { mustKnow } from "./must-know.ts";

export const runnerHandlers: Handlers<keyof typeof runnerOperations> = {
  "runner.list": (context, _input, _caller, reply) => context.later(listRunners(context), reply),
  "runner.probe": (context, { runner }, _caller, reply) => {
    mustKnow("runner", runner, context.parts.runners);
    context.later(probe(context, runner), reply);
  },
};

async function listRunners({ parts }: Context): Promise<OutputOf<"runner.list">> {
  const runners = await parts.inventory.list();
  return { runners: runners.map((each) => ({ ...each, presets: { ...each.presets } })) };
}

async function probe({ parts }: Context, runner: string): Promise<OutputOf<"runner.probe">> {
  const missing = await parts.inventory.missing(runner);
  if (missing !== null) throw protocolError("runner-missing", { message: missing });
  const answer = await parts.inventory.probe(runner);
  if (answer === null) throw protocolError("no-model", { runner });
  return answer;
}
