// What five agents do to each other, a line each: who waits for whom, who got what, and what landed.

import type { LogEvent } from "../../protocol/wire/log-event.ts";
import type { Colors } from "../output.ts";
import { showExactDuration } from "../text/duration.ts";
import { padEnd, padStart } from "../text/text-width.ts";
import { describeEvent } from "../view/describe-event.ts";
import { enumerate, listOf, recordsOf, textOf } from "../view/event-fields.ts";

const timeWidth = 7;
const runWidth = 5;

export class DemoLines {
  readonly #colors: Colors;
  #startMs: number | undefined;

  constructor(colors: Colors) {
    this.#colors = colors;
  }

  /** Nothing for what is not worth a line. */
  toLine(event: LogEvent): string | undefined {
    this.#startMs ??= event.atMs;
    const told = this.#tell(event);
    if (told === undefined) return undefined;
    const time = padStart(showExactDuration(event.atMs - this.#startMs), timeWidth);
    return `${this.#colors.dim(time)}  ${padEnd(holderOf(event), runWidth)}  ${told}`;
  }

  #tell(event: LogEvent): string | undefined {
    const { green, red, yellow } = this.#colors;
    switch (event.type) {
      case "run.submitted":
        return textOf(event, "title");
      case "claim.queued":
        return hasUnits(event) ? yellow(`waits for ${unitsOf(event)}${behind(event)}`) : undefined;
      case "lease.granted":
        return hasUnits(event) ? `has ${unitsOf(event)}` : undefined;
      case "run.moved":
        return this.#tellMove(event);
      case "run.landed":
        return green(describeEvent(event));
      case "mainline.published":
        return event["not"] === null ? undefined : red(describeEvent(event));
      case "run.conflicted":
      case "paths.set-aside":
        return red(describeEvent(event));
      default:
        return undefined;
    }
  }

  #tellMove(event: LogEvent): string | undefined {
    const to = event["to"];
    if (to === "landing") return "is ready; its result is tested on top of mainline";
    return to === "review" || to === "failed" ? this.#colors.red(describeEvent(event)) : undefined;
  }
}

function hasUnits(event: LogEvent): boolean {
  return listOf(event, "units").length > 0;
}

function unitsOf(event: LogEvent): string {
  return enumerate(listOf(event, "units"));
}

function behind(event: LogEvent): string {
  const holders = [...new Set(recordsOf(event, "behind").map(({ holder }) => String(holder)))];
  return holders.length === 0 ? "" : ` behind ${holders.join(" and ")}`;
}

/** A family is named after its run. */
function holderOf(event: LogEvent): string {
  return textOf(event, "run") || (textOf(event, "family").split(".")[0] ?? "");
}
