// What each kind of thing that needs a person looks like, and how an item is told from the others.

import type { InboxItem } from "../../protocol/wire/inbox.ts";
import type { IconName } from "../parts/icon-shapes.tsx";
import type { ActName } from "./run-acts.ts";
import { toShell } from "./shell-text.ts";
import type { Tone } from "./signals.ts";

export type InboxKind = InboxItem["kind"];

type KindLook = {
  readonly word: string;
  /** Of several. */
  readonly words: string;
  readonly icon: IconName;
  readonly tone: Tone;
  /** What is offered in place, of what can be done to its run. */
  readonly acts: readonly ActName[];
};

/** In the order in which they are counted above the list. */
export const inboxLooks: Readonly<Record<InboxKind, KindLook>> = {
  question: { word: "Question", words: "Questions", icon: "awaiting", tone: "you", acts: ["stop"] },
  permission: {
    word: "Permission",
    words: "Permissions",
    icon: "permission",
    tone: "you",
    acts: ["allow", "deny"],
  },
  review: {
    word: "Review",
    words: "Reviews",
    icon: "review",
    tone: "you",
    acts: ["approve", "return", "reject"],
  },
  failure: { word: "Failure", words: "Failures", icon: "failed", tone: "stop", acts: ["retry"] },
  agent: { word: "Agent", words: "Agents", icon: "agents", tone: "stop", acts: [] },
  stuck: {
    word: "Stuck",
    words: "Stuck",
    icon: "stuck",
    tone: "stop",
    acts: ["steer", "interrupt", "pause", "resume", "stop"],
  },
  delayed: {
    word: "Waits for its model",
    words: "Wait for a model",
    icon: "clock",
    tone: "wait",
    acts: ["pause", "stop"],
  },
  closed: { word: "Closed unit", words: "Closed units", icon: "held", tone: "stop", acts: [] },
  budget: { word: "Budget", words: "Budgets", icon: "budget", tone: "stop", acts: ["stop"] },
  warning: { word: "Warning", words: "Warnings", icon: "guarded", tone: "wait", acts: [] },
  unpublished: {
    word: "Not published",
    words: "Not published",
    icon: "landing",
    tone: "wait",
    acts: [],
  },
};

/** What is no act on a run: the key that does it, and what its button says. */
export const ownAct = {
  budget: { key: "A", label: "Raise the limit…" },
  /** Of a budget, where a model has none. */
  price: { key: "A", label: "Give its model a price…" },
  closed: { key: "C", label: "Clear it…" },
} as const;

export function isInboxKind(text: string | null): text is InboxKind {
  return text !== null && Object.hasOwn(inboxLooks, text);
}

/** One run may need somebody for several reasons. */
export function keyOfItem({ kind, id }: InboxItem): string {
  return `${kind} ${id}`;
}

export function countKinds(items: readonly InboxItem[]): ReadonlyMap<InboxKind, number> {
  const counts = new Map<InboxKind, number>();
  for (const { kind } of items) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

export function toInboxCommand(project: string | null, kind: InboxKind | null): string {
  return `signalbox inbox${project === null ? "" : ` --project ${toShell(project)}`}${kind === null ? "" : ` --kind ${kind}`}`;
}
