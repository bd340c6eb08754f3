// The daemon itself, the locks and the log.

import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { ok } from "../../base/result.ts";
import type { State } from "../../core/state.ts";
import type { OutputOf } from "../../protocol/operations.ts";
import type { systemOperations } from "../../protocol/operations/system.ts";
import { lastRoomOf } from "../maintenance/last-room.ts";
import type { MaintenanceRound } from "../../protocol/wire/maintenance.ts";
import type { DoctorReport } from "../../protocol/wire/status.ts";
import type { Context, Handlers } from "../context.ts";
import { toEventFilter } from "../event-filter.ts";
import type { DaemonParts } from "../parts.ts";
import { toLocks } from "../views/claim-view.ts";
import { findProject } from "../views/project-view.ts";

type Check = DoctorReport["checks"][number];

export const systemHandlers: Handlers<keyof typeof systemOperations> = {
  status: (context, _input, _caller, reply) => context.read((state) => toStatus(context, state), reply),
  doctor: (context, _input, _caller, reply) => context.later(examine(context), reply),
  login: (context, _input, _caller, reply) => reply(ok(context.facts.makeLoginLink())),
  shutdown: (context, _input, _caller, reply) => {
    reply(ok({}));
    // The answer should be out before the doors close.
    context.parts.clock.defer(() => context.parts.shutdown());
  },
  locks: (context, { project, at, ...wanted }, _caller, reply) =>
    context.readAt(
      at,
      (state, nowMs) => {
        const only = project === undefined ? undefined : findProject(state, project).id;
        return toLocks(state, { ...wanted, project: only }, nowMs);
      },
      reply,
    ),
  "unit.clear": (context, { project, unit }, caller, reply) => {
    const { id } = findProject(context.state, project);
    context.submit(caller, { type: "unit.clear", project: id, unit }, reply, () => ({}));
  },
  "events.read": (context, { after, before, limit, ...wanted }, _caller, reply) => {
    const { history, state, parts } = context;
    const filter = toEventFilter(state, wanted);
    const read = async (): ReturnType<Context["history"]["read"]> => {
      if (wanted.run !== undefined) await history.mustHaveRun(wanted.run);
      if (before !== undefined) return history.readBack({ after, before }, limit, filter);
      return history.read(after, parts.store.lastSeq, limit, filter);
    };
    context.later(read(), reply);
  },
  "events.at": (context, { atMs }, _caller, reply) => context.later(context.history.lastAt(atMs), reply),
};

function toStatus(context: Context, state: State): OutputOf<"status"> {
  const { parts, facts } = context;
  const runs: Record<string, number> = {};
  for (const run of state.runs.values()) runs[run.state] = (runs[run.state] ?? 0) + 1;
  let leases = 0;
  let queued = 0;
  for (const family of state.table.families.values()) leases += family.leases.size;
  for (const project of state.table.projects.values()) queued += project.queue.length;
  return {
    pid: process.pid,
    url: facts.url,
    version: parts.version,
    home: parts.home,
    socket: facts.socket,
    startedAtMs: facts.startedAtMs,
    nowMs: parts.engine.nowMs(),
    wallOffsetMs: state.wallOffsetMs,
    openings: [...state.openings],
    seq: state.seq,
    damage: toDamage(parts.log.damage),
    projects: [...state.projects.values()].filter((project) => !project.removed).length,
    runs,
    leases,
    queued,
    subscribers: facts.subscribers(),
    audit: parts.audit.last,
    maintenance: {
      ...{ everyMs: parts.maintenance.everyMs, last: toLastRound(parts.maintenance.last) },
      room: lastRoomOf(state),
    },
  };
}

function toLastRound(round: MaintenanceRound | null): OutputOf<"status">["maintenance"]["last"] {
  if (round === null) return null;
  const { atMs, bytes, jobs } = round;
  return { atMs, bytes, failed: jobs.filter(({ failed }) => failed !== null).length };
}

function toDamage(damage: DaemonParts["log"]["damage"]): OutputOf<"status">["damage"] {
  return damage === null ? null : { seq: damage.seq, reason: damage.reason };
}

async function examine(context: Context): Promise<DoctorReport> {
  const { parts, facts } = context;
  const checks: Check[] = [
    await attempt("newest", "See what `signalbox log verify` says, and docs/operating/recovery.md.", async () => {
      await parts.store.read(Math.max(0, parts.store.lastSeq - 1), 1);
      return `event ${parts.store.lastSeq}, the newest, can be read`;
    }),
    await attempt("home", `Make ${parts.home} writable for this user.`, async () => {
      await access(parts.home, constants.R_OK | constants.W_OK);
      return `${parts.home} can be written`;
    }),
    {
      ...(await attempt("socket", "HTTP is used; a home with a shorter path has both", () => {
        if (facts.socket === null) return Promise.reject(new Error("the path of the home is too long for a socket"));
        return access(facts.socket).then(() => facts.socket ?? "");
      })),
      needed: false,
    },
    ...(await parts.checks()),
  ];
  return { ok: checks.every((check) => check.ok || !check.needed), checks };
}

async function attempt(name: string, fix: string, act: () => Promise<string>): Promise<Check> {
  try {
    return { name, ok: true, needed: true, detail: await act(), fix: null };
  } catch (error) {
    return { name, ok: false, needed: true, detail: error instanceof Error ? error.message : String(error), fix };
  }
}
