// What an act on a run's workspace needs of its node: what the log says, a way to report, and the places to work at.

import type { Input } from "../../core/inputs.ts";
import type { Run } from "../../core/run/run-state.ts";
import type { State } from "../../core/state.ts";
import type { Mainline } from "../../ports/mainline.ts";
import type { LineOutcome } from "../engine-line.ts";
import type { Workspace } from "./workspace.ts";

export type WorkspaceGround = {
  readonly state: () => State;
  readonly report: (input: Input) => Promise<LineOutcome>;
  readonly workspaceOf: (run: Run) => Promise<Workspace>;
  readonly mainlineOf: (run: Run) => Promise<Mainline>;
};
