// Keeps an eye on runs that somebody waits for, and says when it is a person that they wait for.

import type { Run } from "../protocol/wire/run.ts";
import type { Cli } from "./cli.ts";
import { toSafeLine } from "./text/safe-text.ts";
import { enumerate } from "./view/event-fields.ts";
import { whatItWaitsFor } from "./view/waits-for.ts";

export class Lookout {
  readonly #cli: Cli;
  readonly #runs = new Map<string, Run>();
  readonly #told = new Set<string>();

  constructor(cli: Cli) {
    this.#cli = cli;
  }

  look(run: Run): void {
    this.#runs.set(run.id, run);
    const said = needOf(run);
    if (said === undefined || this.#told.has(said)) return;
    this.#told.add(said);
    this.#cli.out.note(said);
  }

  forget(run: Run): void {
    this.#runs.delete(run.id);
  }

  /** Whom we wait for, in a line. */
  text(): string {
    const texts = [...this.#runs.values()].map((run) => {
      const waits = whatItWaitsFor(run);
      return `${run.id} is ${run.state === "review" ? "in review" : run.state}${waits === "" ? "" : ` ${waits}`}`;
    });
    return enumerate(texts, 2);
  }
}

/** What a run needs of a person, if it does. */
export function needOf(run: Run): string | undefined {
  if (run.state === "awaiting-input" && run.question !== null) {
    const { leave, text, id } = run.question;
    if (leave !== null)
      return `${run.id} asks leave: ${toSafeLine(text)}\n  Answer with: signalbox allow ${run.id} --question ${id}, or deny`;
    return `${run.id} asks: ${toSafeLine(text)}\n  Answer with: signalbox answer ${run.id} TEXT`;
  }
  if (run.state === "review") {
    return `${run.id} is in review.\n  Look at it with: signalbox review ${run.id}`;
  }
  if (run.state === "paused") return `${run.id} is paused.\n  Let it go on with: signalbox resume ${run.id}`;
  return undefined;
}
