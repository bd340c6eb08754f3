// Every event in a sentence. Unknown types are shown by their fields, so that nothing is ever hidden.

import { toSize } from "../text/size.ts";
import { heardIn } from "../../protocol/heard.ts";
import { tellRaised } from "../../protocol/held-by.ts";
import { tellSpares } from "../../protocol/tell-spares.ts";
import { tellHeard } from "../../protocol/tell-heard.ts";
import type { LogEvent } from "../../protocol/wire/log-event.ts";
import { showDollars } from "../../protocol/dollars.ts";
import { showDuration } from "../text/duration.ts";
import { toSafeLine } from "../text/safe-text.ts";
import { egressReason } from "../../protocol/egress-reasons.ts";
import { enumerate, listOf, recordsOf, textOf } from "./event-fields.ts";

type Describe = (event: LogEvent) => string;

const units: Describe = (event) => enumerate(listOf(event, "units"));
const reason: Describe = (event) => (textOf(event, "because") === "" ? "" : ` (${textOf(event, "because")})`);
const policy: Describe = (event) => (textOf(event, "policy") === "" ? "" : `, by policy ${textOf(event, "policy")}`);
const call: Describe = (event) => `step ${textOf(event, "call")} ${textOf(event, "tool")}`;

const sentences: Readonly<Record<string, Describe>> = {
  "engine.opened": (e) => `the daemon took up the log (version ${textOf(e, "version")})`,
  "project.added": (e) => `project ${textOf(e, "name")} at ${textOf(e, "root")}`,
  "project.changed": (e) => `project ${textOf(e, "project")} changed`,
  "project.removed": (e) => `project ${textOf(e, "project")} removed`,
  "policy.set": (e) => `policy ${nameOf(e, "policy")} set`,
  "policy.removed": (e) => `policy ${textOf(e, "name")} removed`,
  "profile.set": (e) => `profile ${nameOf(e, "profile")} set`,
  "runner.set": (e) => `runner ${nameOf(e, "runner")} defined`,
  "runner.removed": (e) => `runner ${textOf(e, "name")} removed`,
  "preset.set": (e) =>
    `${textOf(e, "preset")} means ${textOf(e, "model") || "what is built in"} to ${textOf(e, "runner")}`,
  "profile.removed": (e) => `profile ${textOf(e, "name")} removed`,
  "price.set": (e) => `price of ${modelOfPrice(e)} set`,
  "price.removed": (e) => `price of ${textOf(e, "model")} removed`,
  "model.requested": (e) => `asks ${textOf(e, "model")} (${reserved(e)})`,
  "model.answered": (e) =>
    `${textOf(e, "model")} answered${extent(e)}: ${tokens(e)} tokens, ${amount(e, "costMicros")}`,
  "model.refused": (e) => `may not ask ${textOf(e, "model")}: ${textOf(e, "code")} (${textOf(e, "what")})${policy(e)}`,
  "task.added": (e) => `task ${textOf(e, "task")}: ${textOf(e, "title")}`,
  "task.changed": (e) => `task ${textOf(e, "task")} changed: ${textOf(e, "title")}`,
  "task.attached": (e) => `task ${textOf(e, "task")}: ${nameOf(e, "attachment")} comes along`,
  "task.detached": (e) => `task ${textOf(e, "task")}: ${textOf(e, "name")} does not come along any more`,
  "task.removed": (e) => `task ${textOf(e, "task")} removed`,
  "task.cancelled": (e) => `task ${textOf(e, "task")} cancelled`,
  "run.submitted": (e) => `submitted: ${textOf(e, "title")} (runner ${textOf(e, "runner")}${planOf(e)})`,
  "run.moved": (e) => `${textOf(e, "from")} → ${textOf(e, "to")}${reason(e)}${policy(e)}`,
  "run.claimed": (e) => `asks to go on (${textOf(e, "claim")})`,
  "run.limited": (e) => `its time is limited${policy(e)}`,
  "run.lost": () => "its driver fell silent and its leases expired",
  "run.revived": (e) => `came back as ${textOf(e, "family")}`,
  "run.tested": (e) => `acceptance ${e["ok"] === true ? "passed" : "failed"}${exitOf(e)}`,
  "run.entered": (e) => `works in agent ${String(e["agent"])}`,
  "run.placed": (e) =>
    e["fresh"] === true
      ? "begins in a fresh workspace: what it had built, and all else that is not tracked, is gone"
      : "goes on in the workspace that it left, in step with mainline",
  "run.stopped": () => "none of its processes is left",
  "run.said": (e) => `says: ${textOf(e, "text")}`,
  "run.asked": (e) => `${e["leave"] === undefined ? "asks" : "asks leave"}: ${textOf(e, "text")}`,
  "run.answered": (e) =>
    e["allows"] === undefined ? `is answered: ${textOf(e, "text")}` : e["allows"] === true ? "is allowed" : "is denied",
  "run.messaged": (e) => `is told: ${textOf(e, "text")}`,
  "run.heard": (e) => heardOf(e),
  "run.stuck": (e) => `seems stuck: ${textOf(e, "what")}${policy(e)}`,
  "run.escalated": (e) => `has waited for somebody for too long (${textOf(e, "kind")})${policy(e)}`,
  "run.delayed": (e) =>
    `is tried again in ${showDuration(Number(e["untilMs"]) - e.atMs)}${e["attempt"] === 0 ? "" : `, ${textOf(e, "attempt")} of ${textOf(e, "attemptsMax")} times`}: ${textOf(e, "what")}${policy(e)}`,
  "run.handed": (e) => `${textOf(e, "to")} takes over from ${textOf(e, "from")}: ${textOf(e, "what")}`,
  "run.seen": (e) => `${e["undone"] === true ? "back in the inbox, by" : "seen by"} ${e.actor}`,
  "run.raised": (e) => `${tellRaised(e)} by ${e.actor}`,
  "warning.seen": (e) =>
    `warning ${textOf(e, "warning")} ${e["undone"] === true ? "back in the inbox, by" : "seen by"} ${e.actor}`,
  "room.made": (e) =>
    `the disk ran low: ${tellSpares(e["spares"])} went, ${toSize(Number(e["freeBytes"]))} are free now`,
  "outputs.forgotten": (e) =>
    `what it said is gone, ${toSize(Number(e["bytes"]))}: ${e["because"] === "age" ? "it was kept long enough" : "runs of the project had said too much"}`,
  "run.removed": () => "taken off the lists",
  "call.queued": (e) => `${call(e)} ${waitsAtDoor(e) ? "waits" : "comes to the door"}${forWhat(e)}`,
  "call.started": (e) => `${call(e)} ${units(e)}`.trimEnd(),
  "call.refused": (e) => `${call(e)} refused as ${textOf(e, "code")}: ${textOf(e, "what")}${policy(e)}`,
  "call.finished": (e) => `${call(e)} ${e["ok"] === true ? "done" : "failed"}${exitOf(e)}`,
  "family.opened": (e) => `${textOf(e, "holder")} may hold units as ${textOf(e, "family")}`,
  "family.moved": (e) => `leases of ${textOf(e, "family")} are now ${textOf(e, "to")}`,
  "family.ended": (e) => `${textOf(e, "family")} is over (${textOf(e, "why")})${freed(e)}`,
  "family.awaited": (e) => `${textOf(e, "family")} waits for ${textOf(e, "other")}`,
  "family.await-ended": (e) => `${textOf(e, "family")} no longer waits for ${textOf(e, "other")}`,
  "claim.queued": (e) => `${textOf(e, "claim")} waits for ${units(e)}${behind(e)}`,
  "claim.ended": (e) => `${textOf(e, "claim")} ended without a grant: ${textOf(e, "how")}`,
  "lease.granted": (e) => `${textOf(e, "claim")} granted${granted(e)}`,
  "lease.ready": (e) => `${textOf(e, "claim")} is in step`,
  "lease.renewed": (e) => `renewed for ${enumerate(listOf(e, "families"))}`,
  "lease.released": (e) => `${textOf(e, "family")} gave back ${units(e)}`,
  "lease.shrunk": (e) =>
    `${textOf(e, "family")} gave back ${enumerate(listOf(e, "gone"))}: nothing there waits to land`,
  "lease.yielded": (e) => `${textOf(e, "family")} yielded ${units(e)} to ${textOf(e, "to")}`,
  "paths.set-aside": (e) => `set aside ${enumerate(pathsOf(e, "works"))}: ${textOf(e, "why")}`,
  "trash.purged": (e) => `${enumerate(listOf(e, "ids"))} purged from the trash`,
  "run.approved": (e) => `may land ${enumerate(pathsOf(e, "approved"))}`,
  "landing.overtaken": (e) => `did not become mainline as ${short(e, "candidate")}: somebody else was first`,
  "landing.intended": (e) => `about to become mainline as ${short(e, "candidate")} (${textOf(e, "tested")})`,
  "run.landed": (e) =>
    `landed as ${short(e, "commit")}: ${enumerate(pathsOf(e, "entries"))} (${textOf(e, "tested")})${merged(e)}`,
  "run.conflicted": (e) => `met somebody else's change in ${enumerate(pathsOf(e, "conflicts"))}`,
  "rewind.begun": (e) => `its workspace goes back to step ${textOf(e, "step")}`,
  "works.found": (e) => `has changed ${enumerate(pathsOf(e, "works"))}`,
  "run.rewound": (e) =>
    textOf(e, "refused") === ""
      ? `its workspace is as it was after step ${textOf(e, "step")}`
      : `its workspace could not go back to step ${textOf(e, "step")}: ${textOf(e, "refused")}`,
  "mainline.moved": (e) => `mainline moved to ${short(e, "to")} by somebody's own commits`,
  "mainline.published": (e) =>
    e["not"] === null ? `published ${short(e, "commit")}` : `landed, not published: ${notWhy(e)}`,
  "egress.tried": (e) =>
    textOf(e, "refused") === ""
      ? `reached ${target(e)} ${textOf(e, "tenant") === "" ? `at ${textOf(e, "address")}` : `as the profile of ${textOf(e, "tenant")} lets it`}`
      : `could not reach ${target(e)}: ${egressReason(textOf(e, "refused"))}`,
  "egress.summed": (e) => `${target(e)}: ${textOf(e, "bytesOut")} bytes out, ${textOf(e, "bytesIn")} in${further(e)}`,
  "terminal.opened": (e) => `${textOf(e, "terminal")} was opened by ${e.actor}`,
  "terminal.ended": (e) =>
    textOf(e, "why") === "ended"
      ? `${textOf(e, "terminal")} ended with ${textOf(e, "exit")}`
      : `${textOf(e, "terminal")}: ${textOf(e, "why")}${textOf(e, "message") === "" ? "" : `, ${textOf(e, "message")}`}`,
  "terminal.renamed": (e) => `${textOf(e, "terminal")} is called ${textOf(e, "window")}`,
  "terminal.forgotten": (e) =>
    textOf(e, "because") === "person"
      ? `the recording of ${textOf(e, "terminal")} is gone: a person removed it`
      : `the recording of ${textOf(e, "terminal")} is gone, for its ${textOf(e, "because")}`,
  "terminal.keyboard": (e) =>
    `${textOf(e, "name")} ${keyboardWords[textOf(e, "how")] ?? ""} the keyboard of ${textOf(e, "terminal")}`,
  "agent.created": (e) => `agent ${textOf(e, "name")} is to be made`,
  "agent.wished": (e) => `somebody wants it to ${wishWords[textOf(e, "wish")] ?? "change"}`,
  "agent.moved": (e) => `${textOf(e, "from")} → ${textOf(e, "to")}${reason(e)}`,
  "agent.made": () => "its place is there",
  "agent.ended": () => "nothing of it runs any more",
  "agent.renumbered": () => "ports of it were in use, and it has others",
  "agent.climbed": (e) => `${rungWords[textOf(e, "rung")] ?? "the next rung"}${after(textOf(e, "what"))}`,
  "agent.reallocated": (e) => given(e),
  "agent.recovered": () => "was well for ten minutes",
  "agent.archived": () => "is archived, and its ports are free",
  "agent.restored": () => "is brought back from the archive",
  "agent.reloaded": () => "is made of what its template says now",
  "hook.begun": (e) => `its ${textOf(e, "hook")} hook begins`,
  "assistant.called": () => "its assistant is being begun",
  "assistant.begun": (e) => `its assistant is ${textOf(e, "run")}`,
  "assistant.failed": (e) => `its assistant could not be begun: ${textOf(e, "because")}`,
  "agent.joined": (e) => `is joined with ${textOf(e, "with")}`,
  "agent.set-aside": (e) =>
    e["failed"] === undefined
      ? `what was changed in it is in the trash: ${enumerate(listOf(e, "ids"))}`
      : `what was changed in it could not be kept in the trash: ${textOf(e, "failed")}`,
  "agent.refreshed": (e) => `its files were brought to ${textOf(e, "commit").slice(0, 7)}`,
  "agent.parted": (e) => `is parted from ${textOf(e, "with")}`,
  "hook.ended": (e) => `its ${textOf(e, "hook")} hook ${e["ok"] === true ? "is done" : "failed"}`,
  "agent.removed": (e) =>
    `is gone, and nothing of it is left${textOf(e, "recordings") === "kept" ? " but recordings" : ""}`,
  "service.wished": (e) =>
    e["as"] === undefined
      ? `somebody ${e["up"] === true ? "started" : "stopped"} ${textOf(e, "service")}`
      : `${textOf(e, "service")} ${e["up"] === true ? "stands in for an old one" : "stands by from now on"}`,
  "service.outdated": (e) =>
    `${textOf(e, "service")} ${e["outdated"] === true ? "is to be begun anew" : "goes on as it is"}${reason(e)}`,
  "service.scheduled": (e) => `${textOf(e, "service")} comes next at ${toDayTime(e["nextAtMs"])}`,
  "service.skipped": (e) => `${textOf(e, "service")} was not started at ${toDayTime(e["plannedAtMs"])}${reason(e)}`,
  "service.touched": (e) =>
    `${listOf(e, "paths")[0] ?? "a file"}${Number(e["count"]) > 1 ? ` and ${Number(e["count"]) - 1} more` : ""} changed, which ${textOf(e, "service")} watches`,
  "service.moved": (e) => `${textOf(e, "service")} ${textOf(e, "from")} → ${textOf(e, "to")}${reason(e)}`,
  "service.failed": (e) => `${textOf(e, "service")} failed (${textOf(e, "failure")})${after(textOf(e, "what"))}`,
  "service.held": (e) =>
    `${textOf(e, "service")} waits: ${textOf(e, "policy")} lets ${textOf(e, "max")} services be started again at once`,
  "service.judged": (e) =>
    `${textOf(e, "service")} is ${e["healthy"] === true ? "" : "not "}healthy${after(textOf(e, "what"))}`,
  "unit.cleared": (e) => `${textOf(e, "unit")} is free again (${textOf(e, "by")})`,
};

const wishWords: Readonly<Record<string, string>> = {
  run: "run",
  stop: "stop",
  archive: "be archived",
  remove: "be gone",
};

const rungWords: Readonly<Record<string, string>> = {
  recreate: "everything of it is begun anew",
  reallocate: "it is given something else",
  respawn: "its place is made anew",
  ask: "needs somebody",
};

function given(event: LogEvent): string {
  const whose = textOf(event, "service") === "" ? "it" : textOf(event, "service");
  if (textOf(event, "room") === "ports") return `${whose} gets other ports`;
  if (textOf(event, "room") === "disk") return "its temporary files are taken away";
  return `${whose} may take ${toSize(Number(event["memoryBytes"] ?? 0))} of memory now`;
}

function after(text: string): string {
  return text === "" ? "" : `: ${text}`;
}

const keyboardWords: Readonly<Record<string, string>> = {
  asked: "asks for",
  given: "was given",
  taken: "has taken",
  freed: "has let go of",
};

const envelope: ReadonlySet<string> = new Set(["seq", "atMs", "type", "v", "cause", "actor"]);

export function describeEvent(event: LogEvent): string {
  const describe = Object.hasOwn(sentences, event.type) ? sentences[event.type] : undefined;
  if (describe !== undefined) return describe(event);
  const fields = Object.entries(event).filter(([name]) => !envelope.has(name));
  return toSafeLine(fields.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(" "));
}

/** What it is about, for the column in front. */
export function subjectOf(event: LogEvent): string {
  for (const field of ["run", "agent", "task", "claim", "family", "project", "name"]) {
    const id = textOf(event, field);
    if (id !== "") return id;
  }
  return "";
}

/** What it said of itself; what the door did for it has events of its own. */
function heardOf(event: LogEvent): string {
  const told = heardIn(event).flatMap((item) => tellHeard(item) ?? []);
  return told.length === 0 ? "went on" : toSafeLine(told.join("; "));
}

function target(event: LogEvent): string {
  return textOf(event, "host") === "*" ? "other hosts" : `${textOf(event, "host")}:${textOf(event, "port")}`;
}

function further(event: LogEvent): string {
  const counts = [
    [event["connections"], "more connections"],
    [event["refusals"], "more refusals"],
  ].filter(([count]) => count !== 0);
  return counts.map(([count, what]) => `, ${String(count)} ${String(what)}`).join("");
}

function pathsOf(event: LogEvent, field: string): string[] {
  return recordsOf(event, field).map((each) => toSafeLine(String(each["path"])));
}

function short(event: LogEvent, field: string): string {
  return textOf(event, field).slice(0, 12);
}

function merged(event: LogEvent): string {
  const paths = listOf(event, "merged");
  return paths.length === 0 ? "" : `, merged with newer work in ${enumerate(paths)}`;
}

function notWhy(event: LogEvent): string {
  const { not } = event as { not?: { why?: unknown } };
  return typeof not?.why === "string" ? toSafeLine(not.why) : "";
}

function planOf(event: LogEvent): string {
  const plan = listOf(event, "plan");
  return plan.length === 0 ? "" : `, plan ${enumerate(plan)}`;
}

/** A call that only needs what it has goes through in the same step. */
function waitsAtDoor(event: LogEvent): boolean {
  return textOf(event, "claim") !== "" || textOf(event, "other") !== "";
}

function forWhat(event: LogEvent): string {
  const other = textOf(event, "other");
  if (other !== "") return ` for ${other}`;
  return listOf(event, "units").length === 0 ? "" : ` for ${units(event)}`;
}

function behind(event: LogEvent): string {
  const holders = new Set(recordsOf(event, "behind").map(({ holder }) => toSafeLine(String(holder))));
  return holders.size === 0 ? "" : ` behind ${enumerate([...holders])}`;
}

function granted(event: LogEvent): string {
  const fences = listOf(event, "fences");
  if (fences.length === 0) return "";
  return `: ${units(event)} (${fences.length === 1 ? "fence" : "fences"} ${enumerate(fences)})`;
}

function freed(event: LogEvent): string {
  const free = listOf(event, "freed");
  const closed = listOf(event, "quarantined");
  return `${free.length === 0 ? "" : `; free: ${enumerate(free)}`}${closed.length === 0 ? "" : `; closed until proven dead: ${enumerate(closed)}`}`;
}

function exitOf(event: LogEvent): string {
  const exit = event["exit"];
  return exit === null || exit === undefined || exit === 0 ? "" : ` with exit ${textOf(event, "exit")}`;
}

/** The name of a policy or profile that was set. */
function nameOf(event: LogEvent, field: string): string {
  const name = (event[field] as { name?: unknown } | null)?.name;
  return typeof name === "string" ? toSafeLine(name) : "";
}

function modelOfPrice(event: LogEvent): string {
  const { price } = event;
  return typeof price === "object" && price !== null && "model" in price ? toSafeLine(String(price.model)) : "?";
}

function amount(event: LogEvent, field: string): string {
  const micros = event[field];
  return typeof micros === "number" ? showDollars(micros) : "cost unknown";
}

function reserved(event: LogEvent): string {
  return event["reservedMicros"] === null ? "its price is unknown" : `at most ${amount(event, "reservedMicros")}`;
}

function extent(event: LogEvent): string {
  const how = textOf(event, "extent");
  return how === "whole" ? "" : how === "none" ? " with an error" : ` (${how})`;
}

function tokens(event: LogEvent): number {
  const fields = ["inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens"];
  return fields.reduce((sum, field) => sum + Number(event[field] ?? 0), 0);
}

/** As a clock in UTC shows it. */
function toDayTime(atMs: unknown): string {
  return typeof atMs === "number" ? `${new Date(atMs).toISOString().slice(0, 16).replace("T", " ")} UTC` : "some time";
}
