// A sentence for each thing that an assistant's program said of itself, for every face alike.

import { CallNames } from "./call-names.ts";
import type { HeardItem, HeardResult } from "./heard.ts";

const inputCharsMax = 200;

const nobodyKnown = new CallNames();

/** Undefined for what says nothing of its work. Of those who work for it, it says who they are. */
export function tellHeard(item: HeardItem, names = nobodyKnown): string | undefined {
  const who = "parent" in item ? names.whoFor(item.parent) : null;
  const told = tell(item);
  return who === null || told === undefined ? told : `${who} ${told}`;
}

function tell(item: HeardItem): string | undefined {
  switch (item.is) {
    case "message":
      return `says: ${item.text}`;
    case "thinking":
      return `thinks: ${item.text}`;
    case "tool":
      return `uses ${item.tool}${tellInput(item.input)}`;
    case "result":
      return tellResult(item);
    case "turn":
      return item.ok ? "ends its turn" : `ends its turn (${item.why})${item.text === "" ? "" : `: ${item.text}`}`;
    case "session":
      return `works in conversation ${item.session}`;
    default:
      return undefined;
  }
}

/** How a call ended that the door knows nothing of; what it was about, where that is known. */
export function tellResult(
  { tool, ok, exit }: Pick<HeardResult, "tool" | "ok" | "exit">,
  input: string | null = null,
): string {
  const how = ok ? "done" : "failed";
  return `${tool} ${how}${exit === null || exit === 0 ? "" : ` (exit ${exit})`}${tellInput(input)}`;
}

/** The first line of what is asked for. */
function tellInput(input: string | null): string {
  const line = (input ?? "").trim().split("\n", 1)[0]?.slice(0, inputCharsMax) ?? "";
  return line === "" ? "" : `: ${line}`;
}
