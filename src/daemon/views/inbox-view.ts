// What needs a person, read off the runs: nothing is kept for it, so it cannot disagree with them.

import { unreachable } from "../../base/assert.ts";
import { compareText } from "../../base/canonical.ts";
import type { Agent } from "../../core/agent/agent-state.ts";
import { diskLimitOf, endedForDisk } from "../../core/agent/disk-limit.ts";
import { alertsOf } from "../../core/agent/alerts.ts";
import { stormTellMs } from "../../core/agent/restart-budget.ts";
import { refusedWords } from "../../core/budget/refused-words.ts";
import { builtIn } from "../../core/policy/policy.ts";
import { type NeedKind, needsOf } from "../../core/run/needs.ts";
import type { Run } from "../../core/run/run-state.ts";
import { isOver } from "../../core/run/run-states.ts";
import type { State } from "../../core/state.ts";
import type { HeldUpAct } from "../../node/held-up-acts.ts";
import type { KeptWorkspace } from "../../node/workspace/kept-workspaces.ts";
import { isWarningSeen } from "../../core/warning/seen-warnings.ts";
import { modelWithoutPrice } from "../../protocol/held-by.ts";
import { takesMessages } from "../../protocol/takes-messages.ts";
import type { Warning } from "../../protocol/wire/health-history.ts";
import type { InboxItem } from "../../protocol/wire/inbox.ts";
import { sinceMs as sinceThen } from "../../protocol/wall-time.ts";

/** What the log does not tell. Of the past nobody knows it. */
export type Besides = {
  readonly warnings: readonly Warning[];
  readonly heldUp: readonly HeldUpAct[];
  readonly kept: readonly KeptWorkspace[];
};

const nothingBesides: Besides = { warnings: [], heldUp: [], kept: [] };

/** Every item: what has waited for too long, then the oldest first. */
export function toInbox(state: State, nowMs: number, besides: Besides = nothingBesides): InboxItem[] {
  const retried = new Set([...state.runs.values()].map(({ retryOf }) => retryOf));
  const items = [...state.runs.values()].flatMap((run) => itemsOf(state, run, retried.has(run.id), nowMs));
  const all = [
    ...items,
    ...asideIn(state, nowMs),
    ...unpublishedIn(state, nowMs),
    ...agentsIn(state, nowMs),
    ...closedIn(state, nowMs),
    ...alertsIn(state, nowMs),
    ...overDiskIn(state, nowMs),
    ...heldIn(state, nowMs),
    ...foreseenIn(state, besides.warnings, nowMs),
    ...heldUpIn(state, besides.heldUp, nowMs),
    ...keptIn(state, besides.kept, nowMs),
  ];
  const left = all.filter(({ id, run }) => run !== null || !isWarningSeen(state, id, nowMs));
  const urgency = ({ escalated }: InboxItem): number => (escalated ? 0 : 1);
  return left.toSorted(
    (a, b) => urgency(a) - urgency(b) || a.sinceMs - b.sinceMs || compareText(a.run ?? a.project, b.run ?? b.project),
  );
}

/** Runs that are done though some of what they changed did not land: others held it, or it was not theirs to change (LD15). */
function asideIn(state: State, nowMs: number): InboxItem[] {
  const byRun = Map.groupBy(state.trash.values(), ({ run }) => run);
  return [...byRun].flatMap(([id, items]): InboxItem[] => {
    const run = state.runs.get(id);
    const [first] = items;
    if (run?.state !== "done" || run.seen || first === undefined) return [];
    const { project, title, sinceMs } = run;
    const count = items.length === 1 ? "1 of its changes" : `${items.length} of its changes`;
    return [
      {
        ...{ kind: "warning", id, canBeSeen: true, run: id, project },
        ...{ projectName: state.projects.get(project)?.name ?? project, title },
        ...{ what: `${count} did not land: ${first.path} (${first.why})`, sinceMs },
        ...{ ageMs: ageOf(state, sinceMs, nowMs), escalated: false, command: `signalbox trash list --run ${id}` },
        others: [`signalbox logs ${id}`, `signalbox inbox --seen ${id}`],
      },
    ];
  });
}

/** Projects whose branch does not have what landed, since the last landing of which that is known. */
function unpublishedIn(state: State, nowMs: number): InboxItem[] {
  const projects = [...state.projects.values()].filter((project) => !project.removed && project.notPublished !== null);
  return projects.map(({ id: project, name, notPublished }): InboxItem => {
    const landed = [...state.runs.values()].filter((run) => run.project === project && run.landed !== null);
    const sinceMs = landed.reduce((newest, run) => Math.max(newest, run.sinceMs), 0) || nowMs;
    const { why = "", how = "" } = notPublished ?? {};
    return {
      ...{
        kind: "unpublished",
        id: `${project}:unpublished`,
        canBeSeen: false,
        run: null,
        project,
        projectName: name,
        title: name,
      },
      ...{ what: `landed, not published: ${why}`, sinceMs, ageMs: ageOf(state, sinceMs, nowMs) },
      ...{ escalated: false, command: how, others: [`signalbox project show ${name}`] },
    };
  });
}

/** Agents that have tried everything that they may (AG22). */
function agentsIn(state: State, nowMs: number): InboxItem[] {
  const failed = [...state.agents.values()].filter(({ state: is, wish }) => is === "error" && wish === "run");
  return failed.map((agent): InboxItem => {
    const { name, project, because, sinceMs } = agent;
    const projectName = state.projects.get(project)?.name ?? project;
    return {
      ...{ kind: "agent", id: agent.id, canBeSeen: false, run: null, project, projectName, title: name },
      ...{ what: `${because ?? "it needs somebody"}${timesOf(agent)}`, sinceMs, ageMs: ageOf(state, sinceMs, nowMs) },
      ...{ escalated: false, command: `signalbox agent failures ${name}` },
      others: [
        ...[`signalbox agent show ${name}`, `signalbox agent logs ${name}`],
        ...[`signalbox agent start ${name}`, `signalbox agent stop ${name}`],
      ],
    };
  });
}

/** Agents that still mend themselves, of which their templates say that somebody wants to know (AG76). */
function alertsIn(state: State, nowMs: number): InboxItem[] {
  return [...state.agents.values()].flatMap((agent) =>
    alertsOf(agent, nowMs).map(({ name: alert, what, sinceMs }): InboxItem => {
      const { name, project } = agent;
      const id = `${agent.id}:${alert}`;
      return {
        ...{ kind: "warning", id, canBeSeen: true, run: null, project },
        ...{ projectName: state.projects.get(project)?.name ?? project },
        ...{ title: name, what, sinceMs, ageMs: ageOf(state, sinceMs, nowMs) },
        ...{
          escalated: false,
          command: `signalbox agent failures ${name}`,
          others: [`signalbox agent show ${name}`, `signalbox agent logs ${name}`, `signalbox inbox --seen ${id}`],
        },
      };
    }),
  );
}

/** Agents that take more of the disk than they may: what writes more there is ended (SC19). */
function overDiskIn(state: State, nowMs: number): InboxItem[] {
  return [...state.agents.values()].flatMap((agent): InboxItem[] => {
    const [newest] = endedForDisk(agent, nowMs);
    if (newest === undefined || agent.state === "error") return [];
    const limit = diskLimitOf(state, agent);
    const { id: of, name, project } = agent;
    const id = `${of}:quota`;
    const policy = limit?.policy ?? null;
    const said = limit === null ? "its share" : `${Math.floor(limit.bytes / 1024 ** 2)} MiB`;
    const most = `${said}${policy === null ? "" : ` (${policy})`}`;
    const sinceMs = newest.atMs;
    return [
      {
        ...{ kind: "warning", id, canBeSeen: true, run: null, project },
        ...{ projectName: state.projects.get(project)?.name ?? project, title: name },
        ...{ what: `${newest.name} was ended: it took more of the disk than its agent may, ${most}`, sinceMs },
        ...{ ageMs: ageOf(state, sinceMs, nowMs), escalated: false, command: `signalbox agent stats ${name}` },
        others: [
          ...[`signalbox agent failures ${name}`, "signalbox disk"],
          ...(policy === null ? [] : [`signalbox policy show ${policy}`]),
          `signalbox inbox --seen ${id}`,
        ],
      },
    ];
  });
}

/** How often the service that gave up had failed in the same way. */
function timesOf({ services }: Agent): string {
  const newest = [...services.values()]
    .filter(({ state }) => state === "failed")
    .flatMap(({ failures }) => Object.values(failures))
    .toSorted((a, b) => b.lastAtMs - a.lastAtMs)[0];
  return newest === undefined || newest.count < 2 ? "" : ` (${newest.count} times)`;
}

/**
 * Processes of holders that are gone, while nobody has said that they are dead (LS32). Those of a run that is not over are for
 * its node to prove.
 */
function closedIn(state: State, nowMs: number): InboxItem[] {
  const gone = [...state.table.families.values()].filter(({ life }) => life === "over");
  return gone.flatMap((family) => {
    const { project, holder } = family;
    const run = state.runs.get(holder);
    if (run !== undefined && !isOver(run.state)) return [];
    const projectName = state.projects.get(project)?.name ?? project;
    const sinceMs = Math.min(nowMs, run?.sinceMs ?? family.expiresAtMs);
    return [...family.leases.values()].map(({ unit: { text } }): InboxItem => ({
      ...{
        kind: "closed",
        id: `${project}:${text}`,
        canBeSeen: false,
        run: run?.id ?? null,
        project,
        projectName,
        title: text,
      },
      ...{ what: `${text} stays closed: ${holder}, who held it, is gone, and its processes are not proven dead` },
      ...{ sinceMs, ageMs: ageOf(state, sinceMs, nowMs) },
      ...{ escalated: false, command: `signalbox clear ${text} --project ${projectName}` },
      others: [`signalbox locks --project ${projectName}`],
    }));
  });
}

/** Services that are started again later, because too many others are (AG24). It is about no project. */
function heldIn(state: State, nowMs: number): InboxItem[] {
  const { held } = state;
  if (held === null || nowMs - held.lastMs > stormTellMs) return [];
  const { sinceMs, count, max, policy } = held;
  const services = count === 1 ? "1 service has" : `${count} services have`;
  return [
    {
      ...{ kind: "warning", id: "restarts", canBeSeen: true, run: null, project: "", projectName: "" },
      ...{ title: "restarts", sinceMs },
      ...{ what: `${services} to wait: ${policy} lets ${max} be started again within ten seconds` },
      ...{ ageMs: ageOf(state, sinceMs, nowMs), escalated: false, command: "signalbox agent list" },
      others: [
        "signalbox events --type service.held",
        "signalbox inbox --seen restarts",
        ...(policy === builtIn ? [] : [`signalbox policy show ${policy}`]),
      ],
    },
  ];
}

/** What will be so if it goes on like this (AU42). It is as new as the last look. */
function foreseenIn(state: State, warnings: readonly Warning[], nowMs: number): InboxItem[] {
  return warnings.map(({ kind, agent: of, service, template, what }): InboxItem => {
    const agent = state.agents.get(of ?? "");
    const id = [of, service, kind === "restarts" ? "failures" : kind, template]
      .filter((part) => part !== null && part !== undefined)
      .join(":");
    const project = agent?.project ?? "";
    const [command, other] =
      agent === undefined ? commandsOf(kind) : [`agent stats --history ${agent.name}`, `agent failures ${agent.name}`];
    return {
      ...{ kind: "warning", id, canBeSeen: true, run: null, project },
      ...{ projectName: state.projects.get(project)?.name ?? "", title: agent?.name ?? template ?? kind },
      ...{ what, sinceMs: nowMs, ageMs: 0, escalated: false },
      command: `signalbox ${command}`,
      others: [`signalbox ${other}`, `signalbox inbox --seen ${id}`],
    };
  });
}

/** What helps where it is about the machine. */
function commandsOf(kind: Warning["kind"]): readonly [string, string] {
  return kind === "disk" ? ["disk", "gc"] : ["agent stats", "agent list"];
}

/** Runs for which something is tried again and again (EN33). It goes by itself, once it could be done. */
function heldUpIn(state: State, acts: readonly HeldUpAct[], nowMs: number): InboxItem[] {
  return acts.flatMap(({ run: id, act, doing, why, sinceMs }): InboxItem[] => {
    const run = state.runs.get(id);
    if (run === undefined) return [];
    const { project, title } = run;
    return [
      {
        ...{ kind: "warning", id: `${id}:held-up:${act}`, canBeSeen: false, run: id, project },
        ...{ projectName: state.projects.get(project)?.name ?? project, title },
        ...{ what: `${doing} is tried again every few seconds: ${why}`, sinceMs },
        ...{ ageMs: ageOf(state, sinceMs, nowMs), escalated: false, command: "signalbox doctor" },
        others: ["signalbox disk", `signalbox logs ${id}`, `signalbox stop ${id}`],
      },
    ];
  });
}

/** Workspaces that nobody could look through (EN53). It goes with the folder, or when somebody has seen it. */
function keptIn(state: State, kept: readonly KeptWorkspace[], nowMs: number): InboxItem[] {
  return kept.map(({ name, run: of, path }): InboxItem => {
    const run = state.runs.get(of);
    const project = run?.project ?? "";
    const sinceMs = run?.sinceMs ?? nowMs;
    const id = `${name}:kept`;
    const what = `the workspace of ${of} could not be looked through when it ended, keepers were lost over it: it is kept whole in ${path}`;
    return {
      ...{ kind: "warning", id, canBeSeen: true, run: null, project },
      ...{ projectName: state.projects.get(project)?.name ?? project, title: run?.title ?? of },
      ...{ what, sinceMs, ageMs: ageOf(state, sinceMs, nowMs), escalated: false, command: "signalbox audit" },
      others: [...(run === undefined ? [] : [`signalbox logs ${of}`]), `signalbox inbox --seen ${id}`],
    };
  });
}

/** For people: they have waited also while the daemon was down. */
function ageOf({ openings }: State, atMs: number, nowMs: number): number {
  return Math.max(0, sinceThen(openings, atMs, nowMs));
}

function itemsOf(state: State, run: Run, isRetried: boolean, nowMs: number): InboxItem[] {
  const { id, project, title, escalated } = run;
  const projectName = state.projects.get(project)?.name ?? project;
  return needsOf(run, isRetried).map(({ kind, sinceMs }): InboxItem => {
    const [what, ...commands] = wordsFor(run, kind, nowMs);
    const asked = kind === "question" || kind === "permission" ? run.question?.id : undefined;
    const [command = "", ...others] = commands.map((each) => `signalbox ${each}`);
    return {
      ...{ kind, id, canBeSeen: kind === "failure" || kind === "stuck" || kind === "delayed" },
      ...{ run: id, project, projectName, title, what, sinceMs, ageMs: ageOf(state, sinceMs, nowMs) },
      ...(asked === undefined ? {} : { question: asked }),
      ...{ escalated: escalated[kind] === sinceMs, command, others },
    };
  });
}

/** What is asked, or in the way; then the commands that may answer it, the likeliest first. */
function wordsFor(run: Run, kind: NeedKind, nowMs: number): readonly [string, ...string[]] {
  const { id, question, stuck, delay, modelRefused } = run;
  switch (kind) {
    case "question":
      return [question?.text ?? "", `answer ${id} TEXT`, `stop ${id}`];
    case "permission":
      return [
        question?.text ?? "",
        ...["allow", "deny"].map((word) => `${word} ${id} --question ${question?.id ?? ""}`),
        `stop ${id}`,
      ];
    case "review": {
      const ways = [`land ${id}`, `return ${id} -m TEXT`, `reject ${id} -m TEXT`];
      return [run.because ?? "its result waits for a look", `review ${id}`, ...ways];
    }
    case "failure":
      return [run.because ?? "it failed", `retry ${id}`, `logs ${id}`, `inbox --seen ${id}`];
    case "stuck": {
      const isPaused = run.state === "paused";
      const told = takesMessages(run.runner) ? [`steer ${id} TEXT`, `steer --interrupt ${id} TEXT`] : [];
      // What looks at it comes first where nothing lets it go on.
      const ways = [...(isPaused ? [`resume ${id}`] : []), ...told, `logs ${id}`, ...(isPaused ? [] : [`pause ${id}`])];
      return [`${stuck?.what ?? ""}${doneAbout(stuck)}`, ...ways, `stop ${id}`, `inbox --seen ${id}`];
    }
    case "delayed": {
      const inSeconds = Math.max(0, Math.ceil(((delay?.untilMs ?? nowMs) - nowMs) / 1000));
      const { what: why = "", attempt = 0, attemptsMax = 0 } = delay ?? {};
      // None of its tries, where a limit was raised.
      const what = `${why}; ${attempt === 0 ? "tried again" : `try ${attempt} of ${attemptsMax}`} in ${inSeconds} s`;
      return [what, `inspect ${id}`, `pause ${id}`, `stop ${id}`, `inbox --seen ${id}`];
    }
    case "budget": {
      const { what = "", policy = "", code = "" } = modelRefused ?? {};
      const show = policy.startsWith("profile ") ? policy.replace(" ", " show ") : `policy show ${policy}`;
      const model = modelWithoutPrice({ code, what, policy });
      const more = model === null ? `raise ${id}` : `price set ${model} --input DOLLARS --output DOLLARS`;
      return [refusedWords({ policy, what }), more, `cost ${id}`, show, `stop ${id}`];
    }
    default:
      return unreachable(kind);
  }
}

function doneAbout(stuck: Run["stuck"]): string {
  if (stuck?.act === "nudge") return "; its assistant was told";
  return stuck?.act === "pause" ? "; it is paused" : "";
}
