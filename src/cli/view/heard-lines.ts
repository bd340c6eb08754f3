// What an assistant's program said of itself, as lines of its run's story. Calls that the door has a record of are told by that.

import type { CallNames } from "../../protocol/call-names.ts";
import { type HeardItem, type HeardResult, heardIn } from "../../protocol/heard.ts";
import { tellHeard, tellResult } from "../../protocol/tell-heard.ts";
import type { LogEvent } from "../../protocol/wire/log-event.ts";
import type { Colors } from "../output.ts";
import { toSafeLine, toSafeLines } from "../text/safe-text.ts";

/** Those that may take long: their beginning is worth a line. The others only show how they ended. */
const longTools = /bash|shell|exec|command|agent|task|process/i;
/** Of what is no output of a command the beginning says most. */
const headLinesMax = 3;
/** Calls whose end is never told would be remembered for ever. */
const callsMax = 1000;

type TellTail = (text: string, isCut: boolean) => string[];

export class HeardLines {
  readonly #colors: Colors;
  readonly #names: CallNames;
  /** What those calls ask for that have not ended. */
  readonly #inputs = new Map<string, string>();

  constructor(colors: Colors, names: CallNames) {
    this.#colors = colors;
    this.#names = names;
  }

  /** The lines of all that an event tells. `tail` shortens what a command has said. */
  of(event: LogEvent, tail: TellTail): string[] {
    return heardIn(event).flatMap((item) => this.#linesOf(item, String(event["run"]), tail));
  }

  #linesOf(item: HeardItem, run: string, tail: TellTail): string[] {
    const { cyan, red } = this.#colors;
    switch (item.is) {
      case "message":
      case "thinking":
      case "turn": {
        if (item.is === "turn" && item.ok) return [];
        const [first = "", ...rest] = toSafeLines((tellHeard(item, this.#names) ?? "").trimEnd());
        return [(item.is === "turn" ? red : cyan)(first), ...rest];
      }
      case "tool": {
        if (item.input === null) return [];
        this.#remember(item.call, item.input);
        return longTools.test(item.tool) ? [toSafeLine(tellHeard(item, this.#names) ?? "")] : [];
      }
      case "result": {
        const who = this.#names.whoFor(item.parent);
        const told = tellResult(item, this.#inputs.get(item.call));
        const text = toSafeLine(who === null ? told : `${who} ${told}`);
        this.#inputs.delete(item.call);
        return [item.ok ? text : red(text), ...this.#whatCame(item, run, tail)];
      }
      default:
        return [];
    }
  }

  #whatCame({ ok, exit, text, output }: HeardResult, run: string, tail: TellTail): string[] {
    const { dim } = this.#colors;
    const rest = output === null ? [] : [dim(`| all of it: signalbox artifacts ${run} ${output}`)];
    if (exit !== null || !ok) return [...tail(text, output !== null), ...rest];
    const lines = toSafeLines(text.trimEnd()).filter((line, at) => line !== "" || at > 0);
    const shown = lines.slice(0, headLinesMax).map((line) => dim(`| ${line}`));
    const left = lines.length - shown.length;
    return [...shown, ...(left > 0 ? [dim(`| … ${left} ${left === 1 ? "line" : "lines"} more`)] : []), ...rest];
  }

  #remember(call: string, input: string): void {
    this.#inputs.set(call, input);
    const [oldest] = this.#inputs.keys();
    if (this.#inputs.size > callsMax && oldest !== undefined) this.#inputs.delete(oldest);
  }
}
