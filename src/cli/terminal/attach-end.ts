// How a person is known to others in a terminal, and what they hear when they are out of it.

import { hostname, userInfo } from "node:os";
import type { TerminalEnd } from "../../client/terminal-line.ts";
import type { Cli } from "../cli.ts";

/** Answers the exit code. */
export function tellEnd(cli: Cli, terminal: string, end: TerminalEnd | undefined): number {
  if (end === undefined) {
    cli.out.note(`Left. The terminal goes on: signalbox attach ${terminal}`);
    return 0;
  }
  if (end.why === "not-started") {
    cli.out.note(`${terminal} could not be opened: ${end.message ?? "nobody knows why"}`);
    return 1;
  }
  const how = {
    ...{ ended: "has ended", stopped: "was ended", lost: "was lost", "out-of-memory": "ran out of memory" },
    "out-of-disk": "was ended: its agent takes more of the disk than it may",
    renewed: "went with its agent, which is begun anew",
  }[end.why];
  const because = end.message === null ? "" : `: ${end.message}`;
  cli.out.note(`${terminal} ${how}${because}. See it again: signalbox recording play ${terminal}`);
  return typeof end.exit === "number" ? end.exit : 1;
}

export function nameOf(): string {
  return `${userInfo().username}@${hostname()}`.replaceAll(/[^\w.@-]/g, "").slice(0, 60) || "somebody";
}
