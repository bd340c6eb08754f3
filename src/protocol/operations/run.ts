import { z } from "zod";
import {
  at,
  limit,
  line,
  nothing,
  projectRef,
  questionId,
  runId,
  runnerName,
  seq,
  tag,
  text,
  waitMs,
} from "../fields.ts";
import { limits } from "../limits.ts";
import { operation } from "../operation.ts";
import { eventPageSchema } from "../wire/log-event.ts";
import { approveSchema } from "../wire/change.ts";
import { egressSchema, reachedSchema } from "../wire/egress.ts";
import { planSchema } from "../wire/plan.ts";
import { doorSchema, raiseSchema, runSchema, runStateSchema, submitRunSchema } from "../wire/run.ts";

const one = z.strictObject({ run: runId });
const withMessage = z.strictObject({
  run: runId,
  message: text().describe("For the one who goes on with it, and for the record."),
});
const because = line(limits.titleCharsMax).optional().describe("Why, for the record.");
const warningCodes = ["credential-missing", "runner-missing", "version-untried", "no-test", "wildcard"] as const;
const ended = z.object({ runs: z.array(z.string()).describe("The runs that were ended.") });

export const runOperations = {
  "run.submit": operation({
    summary: "Submits a task and starts a run of it as soon as it may.",
    effect: "write",
    input: submitRunSchema,
    output: z.object({
      run: z.string(),
      task: z.string(),
      door: doorSchema.nullable().describe("Of a run with the runner `mcp`: how whoever drives it gets in."),
      warnings: z
        .array(z.object({ code: z.enum(warningCodes), message: z.string() }))
        .describe("What it will wait or fail for, or lack, as far as that is known now. It was taken in all the same."),
    }),
    http: { method: "POST", path: "/api/v1/runs" },
    mcp: {
      tool: "run_submit",
      description:
        "Submits work. With runner `script`, pass the YAML text in `script` (task, plan, steps). With runner `command`, pass what to run in `command`. With runner `mcp`, whoever connects to the answered `door` does the work. With `agent`, it works in that living agent, beside its services, when no other run is in it. It queues until its plan can be claimed and a slot is free. Give a `key` so that a repeated call does not submit twice. Look at the answered `warnings`: they say what it will fail for. Next: run_wait with the answered id, or run_get to see why it waits.",
    },
  }),
  "run.list": operation({
    summary: "Lists runs, the newest first.",
    effect: "read",
    input: z.strictObject({
      project: projectRef.optional(),
      state: z.array(runStateSchema).max(14).optional().describe("Only runs in one of these states."),
      active: z.boolean().optional().describe("True: only runs that are not over. False: only runs that are."),
      tag: tag.optional(),
      runner: runnerName.optional(),
      find: line(limits.titleCharsMax)
        .optional()
        .describe("Only runs with this in their id, title, runner, tags, or in the units that they hold or planned."),
      task: z.string().max(24).optional(),
      tree: runId.optional().describe("Only runs that stem from the same run as this one, or from it."),
      limit,
      after: runId.optional().describe("Go on after this run: the last one of the page before."),
      at,
    }),
    output: z.object({ runs: z.array(runSchema), next: z.string().nullable(), total: z.number(), nowMs: z.number() }),
    http: { method: "GET", path: "/api/v1/runs" },
    mcp: {
      tool: "run_list",
      description:
        "Lists runs, newest first, with state, reason, what they hold and what they wait behind. Filter by project, state, tag, or `active`. Next: run_get or run_log for one of them.",
    },
  }),
  "run.get": operation({
    summary: "Shows a run.",
    effect: "read",
    input: one.extend({ at }),
    output: z.object({ run: runSchema }),
    http: { method: "GET", path: "/api/v1/runs/{run}" },
    mcp: {
      tool: "run_get",
      description:
        "Shows one run: state and why, units it holds, whom it waits behind or which limit it waits for, the question it asks. If it is awaiting-input, answer with run_answer; if blocked, look at locks.",
    },
  }),
  "run.plan": operation({
    summary: "Shows what a run planned: the state of each unit, and of each step of a script.",
    effect: "read",
    input: one.extend({ at, from: z.int().min(0).max(limits.scriptStepsMax).default(0), limit }),
    output: z.object({ plan: planSchema }),
    http: { method: "GET", path: "/api/v1/runs/{run}/plan" },
    mcp: {
      tool: "run_plan",
      description:
        "Shows the plan of a run with what became of it: each unit (held, waiting and behind whom, free, given back), and for a script each step (done, running, waiting, pending, failed, skipped). Long scripts: ask for the rest with `from`. An assistant's own plan is among what it said; run_log has that.",
    },
  }),
  "run.pause": operation({
    summary: "Pauses a run. Its leases become holds; it survives any restart.",
    effect: "write",
    input: one,
    output: nothing,
    http: { method: "POST", path: "/api/v1/runs/{run}/pause" },
    mcp: {
      tool: "run_pause",
      description: "Pauses a run that is queued or at work. It keeps its leases as holds. Next: run_resume.",
    },
  }),
  "run.resume": operation({
    summary: "Lets a paused run go on.",
    effect: "write",
    input: one,
    output: nothing,
    http: { method: "POST", path: "/api/v1/runs/{run}/resume" },
    mcp: { tool: "run_resume", description: "Lets a paused run go on; it claims anew what it waited for." },
  }),
  "run.stop": operation({
    summary: "Ends a run. What it wrote is kept.",
    effect: "write",
    input: z.strictObject({ run: runId, because }),
    output: ended,
    http: { method: "POST", path: "/api/v1/runs/{run}/stop" },
    mcp: {
      tool: "run_stop",
      description:
        "Ends a run as `terminated` and frees its leases; what it wrote is kept. Use run_pause if it should go on later, run_retry to try again.",
    },
  }),
  "run.kill": operation({
    summary: "Ends a run at once, without asking its processes.",
    effect: "write",
    input: z.strictObject({ run: runId, because }),
    output: ended,
    http: { method: "POST", path: "/api/v1/runs/{run}/kill" },
    mcp: { tool: "run_kill", description: "Ends a run at once. Prefer run_stop; use this when that does not end it." },
  }),
  "run.stop-by-tag": operation({
    summary: "Ends all runs with a tag.",
    effect: "write",
    input: z.strictObject({ tag, project: projectRef.optional(), because }),
    output: ended,
    http: { method: "POST", path: "/api/v1/runs/stop-by-tag" },
    mcp: {
      tool: "run_stop_by_tag",
      description:
        "Ends every run that carries the tag, in one project or in all. Look at run_list with the same tag first.",
    },
  }),
  "run.stop-all": operation({
    summary: "Ends all runs, of a project or altogether.",
    effect: "write",
    input: z.strictObject({ project: projectRef.optional(), because }),
    output: ended,
    http: { method: "POST", path: "/api/v1/runs/stop-all" },
    mcp: {
      tool: "run_stop_all",
      description:
        "Ends every run, of one project or of all. Only when someone asked for exactly that; others may be at work.",
    },
  }),
  "run.continue": operation({
    summary: "Takes a run that is done up again, with a message.",
    effect: "write",
    input: withMessage,
    output: nothing,
    http: { method: "POST", path: "/api/v1/runs/{run}/continue" },
    mcp: {
      tool: "run_continue",
      description: "Takes up a run that is `done` again, with a message saying what else is wanted. Next: run_wait.",
    },
  }),
  "run.retry": operation({
    summary: "Starts a new run of the same task.",
    effect: "write",
    input: one,
    output: z.object({ run: z.string() }),
    http: { method: "POST", path: "/api/v1/runs/{run}/retry" },
    mcp: {
      tool: "run_retry",
      description:
        "Starts a new run of the same task, for one that failed, was rejected or terminated. Read run_log first: the same cause fails again. Next: run_wait with the new id.",
    },
  }),
  "run.answer": operation({
    summary: "Answers a run's question, or its wish for leave.",
    effect: "write",
    input: z.strictObject({
      run: runId,
      text: text(),
      question: questionId.optional().describe("The one you saw."),
    }),
    output: nothing,
    http: { method: "POST", path: "/api/v1/runs/{run}/answer" },
    mcp: {
      tool: "run_answer",
      description: "Answers what a run asks that is awaiting-input (run_get). To give `leave` is for people.",
    },
  }),
  "run.steer": operation({
    summary: "Says something to a run at work.",
    effect: "write",
    input: z.strictObject({
      run: runId,
      message: text(),
      interrupt: z.boolean().default(false).describe("It leaves what it is doing for it."),
    }),
    output: nothing,
    http: { method: "POST", path: "/api/v1/runs/{run}/steer" },
    mcp: {
      tool: "run_steer",
      description:
        "Says something to a run at work; it hears it at its next step, or at once with `interrupt`. For runs whose runner takes messages (a script does not).",
    },
  }),
  "run.approve": operation({
    summary: "Approves the result of a run in review, whole or in part; what is approved lands.",
    effect: "write",
    input: approveSchema,
    output: nothing,
    http: { method: "POST", path: "/api/v1/runs/{run}/approve" },
    mcp: null,
  }),
  "run.reject": operation({
    summary: "Rejects the result of a run in review.",
    effect: "write",
    input: withMessage,
    output: nothing,
    http: { method: "POST", path: "/api/v1/runs/{run}/reject" },
    mcp: null,
  }),
  "run.return": operation({
    summary: "Sends a run in review back to work, with a message.",
    effect: "write",
    input: withMessage,
    output: nothing,
    http: { method: "POST", path: "/api/v1/runs/{run}/return" },
    mcp: null,
  }),
  "run.raise": operation({
    summary: "Raises a limit that a run has from its profile, for this run alone and from now on.",
    effect: "write",
    input: raiseSchema,
    output: nothing,
    http: { method: "POST", path: "/api/v1/runs/{run}/raise" },
    // What an agent may spend is not for it to say (PF21).
    mcp: null,
  }),
  "run.remove": operation({
    summary: "Forgets a run that is over. The log keeps what happened.",
    effect: "write",
    input: one,
    output: nothing,
    http: { method: "DELETE", path: "/api/v1/runs/{run}" },
    mcp: { tool: "run_remove", description: "Takes a run that is over off the lists. What happened stays in the log." },
  }),
  "run.log": operation({
    summary: "Reads the events of a run.",
    effect: "read",
    input: z.strictObject({ run: runId, after: seq.default(0), limit }),
    output: eventPageSchema,
    http: { method: "GET", path: "/api/v1/runs/{run}/log" },
    mcp: {
      tool: "run_log",
      description:
        "Reads everything that happened to one run, in order: states with reasons, calls with results, what it said, claims. While `more` is true, go on with `after` set to `next`.",
    },
  }),
  "run.egress": operation({
    summary: "Shows which hosts a run has reached or tried to reach.",
    effect: "read",
    input: one,
    output: z.object({
      egress: egressSchema.extend({ policy: z.string().nullable() }).describe("What it may, as of now."),
      hosts: z.array(reachedSchema),
      nowMs: z.number(),
    }),
    http: { method: "GET", path: "/api/v1/runs/{run}/egress" },
    mcp: {
      tool: "run_egress",
      description:
        "Shows which hosts a run may reach, and which it has reached or tried to: connections, refusals with the reason, bytes. Use it when a command inside could not download something. Only a person can allow a host.",
    },
  }),
  "run.wait": operation({
    summary: "Waits until a run is over or in a given state, or the time is up.",
    effect: "read",
    input: z.strictObject({
      run: runId,
      states: z.array(runStateSchema).min(1).max(14).optional().describe("Left out: until it is over."),
      waitMs: waitMs.default(30_000),
    }),
    output: z.object({ run: runSchema, reached: z.boolean() }),
    http: { method: "GET", path: "/api/v1/runs/{run}/wait" },
    mcp: {
      tool: "run_wait",
      description:
        "Waits until a run is over (or in one of `states`) for at most `waitMs`, then answers it with `reached`. If `reached` is false, call again, or run_get to see what it waits for: awaiting-input needs run_answer, review a person.",
    },
  }),
};
