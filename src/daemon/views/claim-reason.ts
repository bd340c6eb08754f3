// Why a claim stands as it does, and what can be done about it (LS27).

import type { ClaimAnswer } from "../../core/inputs.ts";
import { type ErrorCode, toWireError } from "../../protocol/errors.ts";
import type { Claim, WaitEdge } from "../../protocol/wire/claim.ts";

export type Reason = Pick<Claim, "code" | "message" | "ways" | "cycle">;

export const noReason: Reason = { code: null, message: null, ways: [], cycle: null };

/** It was granted once: the same request gets the same outcome, but nothing of it is held any more. */
export const over: Reason = {
  code: "not-held",
  message: "It was granted, and nothing of it is held any more: it expired or was given back.",
  ways: ["Claim again, under another key."],
  cycle: null,
};

/** Of each end without a grant: its code, and what to say where the catalogue speaks of something else. */
const ends: Readonly<
  Record<Exclude<ClaimAnswer["state"], "granted" | "queued">, readonly [ErrorCode, string?, string?]>
> = {
  refused: ["deadlock"],
  busy: ["busy"],
  "timed-out": ["timed-out", "Its deadline passed while it waited.", "Claim again, with more time."],
  "holder-gone": ["expired", "Its holder's leases expired while it waited.", "Claim again, and renew in time."],
  cancelled: ["cancelled", "It was cancelled.", "Claim again."],
  paused: ["wrong-state", "Its run was paused.", "Resume the run: it claims anew."],
};

const waysOfQueued = [
  "Wait: ask how it stands with waitMs.",
  "Cancel the claim.",
  "Claim other units meanwhile.",
  "Ask whoever holds them to give them back.",
];

/** A unit whose holder is gone, while its processes may still run. */
export type Closed = { readonly unit: string; readonly holder: string; readonly project: string };

export function reasonOf(answer: ClaimAnswer, cycle: WaitEdge[] | null, closed: Closed | undefined): Reason {
  if (answer.state === "granted") return noReason;
  if (answer.state === "queued") {
    const holders = [...new Set(answer.behind.map((each) => each.holder))].slice(0, 5);
    const message = `It waits behind ${holders.length === 0 ? "others" : holders.join(", ")}.`;
    if (closed === undefined) return { code: null, message, ways: waysOfQueued, cycle };
    return {
      code: null,
      message: `${message} ${toClosed(closed)}`,
      ways: [wayToClear(closed), ...waysOfQueued],
      cycle,
    };
  }
  const [code, message, way] = ends[answer.state];
  if (answer.state === "busy") {
    const first = answer.behind[0];
    const error = toWireError(code, { unit: first?.unit, holder: first?.holder, ahead: first?.by === "claim" });
    if (closed === undefined) return { code, message: error.message, ways: [...error.ways], cycle };
    return { code, message: toClosed(closed), ways: [wayToClear(closed), ...error.ways], cycle };
  }
  const error = toWireError(code, { cycle });
  return { code, message: message ?? error.message, ways: way === undefined ? [...error.ways] : [way], cycle };
}

function toClosed({ unit, holder }: Closed): string {
  return `The unit ${unit} is closed: ${holder}, who held it, is gone, and its processes are not proven dead.`;
}

export function wayToClear({ unit, project }: Closed): string {
  return `Look whether its processes are gone, and say so: signalbox clear ${unit} --project ${project}`;
}
