// Runs, tasks, projects, claims and policies for people.

import { showDollars } from "../../protocol/dollars.ts";
import { showScope } from "../../protocol/show-scope.ts";
import type { Claim } from "../../protocol/wire/claim.ts";
import type { Image } from "../../protocol/wire/image.ts";
import type { Policy } from "../../protocol/wire/policy.ts";
import type { Project } from "../../protocol/wire/project.ts";
import type { Run } from "../../protocol/wire/run.ts";
import type { Now } from "../now.ts";
import { showDuration, spellDuration } from "../text/duration.ts";
import { joinWords } from "../text/split-words.ts";
import type { Field } from "./fields-view.ts";
import { toSpendLine } from "./spend-view.ts";
import { toAgentText, toLimit } from "./waits-for.ts";

/** `tested` is the end of what its acceptance command wrote. */
export function toRunFields(run: Run, now: Now, tested: readonly string[] = []): Field[] {
  const ago = (atMs: number | null): string => (atMs === null ? "" : `${showDuration(now.since(atMs))} ago`);
  const { call, question } = run;
  return [
    ["run", run.id],
    ["title", run.title],
    ["state", `${run.state} for ${showDuration(now.since(run.sinceMs))}`],
    ["because", run.because],
    [(question?.leave ?? null) === null ? "asks" : "asks leave", question?.text.split("\n")],
    ["question", question?.id],
    ["project", `${run.projectName} (${run.project})`],
    ["task", run.task],
    ["wanted by", run.user === run.by ? run.by : `${run.by}, for ${run.user}`],
    ["scope", run.scope === null ? "" : showScope(run.scope)],
    ["runner", run.runner],
    ["profile", run.profile],
    ["node", run.node],
    ["agent", run.reuse === null ? run.agent : `${run.agent ?? ""} (by policy ${run.reuse})`],
    ["priority", String(run.priority)],
    ["tags", run.tags.join(", ")],
    ["plan", run.plan],
    ["after", run.dependsOn.join(", ")],
    ["parent", run.parent === null ? "" : `${run.parent}${run.sub ? ", under its leases" : ""}`],
    ["network", run.caged ? toEgressText(run.egress, run.egressPolicy) : "all of it: it has no cage"],
    ["image", run.image === null ? "" : toImageText(run.image)],
    ["retry of", run.retryOf],
    ["fork of", run.forkOf === null ? "" : `${run.forkOf.run}, from its step ${run.forkOf.step}`],
    ["submitted", ago(run.submittedAtMs)],
    ["started", ago(run.startedAtMs)],
    ["ended", ago(run.endedAtMs)],
    ["output", toOutputsGone(run, now)],
    ["time limit", toTimeLimit(run, now)],
    ["acceptance", toAcceptance(run, tested)],
    ["approval", toApproval(run)],
    ["holds", run.holds],
    ["waits behind", run.behind.join(", ")],
    ["waits for", run.waitsFor === null ? "" : `room under ${toLimit(run.waitsFor)}`],
    ["waits for", run.waitsForAgent === null ? "" : toAgentText(run.waitsForAgent)],
    [
      "step",
      call === null ? "" : `${call.number} ${call.tool} ${call.units.join(", ")}${call.started ? "" : " (waits)"}`,
    ],
    ["steps done", String(run.callsDone)],
    ["changes", run.changes],
    ["workspace at", shortCommit(run.commit)],
    ["landed as", run.landed],
    ["files changed", String(run.filesChanged)],
    ["bytes written", String(run.bytesWritten)],
    ["cost", run.spend.requests === 0 ? "" : toSpendLine(run.spend)],
    ["its own reckoning", run.ownCostMicros === null ? "" : showDollars(run.ownCostMicros)],
    ["with its tree", run.treeSpend.requests === run.spend.requests ? "" : toSpendLine(run.treeSpend)],
    ["tried again", toDelay(run, now)],
    ["took over", run.handed === null ? "" : `from ${run.handed.from}: ${run.handed.failure}`],
    ["failure", run.failure],
    [
      "no model",
      run.modelRefused === null
        ? ""
        : `${run.modelRefused.what}, by ${run.modelRefused.policy.startsWith("profile ") ? "" : "policy "}${run.modelRefused.policy}`,
    ],
  ];
}

/** How much of the network it is, and who allows no more. */
export function toEgressText(kind: Run["egress"], policy: string | null): string {
  const texts = { none: "no network", list: "the hosts of an allow-list", open: "every public host" };
  return `${texts[kind]}${policy === null ? "" : `, by policy ${policy}`}`;
}

export function toImageText(image: Image): string {
  return "name" in image ? image.name : `built from ${image.dockerfile}`;
}

/** Why nobody can read any more what it said. */
function toOutputsGone({ outputsGone: gone }: Run, now: Now): string {
  if (gone === null) return "";
  const why = gone.because === "age" ? "it was kept long enough" : "runs of the project had said too much";
  return `what it said went ${showDuration(now.since(gone.atMs))} ago: ${why}`;
}

function toDelay({ delay }: Run, now: Now): string {
  if (delay === null) return "";
  const when = `in ${showDuration(now.until(delay.untilMs))}`;
  // None of its tries, where a limit was raised.
  return delay.attempt === 0
    ? when
    : `${when}, ${delay.attempt} of ${delay.attemptsMax} times, by policy ${delay.policy}`;
}

function shortCommit(commit: string | null): string {
  return commit === null ? "" : commit.slice(0, 12);
}

function toTimeLimit({ limitAtMs, limitPolicy }: Run, now: Now): string {
  if (limitPolicy === null) return "";
  return `${limitAtMs === null ? "" : `in ${showDuration(now.until(limitAtMs))}, `}by policy ${limitPolicy}`;
}

function toAcceptance({ tested }: Run, lines: readonly string[]): string[] {
  if (tested === null) return [];
  return [tested.ok ? "passed" : `failed: its command ended with ${tested.exit}`, ...lines.map((line) => `| ${line}`)];
}

function toApproval({ state, approvalPolicy, approvedBy }: Run): string {
  if (approvalPolicy === null) return approvedBy === null ? "" : `given by ${approvedBy}`;
  if (approvedBy !== null) return `asked for by policy ${approvalPolicy}, given by ${approvedBy}`;
  return state === "done" || state === "landing"
    ? `not needed, by policy ${approvalPolicy}`
    : `asked for by policy ${approvalPolicy}`;
}

export function toClaimFields(claim: Claim, now: Now): Field[] {
  return [
    ["claim", claim.claim],
    ["state", claim.state],
    ["because", claim.message],
    ["code", claim.code],
    ["holder", claim.holder],
    ["family", claim.family],
    ["project", claim.project],
    ["units", claim.units.map((unit) => withFence(unit, claim.fences[unit]))],
    ["priority", String(claim.priority)],
    ["expires", claim.expiresAtMs === null ? "" : `in ${showDuration(now.until(claim.expiresAtMs))}`],
    [
      "behind",
      claim.behind.map(
        ({ holder, unit, by }) => `${holder} for ${unit}${by === "lease" ? "" : ", ahead in the queue"}`,
      ),
    ],
  ];
}

export function toProjectFields(project: Project): Field[] {
  return [
    ["project", project.id],
    ["name", project.name],
    ["folder", project.root],
    ["branch", project.kind === "git" ? project.branch : `${project.branch}, kept by Signalbox alone`],
    ["mainline", shortCommit(project.mainline)],
    ["published", toPublished(project)],
    ["test", toTest(project)],
    ["lands on", project.landingBranch === null ? "" : `${project.landingBranch}, for you to push`],
    ["message", project.landingMessage === null ? "" : project.landingMessage.split("\n")],
    [
      "derived",
      [
        ...project.derived.map(({ paths, command }) => `${paths.join(", ")}: ${joinWords(command)}`),
        ...(project.derivedNetwork ? ["with what is on the allow-list of the network"] : []),
      ],
    ],
    ["case", project.foldCase ? "names that differ only in case are the same file" : "case matters"],
    [
      "network",
      [toEgressText(project.egress.kind, null), ...(project.egress.kind === "none" ? [] : project.egress.allow)],
    ],
    ["kept warm", Object.entries(project.warm).map(([lock, folder]) => `${folder} beside ${lock}`)],
    ["image", project.image === null ? "" : toImageText(project.image)],
    ["processes", toProcessLines(project)],
  ];
}

function toTest({ landingTest, testTimeMs }: Project): string {
  if (landingTest === null) return "none: results land untested";
  return `${joinWords(landingTest)} (within ${spellDuration(testTimeMs)})`;
}

/** How far the person's branch has come, and why no further. */
function toPublished({ mainline, published, notPublished }: Project): string[] {
  if (notPublished === null) return [published === mainline ? "all of it" : shortCommit(published)];
  return [`${shortCommit(published)}; nothing newer: ${notPublished.why}`, `to get it: ${notPublished.how}`];
}

export function toProcessLines(project: Project): string[] {
  return Object.entries(project.processes).map(
    ([name, { argv, scope }]) => `${name}${scope === "agent" ? "@agent" : ""}=${joinWords(argv)}`,
  );
}

export function toPolicyFields(policy: Policy): Field[] {
  return [
    ["policy", policy.name],
    ["priority", String(policy.priority)],
    ["enabled", policy.enabled ? "yes" : "no"],
    ["speaks of", toScope(policy)],
    ["rules", toRules(policy)],
  ];
}

export function toScope({ scope }: Policy): string {
  const parts = Object.entries(scope).flatMap(([name, value]) => (value === undefined ? [] : [`${name} ${value}`]));
  return parts.length === 0 ? "all runs" : parts.join(", ");
}

export function toRules({ rules }: Policy): string[] {
  return Object.entries(rules).flatMap(([name, value]) => {
    if (value === undefined) return [];
    if (value === null) return [`${name}: forever`];
    if (typeof value === "number" && name.endsWith("Ms")) return [`${name.slice(0, -2)}: ${spellDuration(value)}`];
    if (typeof value === "number" && name.endsWith("CostMicros"))
      return [`${name.slice(0, -6)}: ${showDollars(value)}`];
    return [`${name}: ${Array.isArray(value) ? value.join(", ") : String(value)}`];
  });
}

function withFence(unit: string, fence: number | undefined): string {
  return fence === undefined ? unit : `${unit} (fence ${fence})`;
}
