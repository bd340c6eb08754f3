// What needs a person, as the page knows it now, and in which order the overview has it: first what frees others, then what is
// overdue, then the oldest. There is one list for all who show or count it.

import type { InboxItem } from "../../protocol/wire/inbox.ts";
import type { Run } from "../../protocol/wire/run.ts";
import { reasonOf } from "./reason.ts";
import { asksLeave } from "./run-acts.ts";

export type Need = {
  readonly item: InboxItem;
  /** Runs that go on once this is answered. */
  readonly frees: number;
};

/**
 * The inbox as it was last read, brought up to what events have told since: a run that was answered is off it at once, and one that
 * asks is on it, before the daemon was asked again. Before the first answer, and in the past, it is what the runs themselves say.
 */
export function toCurrent(items: readonly InboxItem[] | null, runs: ReadonlyMap<string, Run>): readonly InboxItem[] {
  const left = (items ?? []).filter((item) => isStill(item, runs.get(item.run ?? "")));
  const known = new Set(left.map(({ run }) => run));
  const fresh: InboxItem[] = [];
  for (const run of runs.values()) {
    const kind = kindOf(run);
    if (kind !== null && !known.has(run.id)) fresh.push(toItem(run, kind));
  }
  if (fresh.length === 0 && left.length === items?.length) return items;
  return [...left, ...fresh.toSorted((a, b) => a.sinceMs - b.sinceMs)];
}

export function toNeeds(items: readonly InboxItem[], waiters: ReadonlyMap<string, number>): Need[] {
  const needs = items.map((item) => ({ item, frees: waiters.get(item.run ?? "") ?? 0 }));
  return needs.toSorted(
    (a, b) =>
      b.frees - a.frees ||
      Number(b.item.escalated) - Number(a.item.escalated) ||
      rankOf(a.item) - rankOf(b.item) ||
      a.item.sinceMs - b.item.sinceMs,
  );
}

/** What reviews are usually for; anything else is worth a line. */
const usualReason = "a policy asks for approval";

/** Why a run is in review, where that says more than that a person should look. */
export function reviewReasonOf(run: Run): string | null {
  return run.because === usualReason ? null : reasonOf(run);
}

/** Foresight can wait for what is so already. */
function rankOf({ kind }: InboxItem): number {
  return kind === "warning" || kind === "unpublished" || kind === "delayed" ? 1 : 0;
}

type OwnKind = "question" | "permission" | "review";

function isStill({ kind }: InboxItem, run: Run | undefined): boolean {
  if (run === undefined || !isOwnKind(kind)) return true;
  if (run.question === null && run.state === "awaiting-input") return kind !== "review";
  return kindOf(run) === kind;
}

function isOwnKind(kind: InboxItem["kind"]): kind is OwnKind {
  return kind === "question" || kind === "permission" || kind === "review";
}

/** An event tells first that a run asks, and what it asks is read a moment later: until then nobody knows what it needs. */
function kindOf(run: Run): OwnKind | null {
  if (run.state === "review") return "review";
  if (run.state !== "awaiting-input" || run.question === null) return null;
  return asksLeave(run) ? "permission" : "question";
}

function toItem(run: Run, kind: OwnKind): InboxItem {
  const { id, project, projectName, title, sinceMs, question, because } = run;
  const what = (kind === "review" ? because : question?.text) ?? "";
  const commands = {
    question: `answer ${id} TEXT`,
    permission: `allow ${id} --question ${question?.id ?? ""}`,
    review: `review ${id}`,
  };
  return {
    ...{ kind, id, canBeSeen: false, run: id, project, projectName, title, what, sinceMs },
    ...{ ageMs: 0, escalated: false, command: `signalbox ${commands[kind]}`, others: [] },
  };
}
