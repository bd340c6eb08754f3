import type { Status } from "../../protocol/wire/status.ts";
import { tellSpares } from "../../protocol/tell-spares.ts";
import { defineCommand } from "../define-command.ts";
import { jsonFlag } from "../flags.ts";
import { showDuration } from "../text/duration.ts";
import { toSize } from "../text/size.ts";
import { toFieldLines } from "../view/fields-view.ts";

const over: ReadonlySet<string> = new Set(["done", "failed", "rejected", "terminated"]);

export const status = defineCommand({
  usage: "",
  examples: [
    ["status", "See whether a daemon runs, and how much there is to do."],
    ["status --json", "The same for scripts: pid, url, version, home, uptimeMs and counts."],
  ],
  parameters: { flags: { json: jsonFlag } },
  async run(cli, { json }) {
    const answer = await cli.link.call("status", {});
    const uptimeMs = Math.max(0, Date.now() - answer.startedAtMs);
    if (json) return cli.out.json({ ...answer, uptimeMs });
    const { bold } = cli.out.colors;
    const states = Object.entries(answer.runs);
    const active = states.filter(([state]) => !over.has(state));
    const ended = states.filter(([state]) => over.has(state));
    cli.out.print(
      `Signalbox ${answer.version} runs at ${bold(answer.url)} (pid ${answer.pid}, up ${showDuration(uptimeMs)}).`,
    );
    cli.out.print(
      ...toFieldLines(cli.out, [
        ["home", answer.home],
        ["projects", String(answer.projects)],
        ["runs", active.length === 0 ? "none at work" : toCounts(active)],
        ["over", toCounts(ended)],
        ["leases", `${answer.leases}${answer.queued === 0 ? "" : `; ${answer.queued} claims wait`}`],
        ["log", `${answer.seq} events${toDamage(answer.damage)}`],
        ["audit", toAudit(answer.audit)],
        ["tidied", toTidied(answer.maintenance)],
        ["room made", toRoom(answer.maintenance.room)],
      ]),
    );
  },
});

function toDamage(damage: Status["damage"]): string {
  if (damage === null) return "";
  return `, damaged${damage.seq === 0 ? "" : ` at event ${damage.seq}`} (${damage.reason}): signalbox log verify`;
}

/** Nothing where there is nothing to do. */
function toAudit(last: Status["audit"]): string | null {
  if (last === null || last.findings === 0) return null;
  return `${last.findings} without an owner: signalbox audit`;
}

function toTidied({ everyMs, last }: Status["maintenance"]): string {
  const often = everyMs === null ? "not by itself" : `every ${showDuration(everyMs)}`;
  if (last === null) return `not yet; ${often}`;
  const failed = last.failed === 0 ? "" : `, ${last.failed} not done`;
  return `${showDuration(Math.max(0, Date.now() - last.atMs))} ago, ${toSize(last.bytes)} let go${failed}; ${often}`;
}

/** Nothing where the disk never ran low. */
function toRoom(room: Status["maintenance"]["room"] | undefined): string | null {
  // A daemon of the release before does not say it.
  if (room === null || room === undefined) return null;
  const ago = showDuration(Math.max(0, Date.now() - room.atMs));
  return `${ago} ago, the disk ran low: ${tellSpares(room.spares)} went, ${toSize(room.freeBytes)} were free then`;
}

function toCounts(states: readonly (readonly [string, number])[]): string {
  return states.map(([state, count]) => `${count} ${state}`).join(", ");
}
