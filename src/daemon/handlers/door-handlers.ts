// The doors of runs, and what runs left to read.

import { isOver } from "../../core/run/run-states.ts";
import { artifactOfExchange, exchangeIn, isSaid } from "../../node/tool-host/artifacts.ts";
import { protocolError } from "../../protocol/errors.ts";
import type { doorOperations } from "../../protocol/operations/door.ts";
import type { OutputOf, ParsedInputOf } from "../../protocol/operations.ts";
import type { Context, Handlers } from "../context.ts";
import { doorPathOf } from "../http/door-face.ts";
import { findRun } from "../views/run-view.ts";
import { throwIfGone } from "./review-handlers.ts";

export const doorHandlers: Handlers<keyof typeof doorOperations> = {
  "run.door": (context, { run }, _caller, reply) => context.later(openDoor(context, run, "only"), reply),
  "run.artifacts": (context, input, _caller, reply) => context.later(listArtifacts(context, input), reply),
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

async function listArtifacts(
  context: Context,
  { run, exchanges }: ParsedInputOf<"run.artifacts">,
): Promise<OutputOf<"run.artifacts">> {
  const { id } = findRun(context.state, run);
  const own = await context.parts.artifactsOf(id).list();
  const asked = exchanges ? await context.parts.exchanges.list(id) : [];
  return { artifacts: [...own, ...asked.map(({ request, bytes }) => ({ name: artifactOfExchange(request), bytes }))] };
}

async function readArtifact(
  context: Context,
  run: string,
  name: string,
  part: { readonly from: number; readonly limit: number },
): Promise<OutputOf<"run.artifact">> {
  const { id } = findRun(context.state, run);
  const request = exchangeIn(name);
  const found =
    request === undefined
      ? await context.parts.artifactsOf(id).read(name, part.from, part.limit)
      : await context.parts.exchanges.read(id, request, part);
  if (found === undefined && isSaid(name)) throwIfGone(context.state.runs.get(id), name);
  if (found === undefined) throw protocolError("not-found", { kind: "artifact", id: name });
  return { base64: found.bytes.toString("base64"), from: found.from, totalBytes: found.total };
}
