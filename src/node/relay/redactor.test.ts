import { describe, expect, test } from "vitest";
import { MaskStream } from "./mask-stream.ts";
import { finderOf, redact, redacted, redactInTurns } from "./redactor.ts";

const secret = 'pa"ss/word+with ünïcode&more';

describe("what is kept", () => {
  test.each([
    ["plain", secret],
    ["in JSON", JSON.stringify({ secret }).slice(11, -2)],
    ["in a URL", encodeURIComponent(secret)],
    ["in JSON of another hand", String.raw`pa\"ss\/word\u002Bwith \u00fcn\u00EFcode\u0026more`],
    ["in JSON in JSON", String.raw`pa\\\"ss\\/word+with \\u00fcnïcode&more`],
    ["in a URL, in small letters", "pa%22ss%2fword%2bwith%20%c3%bcn%c3%afcode%26more"],
    ["in a form", "pa%22ss%2Fword%2Bwith+%C3%BCn%C3%AFcode%26more"],
    ["in HTML", "pa&quot;ss&#47;word&#x2b;with &#252;n&#xEF;code&amp;more"],
    [
      "as base64 in lines",
      `${Buffer.from(secret).toString("base64").slice(0, 20)}\n  ${Buffer.from(secret).toString("base64").slice(20)}`,
    ],
    ["as hex", Buffer.from(secret).toString("hex")],
    ["as base64", Buffer.from(secret).toString("base64")],
    ["as base64 after one byte", Buffer.from(`a${secret}`).toString("base64")],
    ["as base64 after two bytes and before others", Buffer.from(`ab${secret}yz`).toString("base64")],
    ["as base64url within a header", Buffer.from(`user:${secret}`).toString("base64url")],
  ])("[BG15] a secret is found %s", (_, form) => {
    const clean = redact(`before ${form} after`, ["unrelated-value", secret]);
    expect(clean).toMatch(/^before .{0,8}\[redacted].{0,8} after$/);
  });

  test("[BG15] what is too short to be told from other text is left alone", () => {
    expect(redact("abc and abcabc", ["abc", ""])).toBe("abc and abcabc");
  });
});

describe("what passes", () => {
  const mask = (chunks: readonly string[]): string => {
    const stream = new MaskStream(finderOf(["secret-value"]));
    const parts = [...chunks.map((chunk) => stream.push(Buffer.from(chunk))), stream.end()];
    return Buffer.concat(parts).toString("utf8");
  };

  test("[BG13] a secret is covered wherever it is cut, and nothing else changes", () => {
    const text = "one secret-value, secret-valu and secret-secret-value!";
    const expected = "one ************, secret-valu and secret-************!";
    for (let at = 0; at <= text.length; at++) expect(mask([text.slice(0, at), text.slice(at)])).toBe(expected);
    expect(mask(text.split(""))).toBe(expected);
  });

  test("[BG12] only what may be the beginning of a secret is held back", () => {
    const stream = new MaskStream(finderOf(["secret-value"]));
    expect(stream.push(Buffer.from("all of it may go")).toString()).toBe("all of it may go");
    expect(stream.push(Buffer.from(" but not sec")).toString()).toBe(" but not ");
    expect(stream.push(Buffer.from("ond")).toString()).toBe("second");
  });
});

test("[BG15] a large text is redacted in pieces, as if it were one", async () => {
  const secret = "sk-ant-api03-aBc/dEf+0123456789";
  const spelled = [
    secret,
    JSON.stringify(secret).replaceAll("/", String.raw`\\/`),
    Buffer.from(secret).toString("hex"),
  ];
  const filler = "0x0x\\n sk-ant-api03- 73 6b ".repeat(977);
  const text = Array.from({ length: 24 }, (_, at) => `${filler.slice(at * 131)}${spelled[at % 3]}`).join("");
  expect(text.length).toBeGreaterThan(300_000);
  const clean = await redactInTurns(text, [secret]);
  expect(clean).toBe(redact(text, [secret]));
  expect(clean.split(redacted)).toHaveLength(25);
});
