import { expect, test } from "vitest";
import type { Client } from "../../client/client.ts";
import { LogReader } from "./log-reader.ts";

test("what services had said is told apart from what they say while one listens, also after the daemon was away", async () => {
  const said = { web: "", db: "" };
  const call = (_: string, { service, offset }: { service: "web" | "db"; offset?: number }): Promise<unknown> => {
    const bytes = Buffer.from(said[service]);
    const from = offset ?? 0;
    return Promise.resolve({
      ...{ life: 1, base64: bytes.subarray(from).toString("base64"), offset: from, size: bytes.length, ended: false },
    });
  };
  const reader = new LogReader("a_1");
  const services = [
    { name: "web", life: 1 },
    { name: "db", life: 1 },
  ];
  /** Listens for so many rounds, and something is said before each. */
  const listen = async (...rounds: readonly Partial<typeof said>[]): Promise<void> => {
    const gone = new AbortController();
    const left = [...rounds];
    const say = (): void => {
      const next = left.shift();
      if (next === undefined) gone.abort();
      said.web += next?.web ?? "";
      said.db += next?.db ?? "";
    };
    say();
    await reader.follow({ call } as unknown as Client, () => services, say, gone.signal);
  };
  await listen({ web: "old 1\n", db: "old 2\n" }, { web: "new 3\n" });
  await listen({ db: "missed 4\n" }, { db: "new 5\n" });
  expect(reader.log.lines.map(({ text, isEarlier }) => [text, isEarlier])).toEqual([
    ["old 1", true],
    ["old 2", true],
    ["new 3", false],
    ["missed 4", true],
    ["new 5", false],
  ]);
});
