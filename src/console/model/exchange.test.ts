import { expect, test } from "vitest";
import { readExchange } from "./exchange.ts";

test("[BG15] a kept request is laid out, and a streamed answer stays as it came, wherever its bytes were cut", () => {
  const kept = {
    v: 1,
    request: "q_1",
    asked: { method: "POST", target: "/v1/messages", body: '{"model":"é"}', isCut: false },
    answered: { status: 200, contentType: "text/event-stream", body: "data: {}\n\n", isCut: true },
  };
  const bytes = new TextEncoder().encode(JSON.stringify(kept));
  const { asked, answered } = readExchange([...bytes].map((byte) => Uint8Array.of(byte)));
  expect(asked.body).toBe('{\n  "model": "é"\n}');
  expect(answered).toMatchObject({ status: 200, body: "data: {}\n\n", isCut: true });
});
