import { expect, test } from "vitest";
import { limits } from "../protocol/limits.ts";
import { MessageLines } from "./message-lines.ts";

type Answer = { readonly id: unknown; readonly error: { readonly data: { readonly code: string } } };

async function sent(chunks: readonly string[]): Promise<{ passed: string[]; answers: string[] }> {
  const answers: string[] = [];
  const lines = new MessageLines((line) => {
    const { id, error } = JSON.parse(line) as Answer;
    answers.push(`${JSON.stringify(id)} ${error.data.code}`);
  });
  for (const chunk of chunks) lines.write(chunk);
  lines.end();
  const passed: string[] = [];
  for await (const chunk of lines) passed.push(String(chunk));
  return { passed, answers };
}

test("messages pass one by one, however they were cut", async () => {
  const { passed, answers } = await sent(['{"id":1}\n\n{"i', 'd":2}\r\n{"id":"ü', '"}\n{"id":4}']);
  expect(passed).toEqual(['{"id":1}\n', '{"id":2}\r\n', '{"id":"ü"}\n', '{"id":4}\n']);
  expect(answers).toEqual([]);
});

const long = "x".repeat(limits.requestBytesMax * 4);

test.each([
  ["at its beginning", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"a":"${long}"}}`, "7 too-large"],
  ["at its end", `{"method":"tools/call","params":{"a":"${long}"},"jsonrpc":"2.0","id":"q-1"}`, '"q-1" too-large'],
  ["nowhere", `{"params":{"a":"${long}","id":7}}`, "null too-large"],
  ["in something that is no JSON", '{"id":3,"method":oops}', "3 bad-input"],
  ["in something with a field twice", '{"id":3,"a":1,"a":2}', "3 bad-input"],
])("one that cannot be taken is answered, and the next one passes: its id is %s", async (_, message, answer) => {
  const { passed, answers } = await sent([message.slice(0, 900_000), message.slice(900_000), '\n{"id":8}\n']);
  expect(answers).toEqual([answer]);
  expect(passed).toEqual(['{"id":8}\n']);
});
