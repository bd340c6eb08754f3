// What nodes report of workspaces that were there before their run: that of a living agent, and that of a run that was continued. It
// knows nothing of the bytes in them: those are safe before it is reported.

import type { Work } from "../workspace/workspace-state.ts";

/** A workspace that was there before its run: first what had changed in it, without a commit, then with which one it is in step. */
export type EnterInput =
  /** That of a living agent, before a run begins there: what is changed is nobody's (AG44). */
  | {
      readonly type: "run.enter";
      readonly run: string;
      readonly works: readonly Work[];
      readonly commit: string | null;
    }
  /** That of a run that was continued (RN16). */
  | {
      readonly type: "run.place";
      readonly run: string;
      readonly works: readonly Work[];
      readonly commit: string | null;
      /** Whether it is none that the run had before. */
      readonly fresh: boolean;
    };
