// Paths as a runner spells them, in their normal form: what is leased is what is touched.

import { parseUnit, type UnitRule } from "../../core/lease/unit.ts";
import type { DoorAnswer, FileChange } from "../../ports/runner.ts";
import { no } from "./door-answer.ts";

type No = Extract<DoorAnswer, { ok: false }>;

export class SpelledPaths {
  readonly #rule: () => UnitRule;
  readonly #family: string;

  /** The rule is how the project reads names. */
  constructor(rule: () => UnitRule, family: string) {
    this.#rule = rule;
    this.#family = family;
  }

  fileAt(spelled: string): string | No {
    const unit = parseUnit(`file:${spelled}`, this.#rule(), this.#family);
    return unit.ok ? unit.value.text.slice("file:".length) : no(unit.refusal);
  }

  /** The project itself is nothing, a dot or a slash. */
  folderAt(spelled: string): string | No {
    return ["", ".", "./"].includes(spelled) ? "" : this.fileAt(spelled.replace(/\/+$/, ""));
  }

  filesOf(change: FileChange): FileChange | No {
    const path = this.fileAt(change.path);
    if (typeof path !== "string") return path;
    if (change.do !== "move") return { ...change, path };
    const to = this.fileAt(change.to);
    return typeof to === "string" ? { ...change, path, to } : to;
  }
}
