import type { statsOperations } from "../../protocol/operations/stats.ts";
import type { Handlers } from "../context.ts";
import { gatherStats } from "../stats.ts";

export const statsHandlers: Handlers<keyof typeof statsOperations> = {
  stats: (context, input, _caller, reply) => context.later(gatherStats(context, input), reply),
};
