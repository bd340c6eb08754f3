// The doors of runs, and what runs left to read.

import { isOver } from "../../core/run/run-states.ts";
import { protocolError } from "../../protocol/errors.ts";
import type { doorOperations } from "../../protocol/operations/door.ts";
import type { OutputOf } from "../../protocol/operations.ts";
import type { Context, Handlers } from "../context.ts";
import { doorPathOf } from "../http/door-face.ts";
import { findRun } from "../views/run-view.ts";

export const doorHandlers: Handlers<keyof typeof doorOperations> = {
  "run.door": (context, { run }, _caller, reply) => context.later(openDoor(context, run, "only"), reply),
  "run.artifacts": (context, { run }, _caller, reply) =>
    context.later(
      (async () => ({ artifacts: await context.parts.artifactsOf(findRun(context.state, run).id).list() }))(),
      reply,
    ),
  "run.artifact": (context, { run, name, from, limit }, _caller, reply) =>
    context.later(readArtifact(context, run, name, { from, limit }), reply),
};

/** Makes a token of a run's door, and says where that is. */
export async function openDoor(context: Context, id: string, how: "one-more" | "only"): Promise<OutputOf<"run.door">> {
  const { doors } = context.parts;
  const run = findRun(context.state, id);
  if (run.runner !== doors.name) throw protocolError("not-found", { kind: "door of run", id });
  if (isOver(run.state)) throw protocolError("wrong-state", { run: id, state: run.state, wanted: "not over" });
  return { url: `${context.facts.url}${doorPathOf(id)}`, token: await doors.keys.issue(id, how) };
}

async function readArtifact(
  context: Context,
  run: string,
  name: string,
  part: { readonly from: number; readonly limit: number },
): Promise<OutputOf<"run.artifact">> {
  const found = await context.parts.artifactsOf(findRun(context.state, run).id).read(name, part.from, part.limit);
  if (found === undefined) throw protocolError("not-found", { kind: "artifact", id: name });
  return { base64: found.bytes.toString("base64"), from: found.from, totalBytes: found.total };
}
