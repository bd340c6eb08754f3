// Claude Code's own tools, each of which asks before it writes and says when it is done. It asks in its own lines, and waits
// for as long as nobody answers.

import type { Hooks, Wish, WishOutcome } from "../../../ports/assistant.ts";
import { type Json, listOf, recordOf, textOf } from "../json-line.ts";

/** Tools of its own that it has, and what of them changes files. */
const editing = ["Edit", "Write", "NotebookEdit"];
const running = ["Bash"];
export const nativeTools = ["Read", "Glob", "Grep", ...editing, ...running] as const;

/** Whoever asks for more at once, and hears nothing, has only itself to wait for. */
const openMax = 100;
/** A path has no more characters, and no name of a program's. */
const wordCharsMax = 4096;
const patienceS = 24 * 60 * 60;
const before = "before";
const after = "after";

export class ClaudeHooks implements Hooks {
  /** What it asks for, by the name that the answer has to have. */
  readonly #open = new Map<string, Wish & { readonly tool: string; readonly event: string }>();

  /** What it is told first: to ask. */
  static begin(): string {
    const hook = (matchers: readonly string[], id: string): object[] => [
      { matcher: matchers.join("|"), hookCallbackIds: [id], timeout: patienceS },
    ];
    const done = hook([...editing, ...running], after);
    // A tool that failed may have changed as much as one that did not.
    const hooks = { PreToolUse: hook(editing, before), PostToolUse: done, PostToolUseFailure: done };
    return toLine({ type: "control_request", request_id: "hooks", request: { subtype: "initialize", hooks } });
  }

  /** Takes in a line of it: it asks, or goes on after it had asked. */
  read(message: Json): void {
    if (message["type"] === "control_request") return this.#ask(message);
    if (message["type"] === "control_cancel_request") return void this.#open.delete(textOf(message["request_id"], ""));
    if (message["type"] !== "user") return;
    for (const block of listOf(recordOf(message["message"])["content"]))
      if (block["type"] === "tool_result") this.#forget(textOf(block["tool_use_id"], ""));
  }

  open(): readonly Wish[] {
    return [...this.#open.values()].map(({ tool: _tool, event: _event, ...wish }) => wish);
  }

  answer(id: string, { ok, message }: WishOutcome): string {
    const wish = this.#open.get(id);
    this.#open.delete(id);
    const decision = { permissionDecision: ok ? "allow" : "deny", permissionDecisionReason: message };
    const output =
      wish?.is === "look"
        ? { hookEventName: wish.event, ...(message === "" ? {} : { additionalContext: message }) }
        : { hookEventName: "PreToolUse", ...decision };
    const response = { subtype: "success", request_id: id, response: { hookSpecificOutput: output } };
    return toLine({ type: "control_response", response });
  }

  #ask(message: Json): void {
    const id = textOf(message["request_id"], "");
    const request = recordOf(message["request"]);
    if (request["subtype"] !== "hook_callback") return;
    const input = recordOf(request["input"]);
    const asked = recordOf(input["tool_input"]);
    const tool = textOf(request["tool_use_id"], "");
    // It asks after its tool only once it was answered before it.
    this.#forget(tool);
    if (this.#open.size >= openMax) return;
    const path = textOf(asked["file_path"], textOf(asked["notebook_path"], ""));
    const event = textOf(input["hook_event_name"], "PostToolUse");
    if ([id, tool, path, event].some((word) => word.length > wordCharsMax)) return;
    if (request["callback_id"] === before) this.#open.set(id, { id, is: "write", path, tool, event });
    else this.#open.set(id, { id, is: "look", tool, event });
  }

  #forget(tool: string): void {
    for (const [id, wish] of this.#open) if (wish.tool === tool) this.#open.delete(id);
  }
}

function toLine(message: object): string {
  return `${JSON.stringify(message)}\n`;
}
