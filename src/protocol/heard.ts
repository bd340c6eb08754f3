// What an assistant's program said of itself, as events have it. Their shape depends on the daemon's release, so nothing is taken
// for granted: what is not known, or not whole, is left out.

export type HeardItem =
  | { readonly is: "session"; readonly session: string }
  | { readonly is: "message" | "thinking"; readonly text: string; readonly parent: string | null }
  | HeardCall
  | HeardResult
  | { readonly is: "turn"; readonly ok: boolean; readonly why: string; readonly text: string }
  | { readonly is: "other"; readonly kind: string; readonly text: string };

/** It uses a tool; `input` is what it asks for, where the door knows nothing of the call. */
export type HeardCall = {
  readonly is: "tool";
  readonly call: string;
  readonly tool: string;
  readonly parent: string | null;
  readonly input: string | null;
};

/** What came of such a call. */
export type HeardResult = {
  readonly is: "result";
  readonly call: string;
  readonly tool: string;
  readonly parent: string | null;
  readonly ok: boolean;
  readonly exit: number | null;
  readonly text: string;
  readonly output: string | null;
};

export function heardIn(event: Readonly<Record<string, unknown>>): readonly HeardItem[] {
  const items = event["type"] === "run.heard" && Array.isArray(event["items"]) ? (event["items"] as unknown[]) : [];
  return items.flatMap((item) => {
    const read = readItem((item ?? {}) as Readonly<Record<string, unknown>>);
    return read === undefined ? [] : [read];
  });
}

function readItem(item: Readonly<Record<string, unknown>>): HeardItem | undefined {
  const [text, call, tool, parent] = ["text", "call", "tool", "parent"].map((name) => textOrNull(item[name]));
  const is = item["is"];
  switch (is) {
    case "session":
      return { is, session: textOrNull(item["session"]) ?? "" };
    case "message":
    case "thinking":
      return text === null || text === undefined ? undefined : { is, text, parent: parent ?? null };
    case "tool": {
      const about = { call: call ?? "", tool: tool ?? "a tool", parent: parent ?? null };
      return { is, ...about, input: textOrNull(item["input"]) };
    }
    case "result": {
      const about = { call: call ?? "", tool: tool ?? "a tool", parent: parent ?? null };
      const exit = typeof item["exit"] === "number" ? item["exit"] : null;
      return { is, ...about, ok: item["ok"] !== false, exit, text: text ?? "", output: textOrNull(item["output"]) };
    }
    case "turn":
      return { is, ok: item["ok"] === true, why: textOrNull(item["why"]) ?? "error", text: text ?? "" };
    case "other":
      return { is, kind: textOrNull(item["kind"]) ?? "", text: text ?? "" };
    default:
      return undefined;
  }
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
