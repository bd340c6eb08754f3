// What takes the disk, and letting go of what nobody needs.

import type { diskOperations } from "../../protocol/operations/disk.ts";
import type { OutputOf } from "../../protocol/operations.ts";
import type { Context, Handlers } from "../context.ts";
import { findProject } from "../views/project-view.ts";

export const diskHandlers: Handlers<keyof typeof diskOperations> = {
  disk: (context, _input, _caller, reply) => context.later(context.parts.storage.report(), reply),
  gc: (context, { project, dryRun }, _caller, reply) => {
    const only = project === undefined ? null : findProject(context.state, project).id;
    context.later(collect(context, only, dryRun), reply);
  },
};

async function collect(context: Context, only: string | null, dryRun: boolean): Promise<OutputOf<"gc">> {
  const { storage } = context.parts;
  const found = await storage.collect(only, dryRun);
  return {
    // They belong to no project: who asks for one has not asked for these.
    blobs: only === null ? { ...(await storage.collectBlobs(dryRun)) } : null,
    collected: found.map(({ project: { id, name }, objects, bytes }) => ({ project: id, name, objects, bytes })),
  };
}
