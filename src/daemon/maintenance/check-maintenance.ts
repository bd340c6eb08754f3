import type { DoctorReport, Status } from "../../protocol/wire/status.ts";
import type { Maintenance } from "./maintenance.ts";

/** What `doctor` says of the last round, and of room that was made besides. */
export function checkMaintenance(
  { last, everyMs }: Pick<Maintenance, "last" | "everyMs">,
  wallMs: number,
  room: Status["maintenance"]["room"],
): DoctorReport["checks"][number] {
  const check = { name: "maintenance", needed: false };
  const made = room === null ? "" : `; the disk ran low ${minutesSince(room.atMs, wallMs)} min ago, and room was made`;
  if (last === null) return { ...check, ok: true, detail: `nothing was tidied up yet${made}`, fix: null };
  const failed = last.jobs.filter((job) => job.failed !== null);
  const done = `${minutesSince(last.atMs, wallMs)} min ago, ${Math.round(last.bytes / 1024 / 1024)} MiB were let go`;
  const detail = `${done}${everyMs === null ? "; it is done only when somebody asks" : ""}${made}`;
  if (failed.length === 0) return { ...check, ok: true, detail, fix: null };
  const why = failed.map((job) => `${job.job}: ${job.failed ?? ""}`).join("; ");
  return { ...check, ok: false, detail: `${detail}; ${why}`, fix: "mend what is in the way, then: signalbox maintain" };
}

function minutesSince(atMs: number, wallMs: number): number {
  return Math.max(0, Math.round((wallMs - atMs) / 60_000));
}
