import { z } from "zod";
import { claimId, holderName, idempotencyKey, nothing, priority, projectRef, units, waitMs } from "../fields.ts";
import { limits } from "../limits.ts";
import { operation } from "../operation.ts";
import { claimSchema } from "../wire/claim.ts";

const one = z.strictObject({ claim: claimId });
const ttlMs = z.int().min(limits.ttlMsMin).max(limits.ttlMsMax);

export const claimOperations = {
  "claim.make": operation({
    summary: "Claims units, all together: granted at once, or queued.",
    effect: "write",
    input: z.strictObject({
      project: projectRef,
      units,
      as: holderName
        .nullable()
        .default(null)
        .describe(
          "Names the holder. Claims under one name never conflict with each other. Left out: a holder of its own.",
        ),
      priority: priority.default(0),
      key: idempotencyKey.nullable().default(null),
      mode: z.enum(["wait", "try"]).default("wait").describe("try: answers `busy` instead of queueing."),
      ttlMs: ttlMs.default(60_000).describe("How long the lease lasts without renewal."),
      waitMs: waitMs
        .default(0)
        .describe("How long to wait for the grant. Then it answers `queued`, and the claim keeps its place."),
      deadlineMs: z
        .int()
        .min(1)
        .max(limits.deadlineMsMax)
        .nullable()
        .default(null)
        .describe("When this time is over and it still waits, the claim ends as timed-out."),
    }),
    output: claimSchema,
    http: { method: "POST", path: "/api/v1/claims" },
    mcp: {
      tool: "claim_make",
      description:
        "Claims units (file:, dir:, process:) for you before you touch them. All or nothing: `granted` with a fence, `queued` with whom you wait behind, or `refused` (deadlock) with ways out. Use one `as` name for all your claims, and `waitMs` to wait a little. Next: act, claim_renew before it expires, claim_release when finished; while queued, claim_get with waitMs.",
    },
  }),
  "claim.get": operation({
    summary: "Shows how a claim stands; waits for its end if asked to.",
    effect: "read",
    input: z.strictObject({
      claim: claimId,
      waitMs: waitMs.default(0).describe("Wait this long for it to be granted or ended."),
    }),
    output: claimSchema,
    http: { method: "GET", path: "/api/v1/claims/{claim}" },
    mcp: {
      tool: "claim_get",
      description:
        "Shows how a claim stands and whom it waits behind. With waitMs it answers as soon as the claim is granted or ended.",
    },
  }),
  "claim.cancel": operation({
    summary: "Ends a waiting claim. A granted one stays granted.",
    effect: "write",
    input: one,
    output: claimSchema,
    http: { method: "POST", path: "/api/v1/claims/{claim}/cancel" },
    mcp: {
      tool: "claim_cancel",
      description:
        "Ends a claim that still waits. If it was granted meanwhile it answers `granted` and changes nothing: use claim_release then.",
    },
  }),
  "claim.renew": operation({
    summary: "Renews the leases of a claim's holder.",
    effect: "write",
    input: z.strictObject({
      claim: claimId,
      ttlMs: ttlMs.nullable().default(null).describe("Left out: as long as before."),
    }),
    output: claimSchema,
    http: { method: "POST", path: "/api/v1/claims/{claim}/renew" },
    mcp: {
      tool: "claim_renew",
      description:
        "Renews your leases so that they do not expire; all claims under the same `as` name are renewed together. Refused as `expired` when it comes too late: claim again.",
    },
  }),
  "claim.release": operation({
    summary: "Gives units of a claim back; all of them unless some are named.",
    effect: "write",
    input: z.strictObject({
      claim: claimId,
      units: units.nullable().default(null),
    }),
    output: nothing,
    http: { method: "POST", path: "/api/v1/claims/{claim}/release" },
    mcp: {
      tool: "claim_release",
      description:
        "Gives back what a claim was granted, or some units of it, as soon as you no longer need them: others wait. A claim that still waits is cancelled.",
    },
  }),
};
