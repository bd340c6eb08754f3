import {
  type Answer,
  bites,
  callId,
  countAnswers,
  data,
  type Json,
  list,
  textOf,
  type WireFormat,
} from "./wire-format.ts";

/** OpenAI Responses. */
export const responsesFormat: WireFormat = {
  read: (body) => {
    const input = typeof body["input"] === "string" ? [{ role: "user", content: body["input"] }] : list(body["input"]);
    // What an agent is told by another one is sealed for all but the model.
    const said = input.filter((item) => item["role"] === "user" || item["type"] === "agent_message");
    const results = input.filter((item) => String(item["type"]).endsWith("_call_output"));
    return {
      model: String(body["model"]),
      firstSaid: textOf(said.map((item) => item["content"])),
      lastSaid: textOf(said.at(-1)?.["content"]),
      toolResults: textOf(results.at(-1)?.["output"]),
      answers: countAnswers(input, isModels),
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

/** Thoughts are the model's, too, and stand before what it says or calls. */
function isModels({ role, type }: Json): boolean {
  return role === "assistant" || type === "reasoning" || String(type).endsWith("_call");
}

/** Some models have one tool, which runs code, and find the others there. */
const codeTool = "exec";
/** It waits for what it runs, however long that takes, as its model would. */
const codePragma = '// @exec: {"yield_time_ms": 3600000}';
/** Tools that are in no other namespace. */
const plainSpace = "functions";

/** A tool of a namespace has its name in front: `collaboration.spawn_agent`. */
function offersOf(tool: Json): string[] {
  const name = String(tool["name"] ?? tool["type"]);
  if (tool["type"] !== "namespace") return [name];
  const within = list(tool["tools"]).flatMap(offersOf);
  return name === plainSpace ? within : within.map((each) => `${name}.${each}`);
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
  const { think, say, call, refuses } = answer.turn;
  const summary = [{ type: "summary_text", text: think }];
  const thought = { type: "reasoning", id: `rs_${answer.id}`, summary, encrypted_content: null };
  const content = [refuses ? { type: "refusal", refusal: say } : { type: "output_text", text: say, annotations: [] }];
  const message = { type: "message", id: `msg_${answer.id}`, role: "assistant", status: "completed", content };
  const calls = call.map(({ tool, with: input }, at) => {
    const about = { id: `fc_${callId(answer, at)}`, call_id: callId(answer, at), status: "completed" };
    if (!answer.offers.includes(codeTool) || answer.offers.includes(tool))
      return { type: "function_call", ...about, ...toName(tool), arguments: JSON.stringify(input) };
    const code = `${codePragma}
      const { name } = ALL_TOOLS.find((each) => each.name.endsWith("__${tool}"));
      text(await tools[name](${JSON.stringify(input)}));`;
    return { type: "custom_tool_call", ...about, id: `ctc_${callId(answer, at)}`, name: codeTool, input: code };
  });
  return [...(think === "" ? [] : [thought]), ...(say === "" ? [] : [message]), ...calls];
}

function toName(tool: string): Json {
  const [space = "", name] = tool.split(".");
  return name === undefined ? { name: tool } : { name, namespace: space };
}

const emptied: Readonly<Record<string, Json>> = {
  message: { content: [] },
  reasoning: { summary: [] },
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
  if (item["type"] === "reasoning") return [start, ...thoughtPieces(event, item, place), end()];
  const [part] = list(item["content"]);
  if (part?.["type"] === "refusal") return [start, ...refusalPieces(event, part, place), end()];
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

type Event = (type: string, more: Json) => string;

function thoughtPieces(event: Event, item: Json, place: Json): string[] {
  const within = { ...place, summary_index: 0 };
  const [part] = list(item["summary"]);
  const text = String(part?.["text"]);
  return [
    event("response.reasoning_summary_part.added", { ...within, part: { ...part, text: "" } }),
    ...bites(text).map((delta) => event("response.reasoning_summary_text.delta", { ...within, delta })),
    event("response.reasoning_summary_text.done", { ...within, text }),
    event("response.reasoning_summary_part.done", { ...within, part }),
  ];
}

function refusalPieces(event: Event, part: Json, place: Json): string[] {
  const within = { ...place, content_index: 0 };
  const refusal = String(part["refusal"]);
  return [
    event("response.content_part.added", { ...within, part: { ...part, refusal: "" } }),
    ...bites(refusal).map((delta) => event("response.refusal.delta", { ...within, delta })),
    event("response.refusal.done", { ...within, refusal }),
    event("response.content_part.done", { ...within, part }),
  ];
}
