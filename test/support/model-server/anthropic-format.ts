import {
  type Answer,
  bites,
  callId,
  countAnswers,
  data,
  json,
  type Json,
  list,
  textOf,
  type WireFormat,
} from "./wire-format.ts";

/** Anthropic Messages. */
export const anthropicFormat: WireFormat = {
  read: (body) => {
    const messages = list(body["messages"]);
    const said = messages.filter((message) => message["role"] === "user");
    const blocks = list(said.at(-1)?.["content"]);
    return {
      model: String(body["model"]),
      firstSaid: textOf(said[0]?.["content"]),
      lastSaid: textOf(said.at(-1)?.["content"]),
      toolResults: textOf(blocks.filter((block) => block["type"] === "tool_result")),
      answers: countAnswers(messages, ({ role }) => role === "assistant"),
      offers: list(body["tools"]).map((tool) => String(tool["name"])),
      stream: body["stream"] === true,
    };
  },
  whole: (answer) => ({
    ...envelope(answer),
    content: blocksOf(answer),
    stop_reason: stopOf(answer),
    ...(answer.turn.silent ? {} : { usage: usageOf(answer) }),
  }),
  pieces: (answer) => {
    const usage = { ...usageOf(answer), output_tokens: 1 };
    const start = answer.turn.silent ? envelope(answer) : { ...envelope(answer), usage };
    return [
      data({ type: "message_start", message: { ...start, content: [], stop_reason: null } }, "message_start"),
      ...blocksOf(answer).flatMap((block, index) => blockPieces(block, index)),
      data(
        {
          type: "message_delta",
          delta: { stop_reason: stopOf(answer), stop_sequence: null },
          ...(answer.turn.silent ? {} : { usage: { output_tokens: answer.turn.usage.output } }),
        },
        "message_delta",
      ),
      data({ type: "message_stop" }, "message_stop"),
    ];
  },
  error: ({ type, message }) => ({ type: "error", error: { type, message } }),
};

function envelope({ id, model }: Answer): Json {
  return { id: `msg_${id}`, type: "message", role: "assistant", model, stop_sequence: null };
}

function usageOf({ turn: { usage } }: Answer): Json {
  return {
    input_tokens: usage.input,
    output_tokens: usage.output,
    cache_read_input_tokens: usage.cacheRead,
    cache_creation_input_tokens: usage.cacheWrite,
  };
}

function blocksOf(answer: Answer): Json[] {
  const { think, say, call } = answer.turn;
  const thought = { type: "thinking", thinking: think, signature: "scripted" };
  const calls = call.map(({ tool, with: input }, at) => ({
    type: "tool_use",
    id: `toolu_${callId(answer, at)}`,
    name: tool,
    input,
  }));
  return [...(think === "" ? [] : [thought]), ...(say === "" ? [] : [{ type: "text", text: say }]), ...calls];
}

function blockPieces(block: Json, index: number): string[] {
  const { empty, deltas } = inDeltas(block);
  return [
    data({ type: "content_block_start", index, content_block: empty }, "content_block_start"),
    ...deltas.map((delta) => data({ type: "content_block_delta", index, delta }, "content_block_delta")),
    data({ type: "content_block_stop", index }, "content_block_stop"),
  ];
}

function inDeltas(block: Json): { readonly empty: Json; readonly deltas: readonly Json[] } {
  switch (block["type"]) {
    case "text":
      return {
        empty: { ...block, text: "" },
        deltas: bites(String(block["text"])).map((text) => ({ type: "text_delta", text })),
      };
    case "thinking": {
      const { thinking, signature } = block;
      const deltas = bites(String(thinking)).map((each) => ({ type: "thinking_delta", thinking: each }));
      const empty = { ...block, thinking: "", signature: "" };
      return { empty, deltas: [...deltas, { type: "signature_delta", signature }] };
    }
    default: {
      const parts = bites(JSON.stringify(json(block["input"])));
      const deltas = parts.map((part) => ({ type: "input_json_delta", partial_json: part }));
      return { empty: { ...block, input: {} }, deltas };
    }
  }
}

function stopOf({ turn }: Answer): string {
  if (turn.refuses) return "refusal";
  return turn.call.length > 0 ? "tool_use" : "end_turn";
}
