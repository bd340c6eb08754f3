import { z } from "zod";
import { at, limit, line, nothing, projectRef, runId, seq, unit } from "../fields.ts";
import { limits } from "../limits.ts";
import { operation } from "../operation.ts";
import { agentRef } from "../wire/agent.ts";
import { locksSchema } from "../wire/claim.ts";
import { eventPageSchema } from "../wire/log-event.ts";
import { doctorSchema, statusSchema } from "../wire/status.ts";

const empty = z.strictObject({});

const typeStarts = z
  .array(
    z
      .string()
      .min(1)
      .max(limits.nameCharsMax)
      .regex(/^[a-z.-]+$/, "types look like run.moved, or run. for all of runs"),
  )
  .max(limits.typesMax)
  .optional();

export const eventFilter = {
  types: typeStarts.describe("Only events whose type starts with one of these, such as `run.` or `lease.granted`."),
  except: typeStarts.describe("Only events whose type starts with none of these, such as `lease.renewed`."),
  project: projectRef.optional(),
  run: runId.optional(),
  agent: agentRef.optional().describe("Only events of this living agent and its services, by name or id."),
  unit: unit.optional().describe("Only events about this unit, what it contains or what contains it."),
  find: line(limits.titleCharsMax).optional().describe("Only events in which this text stands, in either case."),
};

export const systemOperations = {
  status: operation({
    summary: "Says what runs here and how much there is to do.",
    effect: "read",
    input: empty,
    output: statusSchema,
    http: { method: "GET", path: "/api/v1/status" },
    mcp: {
      tool: "status",
      description:
        "Shows the daemon: version, how many projects, runs by state, leases and waiting claims. Call it first. Next: project_list, run_list or locks.",
    },
  }),
  doctor: operation({
    summary: "Tries what the daemon needs and says what is missing.",
    effect: "read",
    input: empty,
    output: doctorSchema,
    http: { method: "GET", path: "/api/v1/doctor" },
    mcp: {
      tool: "doctor",
      description:
        "Checks the daemon's own health: log, disk, sockets. Use it when messages do not explain why calls fail. Each failed check says how to fix it.",
    },
  }),
  login: operation({
    summary: "Makes a link that opens the console once, within ten minutes.",
    effect: "write",
    input: empty,
    output: z.object({ url: z.string(), expiresInMs: z.number() }),
    http: { method: "POST", path: "/api/v1/login" },
    mcp: null,
  }),
  shutdown: operation({
    summary: "Ends the daemon once everything acknowledged is safe.",
    effect: "write",
    input: empty,
    output: nothing,
    http: { method: "POST", path: "/api/v1/shutdown" },
    mcp: null,
  }),
  locks: operation({
    summary: "Shows who holds what, who waits in which place, and who waits for whom.",
    effect: "read",
    input: z.strictObject({
      project: projectRef.optional(),
      unit: unit.optional().describe("Only this unit, what contains it and what it contains."),
      find: line(limits.titleCharsMax).optional().describe("Only units and holders with this in them."),
      limit: limit.default(limits.pageMax),
      at,
    }),
    output: locksSchema,
    http: { method: "GET", path: "/api/v1/locks" },
    mcp: {
      tool: "locks",
      description:
        "Shows leases (unit, holder, fence, expiry), the queue with what each claim waits behind, and who waits for whom. Use it before claiming, or when a run is blocked. Next: claim_make, or run_get for a holder that is a run.",
    },
  }),
  "unit.clear": operation({
    summary: "Says that the processes behind a closed process unit are dead.",
    effect: "write",
    input: z.strictObject({ project: projectRef, unit }),
    output: nothing,
    http: { method: "POST", path: "/api/v1/projects/{project}/clear" },
    mcp: null,
  }),
  "events.read": operation({
    summary: "Reads the log.",
    effect: "read",
    input: z.strictObject({
      after: seq.default(0).describe("Only events after this number."),
      before: seq.optional().describe("Only events before this number, and the newest first."),
      limit,
      ...eventFilter,
    }),
    output: eventPageSchema,
    http: { method: "GET", path: "/api/v1/events" },
    mcp: {
      tool: "events_read",
      description:
        "Reads what happened, in order: every run state change, claim, grant and call. Filter by type prefix, project, run, agent, unit or text; `except` leaves types out, such as lease.renewed. Answers `next` to read on from. With `before` it reads back, the newest first: start with status.seq plus one.",
    },
  }),
  "events.at": operation({
    summary: "Says which event was the last at a time.",
    effect: "read",
    input: z.strictObject({ atMs: z.int().min(0).describe("Engine time in milliseconds.") }),
    output: z.object({
      seq: z.number().describe("Its number; 0 where nothing had happened yet."),
      atMs: z.number().nullable().describe("When it happened."),
    }),
    http: { method: "GET", path: "/api/v1/events/at" },
    mcp: {
      tool: "events_at",
      description:
        "Finds the number of the last event at a time, in engine milliseconds: status.nowMs minus 300000 is five minutes ago. Use it to look at the past. Next: state, run_list, locks or agent_list with that number as `at`, or events_read around it.",
    },
  }),
};
