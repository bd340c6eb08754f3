// What the door itself says to a runner, before or instead of an act.

import type { Obstacle } from "../../core/lease/lease-events.ts";
import type { Oversized } from "../../core/workspace/workspace-state.ts";
import type { DoorAnswer } from "../../ports/runner.ts";
import { isErrorCode, toWireError } from "../../protocol/errors.ts";

export function yes(text: string): DoorAnswer {
  return { ok: true, text, exit: null };
}

export function no(refusal: { readonly code: string }): Extract<DoorAnswer, { ok: false }> {
  const { code, ...data } = refusal;
  return { ok: false, code, message: isErrorCode(code) ? toWireError(code, data).message : JSON.stringify(data) };
}

/** What stands in the way of a call: who holds its units, and how many claims are ahead. */
export function describeWait(
  { units, other }: { readonly units: readonly string[]; readonly other: string | null },
  behind: readonly Obstacle[],
): string {
  if (other !== null) return `${other} is not over yet`;
  if (behind.length === 0) return "the run itself waits: for a slot, for its files, or because it is paused";
  const held = behind.filter(({ by }) => by === "lease").map(({ unit, holder }) => `${holder} holds ${unit}`);
  const ahead = new Set(behind.filter(({ by }) => by === "claim").map(({ claim }) => claim)).size;
  const who = held.length === 0 ? `others are ahead for ${units.join(", ")}` : held.slice(0, 5).join(", ");
  return `${who}; you are queued at position ${ahead + 1}`;
}

/** An answer with what was set aside meanwhile, and why that may be. */
export function withSetAside(answer: DoorAnswer, works: readonly { readonly path: string }[]): DoorAnswer {
  const why = "because others hold them, a policy or a submodule forbids it, or there were too many";
  return withNote(answer, `set aside, ${why}: ${works.map(({ path }) => path).join(", ")} (signalbox trash list)`);
}

/** An answer with the files that have become too large to land (LD57). */
export function withOversized(answer: DoorAnswer, files: readonly Oversized[]): DoorAnswer {
  if (files.length === 0) return answer;
  const names = files.map(({ path, bytes }) => `${path} (${toMiB(bytes)})`).join(", ");
  return withNote(
    answer,
    `too large, so it is scratch: it stays in the workspace for commands, never lands, and goes with the run: ${names}`,
  );
}

function toMiB(bytes: number): string {
  return `${Math.ceil(bytes / 1024 / 1024)} MiB`;
}

function withNote(answer: DoorAnswer, note: string): DoorAnswer {
  return answer.ok
    ? { ...answer, text: answer.text === "" ? note : `${answer.text}\n${note}` }
    : { ...answer, message: `${answer.message}; ${note}` };
}
