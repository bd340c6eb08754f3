import type { DoctorReport } from "../../protocol/wire/status.ts";
import type { Maintenance } from "./maintenance.ts";

/** What `doctor` says of the last round. */
export function checkMaintenance(
  { last, everyMs }: Pick<Maintenance, "last" | "everyMs">,
  wallMs: number,
): DoctorReport["checks"][number] {
  const check = { name: "maintenance", needed: false };
  if (last === null) return { ...check, ok: true, detail: "nothing was tidied up yet", fix: null };
  const failed = last.jobs.filter((job) => job.failed !== null);
  const minutes = Math.max(0, Math.round((wallMs - last.atMs) / 60_000));
  const done = `${minutes} min ago, ${Math.round(last.bytes / 1024 / 1024)} MiB were let go`;
  const detail = `${done}${everyMs === null ? "; it is done only when somebody asks" : ""}`;
  if (failed.length === 0) return { ...check, ok: true, detail, fix: null };
  const why = failed.map((job) => `${job.job}: ${job.failed ?? ""}`).join("; ");
  return { ...check, ok: false, detail: `${detail}; ${why}`, fix: "mend what is in the way, then: signalbox maintain" };
}
