import { expect, test } from "vitest";
import { AnswerMeter } from "./answer-meter.ts";

const ask = { model: "m", turn: true, same: "", inputTokens: 7, outputTokens: 1000, body: Buffer.alloc(0) };

test.each(["text/event-stream", "application/json"])(
  "[BG14] an answer that is nested without bound is metered like any other, streamed or not: %s",
  (type) => {
    const deep = `${'{"a":'.repeat(100_000)}{"text":"twelve bytes"}${"}".repeat(100_000)}`;
    const meter = new AnswerMeter("anthropic", type);
    meter.push(Buffer.from(type.startsWith("text") ? `data: ${deep}\n\n` : deep));
    expect(meter.end(ask, false)).toMatchObject({ extent: "partial", usage: { outputTokens: 6 } });
  },
);

test.each(["text/event-stream", "application/json"])(
  "[BG14] a piece with values without end is not read, and reckoned as if all of it were words: %s",
  (type) => {
    const wide = `{"text":"x","more":[${"[],".repeat(500_000)}[]]}`;
    const meter = new AnswerMeter("anthropic", type);
    meter.push(Buffer.from(type.startsWith("text") ? `data: ${wide}\n\n` : wide));
    const usage = { outputTokens: ask.outputTokens };
    expect(meter.end(ask, true)).toMatchObject({ extent: "partial", isUnfinished: false, usage });
  },
);
