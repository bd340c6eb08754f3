import {
  type Answer,
  bites,
  countAnswers,
  data,
  json,
  type Json,
  list,
  textOf,
  type WireFormat,
} from "./wire-format.ts";

/** Gemini's generateContent and streamGenerateContent. */
export const geminiFormat: WireFormat = {
  read: (body, path) => {
    const said = list(body["contents"]).filter((content) => content["role"] !== "model");
    const results = list(said.at(-1)?.["parts"]).map((part) => json(part["functionResponse"])["response"]);
    return {
      model: /models\/([^:]+):/.exec(path)?.[1] ?? "",
      firstSaid: textOf(said[0]?.["parts"]),
      lastSaid: textOf(said.at(-1)?.["parts"]),
      toolResults: results.map((result) => (result === undefined ? "" : JSON.stringify(result))).join("\n"),
      answers: countAnswers(list(body["contents"]), ({ role }) => role === "model"),
      offers: list(body["tools"]).flatMap((tool) =>
        list(tool["functionDeclarations"]).map((each) => String(each["name"])),
      ),
      stream: path.includes(":streamGenerateContent"),
    };
  },
  whole: (answer) => chunkOf(answer, partsOf(answer), { isLast: true }),
  pieces: (answer) => {
    const parts = partsOf(answer).flatMap((part) =>
      // A thought comes whole: what thinks aloud there sends its subject and what it thinks in one piece.
      typeof part["text"] === "string" && part["thought"] !== true
        ? bites(part["text"]).map((text) => ({ text }))
        : [part],
    );
    const last = parts.length - 1;
    return parts.map((part, at) => data(chunkOf(answer, [part], { isLast: at === last })));
  },
  error: ({ status, type, message }) => ({ error: { code: status, message, status: type } }),
};

function partsOf({ turn }: Answer): Json[] {
  const calls = turn.call.map(({ tool, with: args }) => ({ functionCall: { name: tool, args } }));
  const thought = turn.think === "" ? [] : [{ text: turn.think, thought: true }];
  return [...thought, ...(turn.say === "" && calls.length > 0 ? [] : [{ text: turn.say }]), ...calls];
}

function chunkOf({ model, id, turn }: Answer, parts: readonly Json[], { isLast }: { isLast: boolean }): Json {
  const { usage, silent } = turn;
  const candidate = {
    index: 0,
    content: { role: "model", parts },
    ...(isLast ? { finishReason: turn.refuses ? "SAFETY" : "STOP" } : {}),
  };
  const counted = {
    promptTokenCount: usage.input + usage.cacheRead,
    cachedContentTokenCount: usage.cacheRead,
    ...(isLast ? { candidatesTokenCount: usage.output } : {}),
    totalTokenCount: usage.input + usage.cacheRead + usage.output,
  };
  return {
    candidates: [candidate],
    modelVersion: model,
    responseId: id,
    ...(silent ? {} : { usageMetadata: counted }),
  };
}
