// One document with everything in it.

import { besidesOf } from "../health-outlook.ts";
import type { stateOperations } from "../../protocol/operations/state.ts";
import type { NodeState, StateDocument } from "../../protocol/wire/state.ts";
import type { Context, Handlers } from "../context.ts";
import { toStateDocument } from "../views/state-view.ts";

export const stateHandlers: Handlers<keyof typeof stateOperations> = {
  state: (context, { at }, _caller, reply) => {
    if (at === undefined) return context.later(readState(context), reply);
    const { version } = context.parts;
    const { faces } = context.facts;
    // The log does not say how the machine was.
    return context.readAt(at, (state, nowMs) => toStateDocument(state, { nowMs, version, nodes: [], faces }), reply);
  },
};

async function readState(context: Context): Promise<StateDocument> {
  const { parts } = context;
  const nodes = [await readNode(context)];
  return new Promise((resolve, reject) => {
    const { version } = parts;
    context.reads.read(
      (state) => {
        const nowMs = parts.engine.nowMs();
        const besides = besidesOf(parts, state, nowMs);
        const noted = { seen: parts.seen, presentAt: (terminal: string) => parts.terminals.presentAt(terminal) };
        return toStateDocument(state, { nowMs, version, nodes, faces: context.facts.faces, besides, noted });
      },
      resolve,
      reject,
    );
  });
}

async function readNode({ parts }: Context): Promise<NodeState> {
  const [name = "local"] = parts.nodes;
  const { processors, load, memory } = await parts.machine();
  const disk = await parts.storage.space();
  return { name, processors, load, memory, disk, unowned: parts.audit.last?.findings ?? null };
}
