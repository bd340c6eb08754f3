// For how long recordings are kept. Policies say so for a project, by days and by bytes; those that a model may set do not
// count, or it could have what people did forgotten.

import { agentSubject } from "../egress/egress.ts";
import { applicable, defaultRules, ruleFor } from "../policy/policy.ts";
import type { State } from "../state.ts";
import { compareIds } from "../step.ts";
import type { Terminal, TerminalForgotten, TerminalPlace } from "./terminal-events.ts";
import { isAwaited } from "./agent-terminals.ts";
import { ownerId } from "./windows.ts";

export type ToForget = Pick<TerminalForgotten, "terminal" | "because">;

/** Each machine keeps its own. */
type Place = Pick<TerminalPlace, "project" | "node">;
type Kept = { readonly days: number; readonly bytes: number };

const dayMs = 86_400_000;

/** Recordings that are kept no longer, with these sizes, the oldest first (TM20). */
export function recordingsToForget(state: State, bytesOf: ReadonlyMap<string, number>, nowMs: number): ToForget[] {
  const places = new Map<string, { readonly of: Place; readonly terminals: Terminal[] }>();
  for (const terminal of state.terminals.values()) {
    const of = terminal.place;
    const key = `${of.project} ${of.node}`;
    const place = places.get(key) ?? { of, terminals: [] };
    place.terminals.push(terminal);
    places.set(key, place);
  }
  return [...places.values()].flatMap(({ of, terminals }) => {
    const { days, bytes } = keptOf(state, of);
    const sizeOf = ({ id }: Terminal): number => bytesOf.get(id) ?? 0;
    let total = terminals.reduce((sum, terminal) => sum + sizeOf(terminal), 0);
    const oldestFirst = terminals.filter(isOver).toSorted((a, b) => compareIds(a.id, b.id));
    const isOld = ({ ended }: Terminal): boolean => nowMs - (ended?.atMs ?? nowMs) > days * dayMs;
    const old = oldestFirst.filter(isOld);
    const tooLarge = new Set<string>();
    total -= old.reduce((sum, terminal) => sum + sizeOf(terminal), 0);
    const kept = new Shares(
      terminals.filter((each) => !old.includes(each)),
      sizeOf,
    );
    for (let next = kept.next(); total > bytes && next !== undefined; next = kept.next()) {
      total -= sizeOf(next);
      tooLarge.add(next.id);
    }
    return oldestFirst.flatMap((terminal): ToForget[] => {
      if (isOld(terminal)) return [{ terminal: terminal.id, because: "age" }];
      return tooLarge.has(terminal.id) ? [{ terminal: terminal.id, because: "size" }] : [];
    });
  });
}

/** What each agent and run has of all recordings: whoever has most makes room first, so that a flood pushes out nobody else's. */
class Shares {
  readonly #bytes = new Map<string, number>();
  readonly #over = new Map<string, Terminal[]>();
  readonly #sizeOf: (terminal: Terminal) => number;

  constructor(terminals: readonly Terminal[], sizeOf: (terminal: Terminal) => number) {
    this.#sizeOf = sizeOf;
    for (const terminal of terminals) {
      const owner = ownerId(terminal.owner);
      this.#bytes.set(owner, (this.#bytes.get(owner) ?? 0) + sizeOf(terminal));
      // What is empty makes no room, and what is open stays.
      if (!isOver(terminal) || sizeOf(terminal) === 0) continue;
      this.#over.set(owner, [...(this.#over.get(owner) ?? []), terminal]);
    }
    for (const all of this.#over.values()) all.sort((a, b) => compareIds(a.id, b.id));
  }

  /** The oldest of whoever has most, of those that have any to give. */
  next(): Terminal | undefined {
    const owners = [...this.#over].filter(([, all]) => all.length > 0);
    const [most] = owners.toSorted(
      ([a, [first]], [b, [second]]) =>
        (this.#bytes.get(b) ?? 0) - (this.#bytes.get(a) ?? 0) || compareIds(first?.id ?? "", second?.id ?? ""),
    );
    const next = most?.[1].shift();
    if (most !== undefined && next !== undefined)
      this.#bytes.set(most[0], (this.#bytes.get(most[0]) ?? 0) - this.#sizeOf(next));
    return next;
  }
}

/** Not of one that another is about to stand in for. */
function isOver({ ended, heir }: Terminal): boolean {
  return ended !== null && !isAwaited({ ended, heir });
}

function keptOf(state: State, of: Place): Kept {
  const subject = agentSubject(of);
  const policies = applicable(state.policies, subject).filter(({ priority }) => priority >= 0);
  return {
    days: ruleFor(policies, "recordingDays")?.value ?? defaultRules.recordingDays,
    bytes: ruleFor(policies, "recordingBytes")?.value ?? defaultRules.recordingBytes,
  };
}
