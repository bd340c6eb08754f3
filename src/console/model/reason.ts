// Why something is as it is, as the daemon wrote it down. The log says of everybody through which face they acted; a reader
// wants to know who it was.

import type { Run } from "../../protocol/wire/run.ts";

/** Why a run is where it is, if that says anything. A question is shown on its own, and not said twice. */
export function reasonOf({ because, question }: Pick<Run, "because" | "question">): string | null {
  return because === null || because === "" || because === question?.text ? null : toReason(because);
}

/** The same without the faces and without what machines need of it: "paused by person:eva" is paused by eva. */
export function toReason(because: string): string {
  return because
    .replaceAll(/\bby (?:person|agent):(?=\S)/g, "by ")
    .replace(/^(step \d+ \(\w+\): )exit-nonzero: (?:\/bin\/sh -c )?/, "$1");
}
