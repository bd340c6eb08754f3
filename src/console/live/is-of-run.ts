import type { LogEvent } from "../../protocol/wire/log-event.ts";
import { textIn, textsIn } from "./event-fields.ts";

/** Whether something happened to a run by an event: that leases are renewed is no news. Families of a run carry its id. */
export function isOfRun(event: LogEvent, run: string): boolean {
  if (event.type === "lease.renewed") return false;
  if (textIn(event, "run") === run) return true;
  const families = [textIn(event, "family"), ...textsIn(event, "families")];
  return families.some((family) => family?.startsWith(`${run}.`) === true);
}
