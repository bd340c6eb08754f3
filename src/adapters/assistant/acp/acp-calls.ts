// The tools that an agent uses, as it tells of them bit by bit: that it wants one, with what, that it has it, what came of it.

import type { HeardInFull } from "../../../ports/assistant.ts";
import { type Json, listOf, nameOf, recordOf, textOf } from "../json-line.ts";
import { nameCharsMax, Newest } from "../newest.ts";
import { type Outcome, ownCall, ownResult, textOfContent, toInput } from "../own-call.ts";
import { changeOf } from "./permit-question.ts";

type Call = {
  readonly tool: string;
  readonly isDoors: boolean;
  readonly input: string | undefined;
  readonly isTold: boolean;
};

/** What agents call a tool of the door: `door_claim`, `mcp__door__claim`, `claim (door MCP Server)`. */
const doors = /^(?:mcp_{1,2}|tool: ?)?door(?:_{1,2}|[/.:])|\(door MCP Server\)$/i;
const ofServer = /^(\S{1,100}) \((\S{1,100}) MCP Server\)$/;
/** The name of a tool, and not a sentence about what it does. */
const isName = /^[\w.:/-]{1,100}$/;
/** Some name a call after its tool: `look_up__look_up_1795034102877_0`. */
const namedAfter = /^(\w+?)__\1_\d+_\d+$/;

export class AcpCalls {
  readonly #open = new Newest<Call>();

  /** It asks leave for a call. Some say only then what it is about. */
  meet(call: Json): void {
    if (textOf(call["toolCallId"], "").length > nameCharsMax) return;
    const shown = listOf(call["content"]).filter(({ type }) => type === "content");
    this.#note(call, shown.length === 0 ? undefined : textOfContent(shown.map(({ content }) => content)));
  }

  read(update: Json): HeardInFull[] {
    const id = textOf(update["toolCallId"], "");
    if (id === "" || id.length > nameCharsMax) return [];
    const call = this.#note(update);
    const about = { call: id, tool: call.tool, parent: null };
    const { status } = update;
    const isOver = status === "completed" || status === "failed";
    // Before it begins, many do not say with what.
    const isToTell = !call.isTold && (isOver || call.isDoors || status !== "pending" || call.input !== undefined);
    if (isToTell) this.#open.set(id, { ...call, isTold: true });
    if (isOver) this.#open.take(id);
    const told: HeardInFull[] = !isToTell ? [] : [call.isDoors ? { is: "tool", ...about } : ownCall(about, call.input)];
    return isOver && !call.isDoors ? [...told, ownResult(about, outcomeOf(update))] : told;
  }

  #note(said: Json, shown?: string): Call {
    const id = textOf(said["toolCallId"], "");
    const before = this.#open.get(id);
    const rawInput = recordOf(said["rawInput"]);
    const isSaid = Object.keys(rawInput).length > 0;
    // A title that is no name says what the tool is used for.
    const title = textOf(said["title"], "");
    const words = title === "" || isName.test(title) || ofServer.test(title) ? undefined : title;
    const asked = isSaid ? rawInput : (words ?? shown);
    const input =
      !isSaid && before?.input !== undefined ? before.input : asked === undefined ? undefined : toInput(asked);
    const call = before === undefined ? { ...toTool(said, id), input, isTold: false } : { ...before, input };
    this.#open.set(id, call);
    return call;
  }
}

function toTool(said: Json, id: string): Pick<Call, "tool" | "isDoors"> {
  const title = textOf(said["title"], "");
  const kind = nameOf(said["kind"], "");
  const [, name, server] = ofServer.exec(title) ?? [];
  const usual = isName.test(title) ? title : (namedAfter.exec(id)?.[1] ?? (kind === "" ? "tool" : kind));
  // What it does to files, commands and the network, it does itself.
  const isDoors = ["", "other"].includes(kind) && (doors.test(title) || doors.test(usual));
  return { tool: name === undefined ? usual : `mcp__${server}__${name}`, isDoors };
}

function outcomeOf(update: Json): Outcome {
  const raw = recordOf(update["rawOutput"]);
  const code = recordOf(raw["metadata"])["exit"] ?? raw["exitCode"] ?? raw["exit_code"];
  const exit = typeof code === "number" && Number.isSafeInteger(code) ? code : null;
  const shown = listOf(update["content"]).map((each) =>
    each["type"] === "diff" ? changeOf(each) : textOfContent([recordOf(each["content"])]),
  );
  const text = shown.length > 0 ? shown.join("\n") : textOf(raw["output"], textOf(update["rawOutput"], ""));
  return { ok: update["status"] === "completed" && (exit ?? 0) === 0, exit, text };
}
