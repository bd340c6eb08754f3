import { expect, test } from "vitest";
import { parseScript } from "../../protocol/script.ts";
import { readScript } from "./script-reader.ts";

const long = (steps: string): string => `task: x\nsteps:\n${steps.repeat(Math.ceil(200_000 / steps.length))}`;

test("a script is read the same, whether short or long, right or wrong", async () => {
  const texts = [
    "task: x\nsteps: [{ say: hi }]",
    "task: x\nsteps: [{ fly: 1 }]",
    long("- write: { path: a.txt, content: some words }\n"),
    long("- fly: away\n"),
  ];
  const read = await Promise.all(texts.map((text) => readScript(text)));
  expect(read).toEqual(texts.map((text) => parseScript(text)));
});

test("while a long one is read, everybody else goes on", async () => {
  const text = `a: [${",".repeat(250_000)}]`;
  const turns: number[] = [];
  const turn = setInterval(() => turns.push(1), 1);
  const reading = readScript(text);
  await reading;
  clearInterval(turn);
  expect(await reading).toMatchObject({ ok: false, refusal: { where: "the text" } });
  expect(turns.length).toBeGreaterThan(20);
});
