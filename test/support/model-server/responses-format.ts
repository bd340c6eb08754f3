import { type Answer, bites, callId, data, type Json, list, textOf, type WireFormat } from "./wire-format.ts";

/** OpenAI Responses. */
export const responsesFormat: WireFormat = {
  read: (body) => {
    const input = typeof body["input"] === "string" ? [{ role: "user", content: body["input"] }] : list(body["input"]);
    const said = input.filter((item) => item["role"] === "user");
    const results = input.filter((item) => String(item["type"]).endsWith("_call_output"));
    return {
      model: String(body["model"]),
      firstSaid: textOf(said.map((item) => item["content"])),
      lastSaid: textOf(said.at(-1)?.["content"]),
      toolResults: textOf(results.at(-1)?.["output"]),
      offers: [...list(body["tools"]), ...input.flatMap((item) => list(item["tools"]))].flatMap(offersOf),
      stream: body["stream"] === true,
    };
  },
  whole: (answer) => finished(answer),
  pieces: (answer) => {
    let sequence = 0;
    const event = (type: string, more: Json): string => data({ type, sequence_number: sequence++, ...more }, type);
    const items = itemsOf(answer);
    return [
      event("response.created", { response: { ...envelope(answer), status: "in_progress", output: [], usage: null } }),
      ...items.flatMap((item, at) => itemPieces(event, item, at)),
      event("response.completed", { response: finished(answer) }),
    ];
  },
  error: ({ type, message }) => ({ error: { message, type, code: null, param: null } }),
};

/** Some models have one tool, which runs code, and find the others there. */
const codeTool = "exec";

function offersOf(tool: Json): string[] {
  if (tool["type"] === "namespace") return list(tool["tools"]).flatMap(offersOf);
  return [String(tool["name"] ?? tool["type"])];
}

function envelope({ id, model }: Answer): Json {
  return { id: `resp_${id}`, object: "response", created_at: 1_780_000_000, model };
}

function finished(answer: Answer): Json {
  const { usage, silent } = answer.turn;
  const counted = {
    input_tokens: usage.input + usage.cacheRead,
    input_tokens_details: { cached_tokens: usage.cacheRead },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: usage.input + usage.cacheRead + usage.output,
  };
  const output = itemsOf(answer);
  return { ...envelope(answer), status: "completed", output, usage: silent ? null : counted };
}

function itemsOf(answer: Answer): Json[] {
  const { say, call } = answer.turn;
  const content = [{ type: "output_text", text: say, annotations: [] }];
  const message = { type: "message", id: `msg_${answer.id}`, role: "assistant", status: "completed", content };
  const calls = call.map(({ tool, with: input }, at) => {
    const about = { id: `fc_${callId(answer, at)}`, call_id: callId(answer, at), status: "completed" };
    if (!answer.offers.includes(codeTool) || answer.offers.includes(tool))
      return { type: "function_call", ...about, name: tool, arguments: JSON.stringify(input) };
    const code = `const { name } = ALL_TOOLS.find((each) => each.name.endsWith("__${tool}"));
      text(await tools[name](${JSON.stringify(input)}));`;
    return { type: "custom_tool_call", ...about, id: `ctc_${callId(answer, at)}`, name: codeTool, input: code };
  });
  return [...(say === "" ? [] : [message]), ...calls];
}

const emptied: Readonly<Record<string, Json>> = {
  message: { content: [] },
  function_call: { arguments: "" },
  custom_tool_call: { input: "" },
};

function itemPieces(event: (type: string, more: Json) => string, item: Json, at: number): string[] {
  const place = { output_index: at, item_id: item["id"] };
  const begun = { ...item, ...emptied[String(item["type"])] };
  const start = event("response.output_item.added", { ...place, item: { ...begun, status: "in_progress" } });
  const end = (): string => event("response.output_item.done", { ...place, item });
  if (item["type"] === "function_call") {
    const text = String(item["arguments"]);
    return [
      start,
      ...bites(text).map((delta) => event("response.function_call_arguments.delta", { ...place, delta })),
      event("response.function_call_arguments.done", { ...place, arguments: text }),
      end(),
    ];
  }
  if (item["type"] === "custom_tool_call") return [start, end()];
  const [part] = list(item["content"]);
  const within = { ...place, content_index: 0 };
  const text = String(part?.["text"]);
  return [
    start,
    event("response.content_part.added", { ...within, part: { ...part, text: "" } }),
    ...bites(text).map((delta) => event("response.output_text.delta", { ...within, delta })),
    event("response.output_text.done", { ...within, text }),
    event("response.content_part.done", { ...within, part }),
    end(),
  ];
}
