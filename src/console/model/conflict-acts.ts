// How a conflict is resolved from outside: the run holds the file, so it is the run that makes one of both, and it is told how.

import type { Run } from "../../protocol/wire/run.ts";
import { findAct, type RunAct } from "./run-acts.ts";

export type Resolution = {
  readonly key: string;
  readonly label: string;
  /** What the run is told; whoever sends it may say it otherwise. */
  readonly draft: string;
};

/** The act that reaches the run where it is now, if one does. */
export function tellActOf(run: Run): RunAct | undefined {
  return findAct(run, "return") ?? findAct(run, "steer");
}

export function resolutionsOf(paths: readonly string[]): readonly Resolution[] {
  const files = paths.join(", ");
  const then = "Write that and say that it is resolved.";
  return [
    { key: "1", label: "Keep theirs…", draft: `Take the side of mainline in ${files}, as it is. ${then}` },
    { key: "2", label: "Keep ours…", draft: `Keep your own side in ${files}, as it is. ${then}` },
    {
      key: "3",
      label: "Make one of both…",
      draft: `Make one of both sides in ${files}: keep what each is for. ${then}`,
    },
  ];
}
