import { join } from "node:path";
import { Fault } from "../../base/fault.ts";
import type { GuardAnswer } from "../../core/lease/fence-guard.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** An act on a unit: which call does it, for whom, under which fence. */
export type FencedAct = {
  readonly call: number;
  readonly family: string;
  readonly fence: number;
  readonly unit: string;
};

export type CallGroundOptions = {
  readonly run: string;
  readonly workspace: Workspace;
  /** A folder for what the calls of this run leave behind. */
  readonly callsFolder: string;
  readonly check: (act: FencedAct) => GuardAnswer;
  /** Whether nobody has to hold a path, because the project makes it of others (LD17). */
  readonly isDerived: (path: string) => boolean;
};

/** What the acts of one run stand on. */
export class CallGround {
  readonly run: string;
  readonly workspace: Workspace;
  readonly folder: string;
  readonly isDerived: CallGroundOptions["isDerived"];
  readonly #check: CallGroundOptions["check"];

  constructor(options: CallGroundOptions) {
    this.run = options.run;
    this.workspace = options.workspace;
    this.folder = options.callsFolder;
    this.isDerived = options.isDerived;
    this.#check = options.check;
  }

  /** Throws when one of the units is not the holder's any more. */
  checkFences(acts: readonly FencedAct[]): void {
    for (const act of acts) {
      const answer = this.#check(act);
      if (answer !== "ok") throw new Fault(answer, { retry: "never", message: `${act.unit} is not yours any more` });
    }
  }

  /** The name under which the keeper knows a call. */
  tagOf(call: number): string {
    return `${this.run}-${call}`;
  }

  fileOf(call: number, name: string): string {
    return join(this.folder, String(call), name);
  }
}

export function pathOf(unit: string): string {
  return unit.slice(unit.indexOf(":") + 1);
}
