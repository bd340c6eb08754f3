// Every invariant, each in a file of its own.

import type { Depot } from "../world/depot.ts";
import type { Ground } from "../world/ground.ts";
import { oneRunInAnAgent } from "./ag41-one-run-in-an-agent.ts";
import { agentsKeepTheRules } from "./agents.ts";
import { schedulesAreKept } from "./schedules.ts";
import { canary } from "../world/sim-store.ts";
import type { NodeWorld } from "../world/sim-node.ts";
import type { Checker } from "../world/watch.ts";
import { actorAndCause } from "./actor-and-cause.ts";
import { callsAreCovered } from "./calls-are-covered.ts";
import { finishedRunsKeepChanges } from "./finished-runs-keep-changes.ts";
import { holdsYieldFairly } from "./holds-yield-fairly.ts";
import { siblingsAreSpared } from "./ag90-siblings.ts";
import { peopleGoFirst } from "./ag89-people-go-first.ts";
import { noConflictingLeases } from "./i01-no-conflicting-leases.ts";
import { fencesRise } from "./i02-fences-rise.ts";
import { staleActsRefused } from "./i03-stale-acts-refused.ts";
import { onlyTheHolderGivesBack } from "./i04-only-the-holder-gives-back.ts";
import { noRenewalAfterExpiry } from "./i05-no-renewal-after-expiry.ts";
import { aliveAtTheGrant } from "./i06-alive-at-the-grant.ts";
import { firstCome } from "./i07-first-come.ts";
import { order } from "./i07-order.ts";
import { noCycle } from "./i08-no-cycle.ts";
import { noLostWakeup } from "./i09-no-lost-wakeup.ts";
import { claimsEndOnce } from "./i10-claims-end-once.ts";
import { engineTime } from "./i11-engine-time.ts";
import { freeInTime } from "./i12-free-in-time.ts";
import { repliesEqualTheLog } from "./i13-replies-equal-the-log.ts";
import { sameRequestOneClaim } from "./i14-same-request-one-claim.ts";
import { stateIsTheFold } from "./i16-state-is-the-fold.ts";
import { tableIsTheLog } from "./i16-table-is-the-log.ts";
import { actsAfterEvents } from "./i19-acts-after-events.ts";
import { readersSeeAPrefix } from "./i24-readers-see-a-prefix.ts";
import { noSecretInTheLog } from "./i26-no-secret-in-the-log.ts";
import { unknownIsUnknown } from "./i31-unknown-is-unknown.ts";
import { oneAgentAtATime } from "./i37-one-agent-at-a-time.ts";
import { inStep } from "./ld08-in-step.ts";
import { swept } from "./ld15-swept.ts";
import { approvedIsWhatLanded } from "./ld22-approved-is-what-landed.ts";
import { carried } from "./ld33-carried.ts";
import { rewound } from "./ld34-rewound.ts";
import { landedOnce } from "./ld37-landed-once.ts";
import { nothingLost } from "./ld38-nothing-lost.ts";
import { exactLanding } from "./ld39-exact-landing.ts";
import { noLostUpdate } from "./ld40-no-lost-update.ts";
import { serial } from "./ld41-serial.ts";
import { onBranches } from "./ld50-on-branches.ts";
import { handEditsStay } from "./ld42-hand-edits-stay.ts";
import { stuckIsSaid } from "./rn29-stuck.ts";
import { raisedByRule } from "./pf21-raised.ts";
import { escalatedInTime } from "./rn36-escalated.ts";
import { handedOver } from "./rn33-handed.ts";
import { runsFollowTheArrows } from "./runs-follow-the-arrows.ts";
import { slotsWithinLimits } from "./slots-within-limits.ts";

export type CheckedWorld = {
  readonly ground: Ground;
  readonly depot: Depot;
  readonly node: Pick<NodeWorld, "landings" | "validations" | "proofs" | "services">;
  readonly isFar: boolean;
  readonly textOf: (seq: number) => string | undefined;
};

export function allCheckers({ ground, depot, node, textOf, isFar }: CheckedWorld): Checker[] {
  const { landings, validations, proofs, services } = node;
  const sawExit = (run: string, call: number): boolean => ground.sawExit(run, call);
  return [
    actorAndCause(),
    noConflictingLeases(),
    fencesRise(),
    staleActsRefused(ground, isFar),
    onlyTheHolderGivesBack(),
    noRenewalAfterExpiry(),
    aliveAtTheGrant(),
    order(),
    firstCome(),
    noCycle(),
    noLostWakeup(),
    claimsEndOnce(),
    engineTime(),
    freeInTime(),
    repliesEqualTheLog(),
    sameRequestOneClaim(),
    stateIsTheFold(),
    tableIsTheLog(),
    actsAfterEvents(),
    readersSeeAPrefix(textOf),
    noSecretInTheLog(canary),
    unknownIsUnknown({ sawExit, landings, validations, proofs }),
    oneAgentAtATime(),
    callsAreCovered(),
    finishedRunsKeepChanges(),
    holdsYieldFairly(),
    slotsWithinLimits(),
    runsFollowTheArrows(),
    handedOver(),
    stuckIsSaid(),
    escalatedInTime(),
    raisedByRule(),
    inStep(depot),
    swept(),
    carried(),
    rewound(),
    approvedIsWhatLanded(depot),
    landedOnce(depot),
    nothingLost(depot),
    exactLanding(depot),
    noLostUpdate(depot),
    serial(),
    handEditsStay(depot),
    onBranches(depot),
    agentsKeepTheRules(services),
    schedulesAreKept(),
    oneRunInAnAgent(),
    peopleGoFirst(),
    siblingsAreSpared(),
  ];
}
