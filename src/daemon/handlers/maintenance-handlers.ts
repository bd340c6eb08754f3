import type { maintenanceOperations } from "../../protocol/operations/maintenance.ts";
import type { Handlers } from "../context.ts";

export const maintenanceHandlers: Handlers<keyof typeof maintenanceOperations> = {
  maintain: (context, { dryRun }, _caller, reply) => context.later(context.parts.maintenance.maintain(dryRun), reply),
};
