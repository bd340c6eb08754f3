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

/** OpenAI chat completions. */
export const chatFormat: WireFormat = {
  read: (body) => {
    const messages = list(body["messages"]);
    const said = messages.filter((message) => message["role"] === "user");
    const results = messages.filter((message) => message["role"] === "tool");
    return {
      model: String(body["model"]),
      firstSaid: textOf(said[0]?.["content"]),
      lastSaid: textOf(said.at(-1)?.["content"]),
      toolResults: textOf(results.at(-1)?.["content"]),
      answers: countAnswers(messages, ({ role }) => role === "assistant"),
      offers: list(body["tools"]).map((tool) => String(json(tool["function"])["name"])),
      stream: body["stream"] === true,
    };
  },
  whole: (answer) => {
    const { think, say, silent, refuses } = answer.turn;
    const said = refuses ? { content: null, refusal: say } : { content: say };
    const thought = think === "" ? {} : { reasoning_content: think };
    const message = { role: "assistant", ...thought, ...said, ...toolCalls(answer) };
    const choices = [{ index: 0, message, finish_reason: stopOf(answer) }];
    return { ...envelope(answer, "chat.completion"), choices, ...(silent ? {} : { usage: usageOf(answer) }) };
  },
  pieces: (answer) => {
    const chunk = (delta: Json, finish: string | null = null): string =>
      data({ ...envelope(answer, "chat.completion.chunk"), choices: [{ index: 0, delta, finish_reason: finish }] });
    const { think, say, call, silent, refuses } = answer.turn;
    const calls = call.flatMap(({ tool, with: input }, index) => {
      const start = { index, id: callId(answer, index), type: "function", function: { name: tool, arguments: "" } };
      const rest = bites(JSON.stringify(input)).map((part) => ({ index, function: { arguments: part } }));
      return [start, ...rest].map((each) => chunk({ tool_calls: [each] }));
    });
    const usage = data({ ...envelope(answer, "chat.completion.chunk"), choices: [], usage: usageOf(answer) });
    return [
      chunk({ role: "assistant", content: "" }),
      ...bites(think).map((thought) => chunk({ reasoning_content: thought })),
      ...bites(say).map((said) => chunk(refuses ? { refusal: said } : { content: said })),
      ...calls,
      chunk({}, stopOf(answer)),
      ...(silent ? [] : [usage]),
      "data: [DONE]\n\n",
    ];
  },
  error: ({ type, message }) => ({ error: { message, type, code: null, param: null } }),
};

function envelope({ id, model }: Answer, object: string): Json {
  return { id: `chatcmpl_${id}`, object, created: 1_780_000_000, model };
}

function toolCalls(answer: Answer): Json {
  const calls = answer.turn.call.map(({ tool, with: input }, at) => ({
    id: callId(answer, at),
    type: "function",
    function: { name: tool, arguments: JSON.stringify(input) },
  }));
  return calls.length === 0 ? {} : { tool_calls: calls };
}

function usageOf({ turn: { usage } }: Answer): Json {
  return {
    prompt_tokens: usage.input + usage.cacheRead,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.cacheRead + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cacheRead },
  };
}

function stopOf({ turn }: Answer): string {
  return turn.call.length > 0 ? "tool_calls" : "stop";
}
