import { expect, test } from "vitest";
import type { Growing } from "../../ports/growing-words.ts";
import { GrowingSpeech } from "./growing-speech.ts";

const piece = (text: string, parent: string | null = null) => ({ of: "message", text, parent }) as const;
const message = (parent: string | null = null) => ({ is: "message", text: "", parent }) as const;

/** A speech, and what was told of it last since somebody asked. */
function kit(secrets: readonly string[] = []) {
  let told: readonly Growing[] | undefined;
  const speech = new GrowingSpeech(secrets, (words) => (told = words));
  const news = (): readonly Growing[] | undefined => {
    told = undefined;
    speech.publish();
    return told;
  };
  return { speech, news };
}

test("[RN47] what is said grows until it is said to its end, each speaker's by itself", () => {
  const { speech, news } = kit();
  expect(news()).toBeUndefined();
  speech.take([], [piece("I "), piece("be"), piece("From a subagent", "t1")]);
  expect(news()).toEqual([
    { ...piece("I be"), from: 0 },
    { ...piece("From a subagent", "t1"), from: 0 },
  ]);
  expect(news()).toBeUndefined();
  // With the end of one the next may begin.
  speech.take([message()], [piece("And")]);
  expect(news()?.find(({ parent }) => parent === null)).toEqual({ ...piece("And"), from: 0 });
  speech.take([message(), message("t1")], []);
  expect(news()).toEqual([]);
  speech.take([], [piece("more")]);
  expect(news()).toHaveLength(1);
  // What its turn or its life has cut off is never said to its end.
  speech.end();
  expect(news()).toBeUndefined();
});

test("[RN47] of much only the end is told, with where it begins", () => {
  const { speech, news } = kit();
  for (let at = 0; at < 1000; at++) speech.take([], [piece("0123456789")]);
  const [now] = news() ?? [];
  expect([now?.from, now?.text.length]).toEqual([6000, 4000]);
});

test("[RN47] a secret is covered though it comes in pieces, and letters that come in halves are whole", () => {
  const { speech, news } = kit(["sk-canary-5b81e0"]);
  const shown: string[] = [];
  for (const text of ["the key is sk-", "can", "ary-5b8", "1e0 gr", "ün"]) {
    speech.take([], [piece(text)]);
    shown.push(news()?.[0]?.text ?? "");
  }
  expect(shown.at(-1)).toBe("the key is **************** grün");
  expect(shown.join("\n")).not.toMatch(/sk-|canary/);
});
