// An event as a sentence about its subject, which stands before it. All of it is plain text: much of it was written by
// agents, and none of it is ever read as markup.

import { showDollars } from "../../protocol/dollars.ts";
import type { CallNames } from "../../protocol/call-names.ts";
import { heardIn } from "../../protocol/heard.ts";
import { tellRaised } from "../../protocol/held-by.ts";
import { tellSpares } from "../../protocol/tell-spares.ts";
import { tellHeard } from "../../protocol/tell-heard.ts";
import type { LogEvent } from "../../protocol/wire/log-event.ts";
import { numberIn, numbersIn, textIn, textsIn } from "../live/event-fields.ts";
import { toMany } from "./format.ts";
import { toReason } from "./reason.ts";
import { isRunState, signals } from "./signals.ts";
import { toShortUnit } from "./units.ts";

type Teller = (event: LogEvent, names?: CallNames) => string;

const tellers: Readonly<Record<string, Teller>> = {
  "engine.opened": (event) => `the daemon opened its log, version ${textIn(event, "version") ?? "?"}`,
  "project.added": (event) => `${textIn(event, "name") ?? "a project"} was added`,
  "project.changed": () => "was changed",
  "project.removed": () => "was removed",
  "policy.set": (event) => `policy ${nameOf(event, "policy")} decides from now on`,
  "policy.removed": (event) => `policy ${textIn(event, "name") ?? ""} was removed`,
  "profile.set": (event) => `profile ${nameOf(event, "profile")} was set`,
  "runner.set": (event) => `runner ${nameOf(event, "runner")} was defined`,
  "runner.removed": (event) => `runner ${textIn(event, "name") ?? ""} was removed`,
  "preset.set": (event) =>
    `${textIn(event, "preset") ?? "a preset"} means ${textIn(event, "model") ?? "what is built in"} to ${textIn(event, "runner") ?? "a runner"}`,
  "profile.removed": (event) => `profile ${textIn(event, "name") ?? ""} was removed`,
  "price.set": () => "what a model costs was set",
  "price.removed": (event) => `the price of ${textIn(event, "model") ?? "a model"} was removed`,
  "model.requested": (event) => `asks ${textIn(event, "model") ?? "its model"}`,
  "model.answered": (event) => `got an answer of ${textIn(event, "model") ?? "its model"}${cost(event)}`,
  "model.refused": (event) => `may not ask its model: ${textIn(event, "what") ?? textIn(event, "code") ?? "no budget"}`,
  "task.added": (event) => `a task was written down: ${textIn(event, "title") ?? ""}`,
  "task.changed": (event) => `a task was changed: ${textIn(event, "title") ?? ""}`,
  "task.attached": (event) => `${nameOf(event, "attachment") || "something"} comes along with a task`,
  "task.detached": (event) => `${textIn(event, "name") ?? "something"} does not come along with a task any more`,
  "task.removed": () => "a task was removed",
  "task.cancelled": () => "a task was cancelled, and its runs end",
  "run.submitted": (event) => `was submitted: ${textIn(event, "title") ?? ""}`,
  "run.moved": tellMove,
  "run.claimed": () => "asks to be let in",
  "run.limited": () => "has a time limit",
  "run.lost": () => "lost its leases while its driver was away",
  "run.revived": () => "is back, as a new holder",
  "run.tested": (event) => `acceptance ${event["ok"] === false ? "failed" : "passed"}${summary(event)}`,
  "run.entered": (event) => `works in agent ${textIn(event, "agent") ?? ""}`,
  "run.placed": (event) =>
    event["fresh"] === true
      ? "begins in a fresh workspace: what it had built, and all else that is not tracked, is gone"
      : "goes on in the workspace that it left, in step with mainline",
  "run.stopped": () => "has no process left",
  "run.said": (event) => `says: ${textIn(event, "text") ?? ""}`,
  "run.asked": (event) => `${event["leave"] === undefined ? "asks" : "asks leave"}: ${textIn(event, "text") ?? ""}`,
  "run.answered": (event) =>
    event["allows"] === undefined
      ? `got the answer: ${textIn(event, "text") ?? ""}`
      : `${event["allows"] === true ? "got" : "did not get"} leave`,
  "run.messaged": (event) => `was told: ${textIn(event, "text") ?? ""}`,
  "run.heard": heard,
  "run.stuck": (event) => `seems stuck: ${textIn(event, "what") ?? ""}`,
  "run.escalated": (event) => `has waited for somebody for too long (${textIn(event, "kind") ?? ""})`,
  "run.delayed": (event) => `is tried again later: ${textIn(event, "what") ?? ""}`,
  "run.handed": (event) => `is taken over by ${textIn(event, "to") ?? ""}: ${textIn(event, "what") ?? ""}`,
  "run.seen": (event) =>
    toReason(`${event["undone"] === true ? "is back in the inbox, by" : "is off the inbox, seen by"} ${event.actor}`),
  "run.raised": (event) => toReason(`${tellRaised(event)} by ${event.actor}`),
  "warning.seen": (event) =>
    toReason(
      `warning ${textIn(event, "warning") ?? ""} ${event["undone"] === true ? "is back in the inbox, by" : "was seen by"} ${event.actor}`,
    ),
  "room.made": (event) => `${tellSpares(event["spares"])} went, because the disk ran low`,
  "outputs.forgotten": ({ because }) =>
    `what it said is gone: ${because === "age" ? "it was kept long enough" : "runs of the project had said too much"}`,
  "run.removed": () => "was taken off the lists",
  "call.queued": tellQueuedCall,
  "call.started": (event) => `begins to ${tool(event)}${forUnits(event)}`,
  "call.refused": (event) => `${tool(event)} was refused: ${textIn(event, "what") ?? textIn(event, "code") ?? ""}`,
  "call.finished": tellFinishedCall,
  "family.opened": () => "may hold units from now on",
  "family.moved": tellFamilyMove,
  "family.ended": (event) => `holds nothing any more: ${textIn(event, "why") ?? "over"}${freed(event)}`,
  "family.awaited": () => "waits for another run",
  "family.await-ended": () => "no longer waits for another run",
  "claim.queued": (event) => `waits for ${listUnits(textsIn(event, "units"))}${behind(event)}`,
  "claim.ended": (event) => `no longer waits: ${(textIn(event, "how") ?? "ended").replace("-", " ")}`,
  "lease.granted": tellGrant,
  "lease.ready": () => "has the newest of what it holds, and may go on",
  "lease.renewed": (event) => `${toMany(textsIn(event, "families").length, "holder")} renewed`,
  "lease.released": (event) => `gave back ${listUnits(textsIn(event, "units"))}`,
  "lease.shrunk": (event) => `gave back ${listUnits(textsIn(event, "gone"))}: nothing there waits to land`,
  "lease.yielded": (event) => `yielded ${listUnits(textsIn(event, "units"))}`,
  "paths.set-aside": (event) => `set aside ${listPaths(event, "works")}${colon(textIn(event, "why"))}`,
  "trash.purged": (event) => `${toMany(textsIn(event, "ids").length, "change")} purged from the trash`,
  "run.approved": (event) => `may land ${listPaths(event, "approved")}`,
  "landing.overtaken": () => "has to be tried again: somebody else changed mainline first",
  "landing.intended": (event) => `is about to become mainline${tested(event)}`,
  "run.landed": (event) => `landed ${listPaths(event, "entries")}${tested(event)}`,
  "run.conflicted": (event) => `met somebody else's change in ${listPaths(event, "conflicts")}`,
  "rewind.begun": (event) => `its workspace goes back to step ${numberIn(event, "step") ?? ""}`,
  "works.found": (event) => `has changed ${listPaths(event, "works")}`,
  "run.rewound": (event) =>
    `its workspace ${textIn(event, "refused") === undefined ? "went" : "could not go"} back to step ${numberIn(event, "step") ?? ""}${colon(textIn(event, "refused"))}`,
  "mainline.moved": () => "mainline moved by somebody's own commits",
  "mainline.published": tellPublished,
  "egress.tried": (event) =>
    `${textIn(event, "refused") === undefined ? "reached" : "could not reach"} ${host(event)}${colon(textIn(event, "refused"))}`,
  "egress.summed": (event) =>
    `${host(event)}: ${numberIn(event, "bytesOut") ?? 0} bytes out, ${numberIn(event, "bytesIn") ?? 0} in`,
  "terminal.opened": (event) => toReason(`a terminal was opened by ${event.actor}`),
  "terminal.ended": (event) => `a terminal was closed${colon(textIn(event, "message"))}`,
  "terminal.renamed": (event) => `its terminal is called ${textIn(event, "window") ?? ""}`,
  "terminal.forgotten": ({ because }) =>
    because === "person"
      ? "a person removed the recording of a terminal"
      : "the recording of a terminal was kept long enough, and is gone",
  "terminal.keyboard": (event) => {
    const words = new Map([
      ["asked", "asks for"],
      ["given", "was given"],
      ["taken", "has taken"],
    ]);
    return `${textIn(event, "name") ?? ""} ${words.get(textIn(event, "how") ?? "") ?? "has let go of"} the keyboard of its terminal`;
  },
  "agent.created": (event) => `agent ${textIn(event, "name") ?? ""} is to be made`,
  "agent.wished": (event) => `somebody wants it to ${textIn(event, "wish") ?? "change"}`,
  "agent.moved": (event) => `is ${textIn(event, "to") ?? "elsewhere"}${colon(textIn(event, "because"))}`,
  "agent.made": () => "has its place",
  "agent.ended": () => "has nothing that runs any more",
  "agent.renumbered": () => "has other ports, since some were in use",
  "agent.climbed": (event) => `${tellRung(event)}${colon(textIn(event, "what"))}`,
  "agent.reallocated": (event) => tellGiven(event),
  "agent.recovered": () => "was well for ten minutes",
  "agent.archived": () => "is archived, and its ports are free",
  "agent.restored": () => "is brought back from the archive",
  "agent.reloaded": () => "is made of what its template says now",
  "hook.begun": (event) => `its ${textIn(event, "hook") ?? ""} hook begins`,
  "assistant.called": () => "its assistant is being begun",
  "assistant.begun": (event) => `its assistant is ${textIn(event, "run") ?? ""}`,
  "assistant.failed": (event) => `its assistant could not be begun${colon(textIn(event, "because"))}`,
  "agent.joined": (event) => `is joined with ${textIn(event, "with") ?? ""}`,
  "agent.set-aside": (event) =>
    event["failed"] === undefined
      ? `${toMany(textsIn(event, "ids").length, "change")} in it went to the trash`
      : `its changes could not be kept in the trash${colon(textIn(event, "failed"))}`,
  "agent.refreshed": (event) => `its files are those of ${textIn(event, "commit")?.slice(0, 7) ?? "mainline"}`,
  "agent.parted": (event) => `is parted from ${textIn(event, "with") ?? ""}`,
  "hook.ended": (event) => `its ${textIn(event, "hook") ?? ""} hook ${event["ok"] === true ? "is done" : "failed"}`,
  "agent.removed": ({ recordings }) =>
    `is gone, and nothing of it is left${recordings === "kept" ? " but recordings" : ""}`,
  "service.wished": (event) =>
    textIn(event, "as") === undefined
      ? `${textIn(event, "service") ?? ""} was ${event["up"] === false ? "stopped" : "started"}`
      : `${textIn(event, "service") ?? ""} ${event["up"] === false ? "stands by from now on" : "stands in for an old one"}`,
  "service.outdated": (event) =>
    `${textIn(event, "service") ?? "a service"} ${event["outdated"] === false ? "goes on as it is" : "is to be begun anew"}${colon(textIn(event, "because"))}`,
  "service.scheduled": (event) =>
    `${textIn(event, "service") ?? "a service"} comes next at ${toDayTime(event["nextAtMs"])}`,
  "service.skipped": (event) =>
    `${textIn(event, "service") ?? "a service"} was not started at ${toDayTime(event["plannedAtMs"])}${colon(textIn(event, "because"))}`,
  "service.touched": (event) => `${filesIn(event)} changed, which ${textIn(event, "service") ?? "a service"} watches`,
  "service.moved": (event) =>
    `${textIn(event, "service") ?? "a service"} is ${textIn(event, "to") ?? "elsewhere"}${colon(textIn(event, "because"))}`,
  "service.failed": (event) =>
    `${textIn(event, "service") ?? "a service"} failed (${textIn(event, "failure") ?? ""})${colon(textIn(event, "what"))}`,
  "service.held": (event) =>
    `${textIn(event, "service") ?? "a service"} waits: ${textIn(event, "policy") ?? ""} lets ${numberIn(event, "max") ?? "only so many"} services be started again at once`,
  "service.judged": (event) =>
    `${textIn(event, "service") ?? "a service"} is ${event["healthy"] === false ? "not healthy" : "healthy"}${colon(textIn(event, "what"))}`,
  "unit.cleared": (event) =>
    `${listUnits([textIn(event, "unit") ?? ""])} is free, by ${textIn(event, "by") ?? "proof"}`,
};

function tellGiven(event: LogEvent): string {
  const whose = textIn(event, "service") ?? "it";
  const room = textIn(event, "room");
  if (room === "ports") return `${whose} gets other ports`;
  return room === "disk" ? "its temporary files are taken away" : `${whose} may take more memory`;
}

function tellRung(event: LogEvent): string {
  const rung = textIn(event, "rung");
  if (rung === "ask") return "needs somebody";
  if (rung === "reallocate") return "is given something else";
  return rung === "respawn" ? "has its place made anew" : "has everything begun anew";
}

/** A type that this release does not know is still shown, by its name. `names` are of those who work for an assistant. */
export function toSentence(event: LogEvent, names?: CallNames): string {
  return tellers[event.type]?.(event, names) ?? event.type.replaceAll(/[.-]/g, " ");
}

/** Every type that has its own words. */
export const knownTypes: readonly string[] = Object.keys(tellers).toSorted();

/** Whom it is about: a run, a holder outside or a project. */
export function subjectOf(event: LogEvent, holders: ReadonlyMap<string, string>): string | undefined {
  const family = textIn(event, "family");
  if (family === undefined) return textIn(event, "run");
  return textIn(event, "run") ?? textIn(event, "holder") ?? holders.get(family) ?? runOf(family);
}

/** What a run holds units as is called after it: r_1a.1. */
function runOf(family: string): string | undefined {
  return /^(r_[0-9a-z]+)[.]\d+$/.exec(family)?.[1];
}

function host(event: LogEvent): string {
  const name = textIn(event, "host") ?? "somebody";
  return name === "*" ? "other hosts" : `${name}:${numberIn(event, "port") ?? "?"}`;
}

function cost(event: LogEvent): string {
  const micros = numberIn(event, "costMicros");
  return micros === undefined ? "" : ` for ${showDollars(micros)}`;
}

/** A run that wants no unit more than it has is granted its slot alone. */
function tellGrant(event: LogEvent): string {
  const units = textsIn(event, "units");
  return units.length === 0 ? "was let in" : `holds ${listUnits(units)}${fences(event)}`;
}

function tellMove(event: LogEvent): string {
  const to = textIn(event, "to") ?? "";
  const word = to === "review" ? "in review" : isRunState(to) ? signals[to].word.toLowerCase() : to;
  const because = toReason(textIn(event, "because") ?? "");
  // "paused by eva" says the state itself.
  if (because.startsWith(`${word} by `)) return `is ${because}`;
  return because === "" ? `is ${word}` : `is ${word}: ${because}`;
}

/** A call that waits for nobody is let in with the next event. */
function tellQueuedCall(event: LogEvent): string {
  const waits = textIn(event, "claim") !== undefined || textIn(event, "other") !== undefined;
  const what = `${tool(event)}${forUnits(event)}`;
  return waits ? `${what} waits at the door` : `wants to ${what}`;
}

/** Most calls say themselves what they have done; then their name before it would say it twice. */
const didSomething = /^(?:wrote|edited|deleted|moved|read|listed|searched|slept|published|looked|started) /;
/** What the next call compares with is for programs, and stands in the event itself. */
const hashAtEnd = / \([0-9a-f]{12}\)$/;

export function withoutHash(summary: string): string {
  return summary.replace(hashAtEnd, "");
}

function tellFinishedCall(event: LogEvent): string {
  const said = withoutHash(textIn(event, "summary") ?? "");
  const isOk = event["ok"] !== false;
  if (isOk && said.startsWith("yours: ")) return `got what it claimed: ${listUnits(said.slice(7).split(", "))}`;
  if (isOk && didSomething.test(said)) return said;
  return `${tool(event)} ${isOk ? "done" : "failed"}${colon(said)}`;
}

function tellFamilyMove(event: LogEvent): string {
  const to = textIn(event, "to");
  if (to === "hold") return "keeps its leases as a hold";
  if (to === "paused") return "keeps its leases while paused";
  if (to === "landing") return "lands: its leases stand still";
  return "works under its leases again";
}

function tellPublished(event: LogEvent): string {
  const not = event["not"] as { why?: unknown } | null | undefined;
  if (not === null || not === undefined) return "mainline was brought to its branch";
  return `landed, not published${colon(typeof not.why === "string" ? not.why : undefined)}`;
}

function listPaths(event: LogEvent, field: string): string {
  const value = event[field];
  const items = Array.isArray(value) ? (value as readonly { path?: unknown }[]) : [];
  return listUnits(items.flatMap(({ path }) => (typeof path === "string" ? [`file:${path}`] : [])));
}

function filesIn(event: LogEvent): string {
  const paths = Array.isArray(event["paths"]) ? event["paths"].map(String) : [];
  return listUnits(paths.map((path) => `file:${path}`));
}

function tested(event: LogEvent): string {
  const word = textIn(event, "tested");
  return word === undefined ? "" : `, ${word === "passed" ? "its test passed" : word}`;
}

function colon(text: string | undefined): string {
  return text === undefined || text === "" ? "" : `: ${text}`;
}

function listUnits(units: readonly string[]): string {
  const [first, second] = units;
  if (first === undefined) return "nothing";
  if (second === undefined) return toShortUnit(first);
  return units.length === 2
    ? `${toShortUnit(first)}, ${toShortUnit(second)}`
    : `${toShortUnit(first)} +${units.length - 1}`;
}

function forUnits(event: LogEvent): string {
  const units = textsIn(event, "units");
  return units.length === 0 ? "" : ` ${listUnits(units)}`;
}

function fences(event: LogEvent): string {
  const highest = Math.max(0, ...numbersIn(event, "fences"));
  return highest === 0 ? "" : `, fence ${highest}`;
}

function behind(event: LogEvent): string {
  const value = event["behind"];
  const obstacles = Array.isArray(value) ? (value as readonly { holder?: unknown }[]) : [];
  const holders = [...new Set(obstacles.map(({ holder }) => holder))].filter((holder) => typeof holder === "string");
  return holders.length === 0 ? "" : `, behind ${holders.slice(0, 3).join(", ")}`;
}

function freed(event: LogEvent): string {
  const count = textsIn(event, "freed").length;
  return count === 0 ? "" : `, ${toMany(count, "unit")} freed`;
}

function tool(event: LogEvent): string {
  return textIn(event, "tool") ?? `step ${numberIn(event, "call") ?? ""}`;
}

function summary(event: LogEvent): string {
  return colon(textIn(event, "summary"));
}

/** The name of what was set or attached. */
function nameOf(event: LogEvent, field: string): string {
  const named = event[field] as { name?: unknown } | null | undefined;
  return typeof named?.name === "string" ? named.name : "";
}

/** What it said of itself, each thing in its words; what the door did for it has events of its own. */
function heard(event: LogEvent, names?: CallNames): string {
  const told = heardIn(event).flatMap((item) => {
    const sentence = tellHeard(item, names);
    return sentence === undefined ? [] : [item.is === "result" ? `${sentence}${colon(item.text.trim())}` : sentence];
  });
  return told.length === 0 ? "is at work" : told.join("; ");
}

/** As a clock in UTC shows it. */
function toDayTime(atMs: unknown): string {
  return typeof atMs === "number" ? `${new Date(atMs).toISOString().slice(0, 16).replace("T", " ")} UTC` : "some time";
}
