import { expect, test } from "vitest";
import type { Act } from "../../src/core/acts.ts";
import type { Event, Logged } from "../../src/core/events.ts";
import { makeState } from "../../src/core/state.ts";
import type { Input } from "../../src/core/inputs.ts";
import type { Outcome } from "../../src/engine/engine.ts";
import { Prng } from "../../src/base/prng.ts";
import { Depot } from "../world/depot.ts";
import { Ground } from "../world/ground.ts";
import type { Checker, Deed } from "../world/watch.ts";
import { actorAndCause } from "./actor-and-cause.ts";
import { callsAreCovered } from "./calls-are-covered.ts";
import { finishedRunsKeepChanges } from "./finished-runs-keep-changes.ts";
import { granted, History, moved, opened, queued, submitted } from "./history.ts";
import { holdsYieldFairly } from "./holds-yield-fairly.ts";
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
import { landedOnce } from "./ld37-landed-once.ts";
import { nothingLost } from "./ld38-nothing-lost.ts";
import { exactLanding } from "./ld39-exact-landing.ts";
import { noLostUpdate } from "./ld40-no-lost-update.ts";
import { serial } from "./ld41-serial.ts";
import { handEditsStay } from "./ld42-hand-edits-stay.ts";
import { runsFollowTheArrows } from "./runs-follow-the-arrows.ts";
import { slotsWithinLimits } from "./slots-within-limits.ts";

// A checker that was never seen to catch anything proves nothing: here is a bad history for each.

const a = ["file:a"];

function watched(checker: Checker): History {
  return new History(checker).begin();
}

const bad: readonly (readonly [what: string, expected: string, history: () => History])[] = [
  [
    "two hold one file",
    "I01",
    () => watched(noConflictingLeases()).add(granted("c1", "A", a, 1, 2000), granted("c2", "B", ["dir:"], 2, 2001)),
  ],
  [
    "a fence comes again",
    "I02",
    () => watched(fencesRise()).add(granted("c1", "A", a, 5, 2000), granted("c2", "B", ["file:b"], 5, 2001)),
  ],
  [
    "what is not held is given back",
    "I04",
    () => watched(onlyTheHolderGivesBack()).add({ type: "lease.released", v: 1, family: "A", units: a, setAside: [] }),
  ],
  [
    "a renewal after the expiry",
    "I05",
    () =>
      watched(noRenewalAfterExpiry()).add({ type: "lease.renewed", v: 1, families: ["A"], ttlMs: null, atMs: 60_000 }),
  ],
  [
    "a grant to one that is over",
    "I06",
    () =>
      watched(aliveAtTheGrant())
        .add({ type: "family.ended", v: 1, family: "A", why: "idle", freed: [], quarantined: [] })
        .add(granted("c1", "A", a, 1, 2000)),
  ],
  [
    "a grant before an expiry of the same instant",
    "LS17",
    () => watched(aliveAtTheGrant()).add(granted("c1", "A", a, 1, 60_000)),
  ],
  [
    "a claim in the wrong place",
    "LS14",
    () =>
      watched(order())
        .add(granted("c1", "A", a, 1, 2000), queued("c2", "B", a))
        .add(opened("C"), queued("c3", "C", a)),
  ],
  ["a claim that waits for nothing", "LS18", () => watched(order()).add(queued("c1", "A", a))],
  [
    "a deadlock that is not refused",
    "LS25",
    () =>
      watched(order())
        .add(granted("c1", "A", a, 1, 2000), granted("c2", "B", ["file:b"], 2, 2001))
        .add(queued("c3", "A", ["file:b"]))
        .add(queued("c4", "B", a)),
  ],
  [
    "a later claim is served first",
    "I07",
    () =>
      watched(firstCome())
        .add(granted("c1", "A", a, 1, 2000), queued("c2", "B", a))
        .add(opened("C"), granted("c3", "C", a, 2, 2002)),
  ],
  [
    "a circle",
    "I08",
    () =>
      watched(noCycle())
        .add(granted("c1", "A", a, 1, 2000), granted("c2", "B", ["file:b"], 2, 2001))
        .add(queued("c3", "A", ["file:b"]), queued("c4", "B", a)),
  ],
  ["a free unit and somebody who waits for it", "I09", () => watched(noLostWakeup()).add(queued("c1", "A", a))],
  [
    "a claim that ends twice",
    "I10",
    () => {
      const end = {
        type: "claim.ended",
        v: 1,
        claim: "c1",
        family: "A",
        how: "cancelled",
        arrival: null,
        cycle: null,
      } as const;
      return watched(claimsEndOnce()).add(queued("c1", "A", a), end, end);
    },
  ],
  [
    "time that runs ahead",
    "I11",
    () => watched(engineTime()).add({ type: "policy.removed", v: 1, name: "x", atMs: 500 }),
  ],
  [
    "a holder that outlives its time",
    "I12",
    () => watched(freeInTime()).add({ type: "policy.removed", v: 1, name: "x", atMs: 60_001 }),
  ],
  [
    "a process that is open without proof",
    "LS32",
    () =>
      watched(freeInTime())
        .add(granted("c1", "A", ["process:test"], 1, 2000))
        .add({ type: "family.ended", v: 1, family: "A", why: "expired", freed: ["process:test"], quarantined: [] }),
  ],
  [
    "one key, two claims",
    "I14",
    () => watched(sameRequestOneClaim()).add(queued("c1", "A", a, { key: "k" }), queued("c2", "A", a, { key: "k" })),
  ],
  [
    "a secret",
    "I26",
    () => new History(noSecretInTheLog("canary")).add({ type: "policy.removed", v: 1, name: "canary" }),
  ],
  [
    "nobody did it",
    "I57",
    () => new History(actorAndCause()).add({ type: "policy.removed", v: 1, name: "x", actor: "" }),
  ],
  [
    "a hold that yields too early",
    "LS35",
    () =>
      watched(holdsYieldFairly())
        .add(granted("c1", "A", a, 1, 2000))
        .add(
          { type: "family.moved", v: 1, family: "A", to: "hold", patienceMs: 9000, expiresAtMs: 0 },
          queued("c2", "B", a),
        )
        .add({ type: "lease.yielded", v: 1, family: "A", units: a, to: "c2" }),
  ],
  [
    "a hold that keeps the kin of what it yields",
    "LS37",
    () =>
      watched(holdsYieldFairly())
        .add(granted("c1", "A", ["file:a", "file:a/x"], 1, 2000))
        .add(
          { type: "family.moved", v: 1, family: "A", to: "hold", patienceMs: 0, expiresAtMs: 0 },
          queued("c2", "B", ["file:a/y"]),
        )
        .add({ type: "lease.yielded", v: 1, family: "A", units: ["file:a"], to: "c2", atMs: 3000 }),
  ],
  [
    "one at work too many",
    "LS21",
    () => {
      const policy = { name: "one", priority: 0, enabled: true, scope: {}, rules: { maxConcurrent: 1 } };
      return watched(slotsWithinLimits())
        .add({ type: "policy.set", v: 1, policy }, submitted("r1"), submitted("r2"))
        .add(moved("r1", "queued", "starting"), moved("r2", "queued", "starting"));
    },
  ],
  [
    "an arrow that is not there",
    "RN",
    () => watched(runsFollowTheArrows()).add(submitted("r1"), moved("r1", "queued", "landing")),
  ],
  [
    "a call on what is not owned",
    "LS3",
    () =>
      watched(callsAreCovered())
        .add(
          submitted("r1"),
          opened("r1.1", "run"),
          moved("r1", "queued", "starting"),
          moved("r1", "starting", "running"),
        )
        .add({
          type: "call.started",
          v: 1,
          run: "r1",
          call: 0,
          tool: "write",
          units: a,
          bytes: 1,
          fences: [1],
          taken: null,
        }),
  ],
  [
    "a changed path that is given back",
    "LS34",
    () => {
      const works = [{ path: "a", base: null, work: "100644:a" }];
      const ended = { ok: true, exit: null, summary: "", changed: [], works, output: null } as const;
      return watched(finishedRunsKeepChanges())
        .add(submitted("r1"), opened("r1.1", "run"), granted("c1", "r1.1", a, 1, 2000))
        .add({ type: "call.finished", v: 1, run: "r1", call: 0, tool: "write", ...ended })
        .add({ type: "lease.shrunk", v: 1, family: "r1.1", gone: a, kept: [], fences: [] });
    },
  ],
  [
    "done without a landing",
    "I31",
    () => {
      const truth = { sawExit: () => false, landings: new Map(), validations: new Map(), proofs: new Set<string>() };
      return watched(unknownIsUnknown(truth)).add(
        submitted("r1"),
        approve("a", null, "100644:a"),
        moved("r1", "landing", "done"),
      );
    },
  ],
];

test.each(bad)("it catches %s (%s)", (_, expected, history) => {
  expect(history().reports).toContainEqual(expect.stringMatching(`^${expected}: `));
});

test("a good history is left alone", () => {
  const checkers = [
    noConflictingLeases(),
    fencesRise(),
    order(),
    firstCome(),
    noCycle(),
    noLostWakeup(),
    claimsEndOnce(),
    aliveAtTheGrant(),
  ];
  const history = new History(...checkers).begin();
  const release = { type: "lease.released", v: 1, family: "A", units: a, setAside: [] } as const;
  const grant = { ...granted("c2", "B", a, 2, 2010), arrival: null };
  history
    .add(granted("c1", "A", a, 1, 2000))
    .add({ ...queued("c2", "B", a), atMs: 2005 })
    .add({ ...release, atMs: 2010 }, grant);
  expect(history.reports).toEqual([]);
});

const reply = (checker: Checker, input: Input, outcome: Outcome): string[] => {
  const history = watched(checker);
  history.clerk.reply({ actor: "person:ann", input }, outcome);
  return history.reports;
};

test("an answer that the log does not have is caught (I17)", () => {
  const claim = { claim: "c9", family: "A", state: "granted", fences: {}, behind: [], cycle: null } as const;
  const outcome: Outcome = { ok: true, value: { of: "claim", claim } };
  expect(reply(repliesEqualTheLog(), { type: "claim.cancel", claim: "c9" }, outcome)).toEqual([
    expect.stringContaining("I17"),
  ]);
  const id: Outcome = { ok: true, value: { of: "id", id: "r_9" } };
  expect(reply(repliesEqualTheLog(), { type: "tick" }, id)).toEqual([expect.stringContaining("I17")]);
});

const deed: Deed = {
  kind: "process",
  project: "p",
  unit: { kind: "process", text: "process:test", id: "process test", key: "test" },
  family: "A",
  fence: 1,
  run: "r1",
  call: 0,
  node: "n1",
};

test("an act without a lease, a second process and an overtaken agent are caught (I03, LS32, I37)", () => {
  const ground = new Ground((each) => history.clerk.deed(each));
  const history = new History(staleActsRefused(ground, false), oneAgentAtATime()).begin();
  history.add(granted("c1", "B", ["process:test"], 7, 2000));
  ground.start(deed);
  ground.start({ ...deed, family: "B" });
  const kinds = history.reports.map((report) => report.slice(0, report.indexOf(":")));
  expect(new Set(kinds)).toEqual(new Set(["I03", "LS12", "LS32", "I37", "RN"]));
});

test("an act that no event calls for is caught (I19, I20)", () => {
  const act: Act = { type: "stop", id: "stop:r1@1", run: "r1", node: "n1", force: false };
  const history = watched(actsAfterEvents());
  history.clerk.act(act);
  expect(history.reports).toEqual([expect.stringContaining("I20"), expect.stringContaining("I19")]);
});

test("a gap, a repetition and what is not durable are caught (I24, I17)", () => {
  const history = watched(readersSeeAPrefix(() => undefined));
  const event = (seq: number): Logged => ({
    type: "policy.removed",
    v: 1,
    name: "x",
    seq,
    atMs: 1,
    cause: null,
    actor: "system",
  });
  history.clerk.hear([event(1), event(3)], "listeners");
  history.clerk.hear([event(9)], "nodes");
  expect(history.reports).toEqual([expect.stringContaining("I24"), expect.stringContaining("I17")]);
});

test("a state that is not the fold of the log is caught (I16)", () => {
  const history = new History(stateIsTheFold(), tableIsTheLog()).begin();
  const state = makeState();
  state.table.nextFence = 2;
  history.clerk.sample({ state, shadow: makeState(), nowMs: 0, calmMs: 0, unansweredMs: 0, texts: () => [] });
  expect(history.reports).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^I16: the state differs/),
      expect.stringMatching(/^I16: the queue of p/),
    ]),
  );
});

/** A project with a history, a run that holds `doc`, and everything that watches landings. */
function landing(): { history: History; depot: Depot; kinds: () => string[] } {
  const hooks: { depot?: Depot } = {};
  const lazy = (make: (depot: Depot) => Checker): Checker => {
    let checker: Checker | undefined;
    const get = (): Checker => (checker ??= make(hooks.depot as Depot));
    return {
      name: "lazy",
      before: (event, watch) => get().before?.(event, watch),
      after: (event, watch) => get().after?.(event, watch),
      batch: (batch, watch) => get().batch?.(batch, watch),
      made: (each, watch) => get().made?.(each, watch),
      phase: (standing, watch) => get().phase?.(standing, watch),
    };
  };
  const makers = [inStep, approvedIsWhatLanded, landedOnce, nothingLost, exactLanding, noLostUpdate, handEditsStay];
  const history = new History(...makers.map(lazy), swept(), carried(), serial());
  const depot = new Depot(history.clerk.model, (each) => history.clerk.made(each));
  hooks.depot = depot;
  depot.begin("m0", ["file:doc"], always);
  history.begin().add(submitted("r1"), opened("r1.1", "run"), granted("c1", "r1.1", ["file:doc"], 1, 2000));
  return {
    history,
    depot,
    kinds: () => [...new Set(history.reports.map((report) => report.slice(0, report.indexOf(":"))))],
  };
}

/** Every chance comes true. */
const always = Object.assign(new Prng(1), { chance: () => true });
const never = Object.assign(new Prng(1), { chance: () => false });

function approve(path: string, base: string | null, entry: string | null): Event & { type: "run.approved" } {
  return { type: "run.approved", v: 1, run: "r1", approved: [{ path, base, entry }] };
}

test("a landing that nobody approved, without leases and over what its writer never saw, is caught (LD22, LD40)", () => {
  const { depot, kinds } = landing();
  const repo = depot.repoOf("p");
  const word = depot.authors.write("r1", []);
  const changes = new Map([["doc", `100644:${word}|${word}|${word}|${word}`]]);
  depot.swap("p", repo.head, repo.make(repo.head, changes, { run: "r1", act: "land:r1@1" }));
  expect(kinds()).toEqual(expect.arrayContaining(["LD22", "LD40"]));
});

test("what is approved otherwise than the workspace has it is caught (LD22, LD19)", () => {
  const { history, kinds } = landing();
  history.add(approve("doc", "100644:older", "100644:x|x|x|x"), approve("other", null, "100644:x|x|x|x"));
  expect(kinds()).toEqual(["LD22", "LD19"]);
});

test("a landing that is not its run's change made to its parent is caught (LD41, LD28, LD39)", () => {
  const { history, depot, kinds } = landing();
  const repo = depot.repoOf("p");
  const base = repo.at(repo.head, "doc");
  history.add(approve("doc", "100644:other", base), moved("r1", "queued", "landing"));
  const changes = new Map([
    ["doc", "100644:x|x|x|x"],
    ["doc/x", "100644:x|x|x|x"],
  ]);
  depot.workspaceOf("r1").fresh.set("doc", { commit: repo.head, seq: 99 });
  depot.swap("p", repo.head, repo.make(repo.head, changes, { run: "r1", act: "land:r1@8" }));
  expect(kinds()).toEqual(expect.arrayContaining(["LD41", "LD28", "LD39"]));
});

test("what lands twice, and what is recorded and never landed, is caught (LD37)", () => {
  const { history, depot } = landing();
  const repo = depot.repoOf("p");
  for (let time = 0; time < 2; time++)
    depot.swap("p", repo.head, repo.make(repo.head, new Map(), { run: "r1", act: "land:r1@1" }));
  const loose = repo.make(repo.head, new Map(), { run: "r1", act: "land:r1@9" });
  const about = { entries: [], tested: "untested", merged: [] } as const;
  history.add({ type: "run.landed", v: 1, run: "r1", project: "p", commit: loose.id, ...about });
  const found = history.reports.filter((report) => report.startsWith("LD37"));
  expect(found).toEqual([expect.stringContaining("twice"), expect.stringContaining("does not have it")]);
});

test("a person's commit that is gone, and a word that is nowhere, are caught (LD42, LD38)", () => {
  const { history, depot, kinds } = landing();
  const repo = depot.repoOf("p");
  const { head } = repo;
  depot.commitByHand("p", ["file:doc"], never);
  repo.swap(repo.head, head);
  history.clerk.phase({
    state: makeState(),
    shadow: makeState(),
    nowMs: 0,
    calmMs: 0,
    unansweredMs: 0,
    texts: () => [],
  });
  expect(kinds()).toEqual(["LD38", "LD42"]);
});

test("changes that are neither claimed nor set aside, and those that go with a run, are caught (LD15, LD38)", () => {
  const { history, kinds } = landing();
  const works = [{ path: "free", base: null, work: "100644:x|x|x|x" }];
  const ended = { ok: true, exit: null, summary: "", changed: [], works, output: null } as const;
  history.add({ type: "call.finished", v: 1, run: "r1", call: 0, tool: "run", ...ended });
  history.add(moved("r1", "running", "failed"));
  expect(kinds()).toEqual(["LD15", "LD38"]);
});

test("giving up what lies elsewhere, and a rest that was not approved, are caught (LD18, LD32)", () => {
  const { history, kinds } = landing();
  const work = { path: "far", base: null, work: "100644:x|x|x|x" };
  history.add(
    { type: "lease.released", v: 1, family: "r1.1", units: ["file:doc"], setAside: [] },
    { type: "paths.set-aside", v: 1, run: "r1", works: [work], why: "its unit was given back", ids: ["x_1"] },
  );
  const ended = { ok: true, exit: null, summary: "", changed: [], works: [work], output: null } as const;
  const about = { entries: [], tested: "untested", merged: [] } as const;
  history.add({ type: "call.finished", v: 1, run: "r1", call: 0, tool: "write", ...ended });
  history.add(
    { type: "run.landed", v: 1, run: "r1", project: "p", commit: "m0", ...about },
    moved("r1", "landing", "done"),
  );
  expect(kinds()).toEqual(expect.arrayContaining(["LD18", "LD32"]));
});

test("a path that is ready and stands on something else is caught (LD8)", () => {
  const { history, depot, kinds } = landing();
  depot.workspaceOf("r1").put("doc", "100644:older", "100644:older");
  history.add({ ...granted("c2", "r1.1", ["file:doc"], 2, 3000), ready: false } as Parameters<History["add"]>[0]);
  history.clerk.model.leasesOf("r1.1").forEach((lease) => (lease.ready = false));
  history.add({
    type: "lease.ready",
    v: 1,
    claim: "c2",
    family: "r1.1",
    bases: {},
    commit: "m0",
    works: [],
    moved: [],
  });
  expect(kinds()).toEqual(["LD8"]);
});
