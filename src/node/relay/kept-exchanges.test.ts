import path from "node:path";
import { expect, test } from "vitest";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import { ExchangeFiles } from "./exchange-files.ts";
import { KeptExchanges } from "./kept-exchanges.ts";

const secret = "sk-a-secret-of-somebody";

const exchange = (request: string, body: string) => ({
  request,
  method: "POST",
  target: "/v1/messages",
  body: Buffer.from(body),
  status: 200,
  contentType: "application/json",
  answer: Buffer.from(`{"said":"${secret}"}`),
  isCut: false,
});

test("[BG15] what was kept can be listed and read in parts, as it was written: without secrets", async () => {
  const folder = path.join(makeTempFolder(), "models");
  const files = new ExchangeFiles(folder);
  // More than one piece of what is unpacked at once.
  const long = "é".repeat(200_000);
  for (const request of ["q_z", "q_10", "q_9"]) await files.keep("r_1", exchange(request, long), [secret]);
  const kept = new KeptExchanges(folder);
  const list = await kept.list("r_1");
  expect(list.map(({ request }) => request)).toEqual(["q_9", "q_z", "q_10"]);
  const parts: Buffer[] = [];
  for (let from = 0; ;) {
    const part = await kept.read("r_1", "q_10", { from, limit: 150_001 });
    if (part === undefined || part.bytes.length === 0) break;
    expect(part).toMatchObject({ from, total: list[2]?.bytes });
    parts.push(part.bytes);
    from += part.bytes.length;
  }
  const whole = Buffer.concat(parts);
  expect(whole.length).toBe(list[2]?.bytes);
  expect(JSON.parse(whole.toString("utf8"))).toMatchObject({
    request: "q_10",
    asked: { method: "POST", target: "/v1/messages", body: long },
    answered: { status: 200, body: '{"said":"[redacted]"}' },
  });
});

test("[BG15] what is not there, or not ours, is not read", async () => {
  const kept = new KeptExchanges(makeTempFolder());
  expect(await kept.list("r_1")).toEqual([]);
  for (const name of ["q_1", "../../token", ""])
    expect(await kept.read("r_1", name, { from: 0, limit: 10 })).toBeUndefined();
});
