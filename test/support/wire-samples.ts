// Runs, agents, leases and queues as the daemon would show them, for tests of the console's model.

import { noSpend } from "../../src/core/budget/budget-state.ts";
import type { AgentView, ServiceView } from "../../src/protocol/wire/agent.ts";
import type { Change } from "../../src/protocol/wire/change.ts";
import type { Lease, Locks, QueueEntry } from "../../src/protocol/wire/claim.ts";
import type { LogEvent } from "../../src/protocol/wire/log-event.ts";
import type { Project } from "../../src/protocol/wire/project.ts";
import type { Run } from "../../src/protocol/wire/run.ts";
import type { Status } from "../../src/protocol/wire/status.ts";

export function makeRun(id: string, given: Partial<Run> = {}): Run {
  return {
    id,
    task: `t_${id}`,
    project: "p_1",
    projectName: "track",
    title: `Title of ${id}`,
    by: "person:eva",
    user: "person:eva",
    scope: null,
    runner: "script",
    profile: null,
    settings: null,
    node: "local",
    priority: 0,
    tags: [],
    plan: [],
    dependsOn: [],
    command: null,
    parent: null,
    sub: false,
    caged: true,
    egress: "none",
    egressPolicy: null,
    image: null,
    retryOf: null,
    forkOf: null,
    state: "running",
    because: null,
    submittedAtMs: 1000,
    sinceMs: 2000,
    startedAtMs: 1500,
    endedAtMs: null,
    outputsGone: null,
    family: `${id}.1`,
    holds: [],
    claim: null,
    behind: [],
    waitsFor: null,
    reuse: null,
    agent: null,
    waitsForAgent: null,
    call: null,
    callsDone: 0,
    question: null,
    changes: [],
    commit: null,
    landed: null,
    landedOn: null,
    filesChanged: 0,
    bytesWritten: 0,
    tested: null,
    spend: noSpend,
    ownCostMicros: null,
    treeSpend: noSpend,
    modelRefused: null,
    stuck: null,
    delay: null,
    handed: null,
    failure: null,
    limitAtMs: null,
    limitPolicy: null,
    approvalPolicy: null,
    approvedBy: null,
    ...given,
  };
}

export function makeAgent(id: string, given: Partial<AgentView> = {}): AgentView {
  return {
    id,
    name: `shop-${id}`,
    project: "p_1",
    projectName: "track",
    template: "shop",
    node: "local",
    by: "person:eva",
    madeAtMs: 1000,
    state: "running",
    because: null,
    sinceMs: 2000,
    life: 1,
    removing: false,
    rung: null,
    activity: "ready",
    run: null,
    egress: "none",
    image: null,
    workspace: null,
    archived: false,
    limits: null,
    heldBy: [],
    hooks: [],
    assistant: null,
    joined: [],
    services: [],
    faces: [],
    ...given,
  };
}

export function makeService(name: string, given: Partial<ServiceView> = {}): ServiceView {
  return {
    name,
    limits: null,
    nextAtMs: null,
    group: null,
    spare: false,
    outdated: false,
    failures: [],
    kind: "application",
    state: "up",
    wanted: true,
    healthy: true,
    because: null,
    sinceMs: 2000,
    dueAtMs: null,
    life: 1,
    restarts: 0,
    end: null,
    ports: [],
    needs: [],
    command: ["node", "web.js"],
    image: null,
    ...given,
  };
}

export function makeProject(name: string, given: Partial<Project> = {}): Project {
  return {
    id: `p_${name}`,
    name,
    root: `/home/eva/${name}`,
    foldCase: false,
    processes: {},
    kind: "git",
    branch: "main",
    landingTest: null,
    testTimeMs: 1_800_000,
    landingMessage: null,
    landingBranch: null,
    derivedNetwork: false,
    derived: [],
    egress: { kind: "list", allow: ["developer"] },
    warm: {},
    image: null,
    mainline: "a".repeat(40),
    published: "a".repeat(40),
    notPublished: null,
    ...given,
  };
}

export function makeChange(path: string, given: Partial<Change> = {}): Change {
  const entry = `100644:${"a".repeat(40)}`;
  return {
    path,
    status: "changed",
    base: entry,
    work: entry.replaceAll("a", "b"),
    bytes: { base: 10, work: 12 },
    held: true,
    guarded: false,
    keepsOwn: false,
    binary: false,
    tooLarge: false,
    hunks: [],
    patch: "",
    theirs: null,
    ...given,
  };
}

export function makeLease(unit: string, holder: string, given: Partial<Lease> = {}): Lease {
  return {
    unit,
    project: "p_1",
    family: `${holder}.1`,
    holder,
    kind: "run",
    claim: `c_${holder}`,
    fence: 1,
    state: "live",
    grantedAtMs: 0,
    delayedUntilMs: null,
    expiresAtMs: 30_000,
    patienceMs: null,
    yieldsAtMs: null,
    ...given,
  };
}

/** Waits for units that the named holders have, foremost first. */
export function makeEntry(
  holder: string,
  position: number,
  behind: readonly (readonly [string, string])[],
): QueueEntry {
  return {
    claim: `c_${holder}`,
    project: "p_1",
    family: `${holder}.1`,
    holder,
    kind: "run",
    position,
    units: behind.map(([unit]) => unit),
    priority: 0,
    queuedAtMs: 0,
    deadlineAtMs: null,
    passes: 0,
    behind: behind.map(([unit, other]) => ({
      unit,
      family: `${other}.1`,
      holder: other,
      by: "lease",
      claim: `c_${other}`,
    })),
  };
}

export function makeLocks(leases: readonly Lease[], queue: readonly QueueEntry[]): Locks {
  const waits = queue.flatMap((entry) =>
    entry.behind.map(({ holder, family, unit }) => ({
      from: entry.family,
      fromHolder: entry.holder,
      to: family,
      toHolder: holder,
      claim: entry.claim,
      unit,
    })),
  );
  return { seq: 1, nowMs: 0, leases: [...leases], queue: [...queue], waits, truncated: false };
}

export function makeEvent(seq: number, type: string, given: object = {}): LogEvent {
  return { seq, atMs: seq * 100, type, v: 1, cause: null, actor: "system", ...given };
}

export function makeStatus(seq: number): Status {
  return {
    pid: 1,
    url: "http://127.0.0.1:1",
    version: "0",
    home: "/tmp",
    socket: null,
    startedAtMs: 0,
    nowMs: 10_000,
    wallOffsetMs: 1_780_000_000_000,
    openings: [{ seq: 1, atMs: 0, wallMs: 1_780_000_000_000, fromMs: 0 }],
    seq,
    projects: 1,
    runs: {},
    leases: 0,
    queued: 0,
    subscribers: 0,
    audit: null,
    maintenance: { everyMs: 3_600_000, last: null, room: null },
    damage: null,
  };
}
