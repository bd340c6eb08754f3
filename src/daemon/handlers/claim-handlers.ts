// Claims of people and scripts. This is the path that many programs wait on: it does no more than it must.

import { assert } from "../../base/assert.ts";
import { ok, refuse } from "../../base/result.ts";
import type { Answer, ClaimAnswer } from "../../core/inputs.ts";
import { protocolError } from "../../protocol/errors.ts";
import type { claimOperations } from "../../protocol/operations/claim.ts";
import type { Claim } from "../../protocol/wire/claim.ts";
import type { Caller, Context, Handlers, Reply } from "../context.ts";
import { toError } from "../failure.ts";
import { claimNow, toClaim } from "../views/claim-view.ts";
import { findProject } from "../views/project-view.ts";

export const claimHandlers: Handlers<keyof typeof claimOperations> = {
  "claim.make": (context, input, caller, reply) => {
    const { units, as, priority, key, mode, ttlMs, waitMs, deadlineMs } = input;
    const project = findProject(context.state, input.project).id;
    const request = { type: "claim.make", project, as, units, priority, key, mode, ttlMs, waitMs: deadlineMs } as const;
    context.parts.engine.submit({ actor: caller.actor, input: request }, (outcome) => {
      if (!outcome.ok) return reply(refuse(toError(context.state, outcome.refusal)));
      const answer = claimAnswerOf(outcome.value);
      if (answer.state === "queued" && waitMs > 0) return waitForEnd(context, answer.claim, waitMs, caller, reply);
      return reply(ok(toClaim(context.state, answer)));
    });
  },
  "claim.get": (context, { claim, waitMs }, caller, reply) => waitForEnd(context, claim, waitMs, caller, reply),
  "claim.cancel": (context, { claim }, caller, reply) =>
    context.submit(caller, { type: "claim.cancel", claim }, reply, (answer) =>
      toClaim(context.state, claimAnswerOf(answer)),
    ),
  "claim.renew": (context, { claim, ttlMs }, caller, reply) =>
    context.submit(caller, { type: "lease.renew", claim, ttlMs }, reply, (answer) =>
      toClaim(context.state, claimAnswerOf(answer)),
    ),
  "claim.release": (context, { claim, units }, caller, reply) =>
    context.submit(caller, { type: "lease.release", claim, units }, reply, () => ({})),
};

/** Answers once the claim no longer waits, or the time is over. */
function waitForEnd(context: Context, claim: string, waitMs: number, caller: Caller, reply: Reply<Claim>): void {
  context.waits.until(claim, waitMs, caller.signal, (last) => {
    const queued = context.state.table.claims.get(claim)?.state === "queued";
    if (queued && !last) return false;
    context.read((state) => {
      const now = claimNow(state, claim);
      if (now === undefined) throw protocolError("not-found", { kind: "claim", id: claim });
      return now;
    }, reply);
    return true;
  });
}

function claimAnswerOf(answer: Answer): ClaimAnswer {
  assert(answer.of === "claim", "a claim is answered by how it stands");
  return answer.claim;
}
