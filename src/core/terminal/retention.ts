// For how long recordings are kept. Policies say so for a project, by days and by bytes; those that a model may set do not
// count, or it could have what people did forgotten.

import { agentSubject } from "../egress/egress.ts";
import { applicable, defaultRules, ruleFor } from "../policy/policy.ts";
import type { State } from "../state.ts";
import { compareIds } from "../step.ts";
import type { Terminal, TerminalForgotten } from "./terminal-events.ts";
import { ownerId } from "./windows.ts";

export type ToForget = Pick<TerminalForgotten, "terminal" | "because">;

/** Each machine keeps its own. */
type Place = { readonly project: string; readonly node: string };
type Kept = { readonly days: number; readonly bytes: number };

const dayMs = 86_400_000;

/** Recordings that are kept no longer, with these sizes, the oldest first (TM20). */
export function recordingsToForget(state: State, bytesOf: ReadonlyMap<string, number>, nowMs: number): ToForget[] {
  const places = new Map<string, { readonly of: Place; readonly terminals: Terminal[] }>();
  for (const terminal of state.terminals.values()) {
    const of = placeOf(state, terminal);
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
    return oldestFirst.flatMap((terminal): ToForget[] => {
      const isOld = nowMs - (terminal.ended?.atMs ?? nowMs) > days * dayMs;
      // What is empty makes no room.
      const isTooMuch = total > bytes && sizeOf(terminal) > 0;
      if (!isOld && !isTooMuch) return [];
      total -= sizeOf(terminal);
      return [{ terminal: terminal.id, because: isOld ? "age" : "size" }];
    });
  });
}

/** Not of one that another is about to stand in for. */
function isOver({ ended, heir }: Terminal): boolean {
  return ended !== null && (ended.why !== "renewed" || heir !== null);
}

function placeOf({ runs, agents }: State, { owner }: Terminal): Place {
  const id = ownerId(owner);
  return runs.get(id) ?? agents.get(id) ?? { project: "", node: "" };
}

function keptOf(state: State, of: Place): Kept {
  const subject = agentSubject(of);
  const policies = applicable(state.policies, subject).filter(({ priority }) => priority >= 0);
  return {
    days: ruleFor(policies, "recordingDays")?.value ?? defaultRules.recordingDays,
    bytes: ruleFor(policies, "recordingBytes")?.value ?? defaultRules.recordingBytes,
  };
}
