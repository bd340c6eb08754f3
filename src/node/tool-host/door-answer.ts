// What the door itself says to a runner, before or instead of an act.

import type { Obstacle } from "../../core/lease/lease-events.ts";
import type { Oversized, Work } from "../../core/workspace/workspace-state.ts";
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

/** A change that was taken out of the workspace and kept. */
export type Aside = { readonly work: Work; readonly why: string };

/** An answer with what was set aside meanwhile, and why. */
export function withSetAside(answer: DoorAnswer, asides: readonly Aside[]): DoorAnswer {
  const byWhy = Map.groupBy(asides, ({ why }) => why);
  const parts = [...byWhy].map(([why, those]) => `${those.map(({ work }) => work.path).join(", ")} (${why})`);
  return withNote(answer, `set aside, and to be had back from the trash: ${parts.join("; ")}`);
}

/** Why a result is not judged yet: what it stands on was somebody else's turn meanwhile, and its runner can do it again (LD20). */
export function overtaken(paths: readonly string[]): Extract<DoorAnswer, { ok: false }> | undefined {
  if (paths.length === 0) return undefined;
  const names = paths.join(", ");
  const what = `while your lease was lost, somebody else changed ${names} in the same place: your side is in the trash, theirs is there now`;
  return {
    ok: false,
    code: "changed",
    message: `${what}. Read it, make your change again if it is still wanted, and finish`,
  };
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
