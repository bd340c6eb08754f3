import { chmodSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import { ClaudeAssistant } from "../../adapters/assistant/claude/claude-assistant.ts";
import { CodexAssistant } from "../../adapters/assistant/codex/codex-assistant.ts";
import { trialBegin } from "../trial-folder.ts";
import { Ways } from "./ways.ts";

/** A program that notes each time that it was begun, and with which home. */
function makeProgram(body: string): { file: string; begun: () => string[] } {
  const folder = makeTempFolder();
  const [file, notes] = [join(folder, "codex"), join(folder, "begun")];
  writeFileSync(notes, "");
  writeFileSync(file, `#!/bin/sh\necho "$1 $CODEX_HOME" >> ${notes}\n${body}\n`);
  chmodSync(file, 0o755);
  return { file, begun: () => readFileSync(notes, "utf8").trim().split("\n") };
}

const codex = new CodexAssistant();
const hello = `echo '{"id":"hello","result":{}}'`;

test("an assistant is spoken to in the way that its program answers to, and the program is tried once", async () => {
  const { file, begun } = makeProgram(`read -r line; echo a word of its own; ${hello}; read -r line`);
  const ways = new Ways(makeTempFolder());
  expect(await Promise.all([ways.of(codex, file), ways.of(codex, file)])).toEqual([codex, codex]);
  expect((await ways.of(codex, file)).way).toBe("app-server");
  expect(begun()).toEqual([expect.stringContaining("app-server ")]);
});

test.each([
  ["has no such way", "exit 2"],
  ["refuses", `read -r line; echo '{"id":"hello","error":{"code":1,"message":"no"}}'`],
  ["ends without an answer", "read -r line"],
])("[AU12] one whose program %s is spoken to in the other way, with nothing of the person's", async (_, body) => {
  const { file, begun } = makeProgram(body);
  const ground = makeTempFolder();
  expect((await new Ways(ground).of(codex, file)).way).toBe("exec");
  // Where an audit finds it, were the daemon killed in the middle.
  expect(begun()).toEqual([expect.stringContaining(`app-server ${ground}/${trialBegin}`)]);
  expect(readdirSync(ground)).toEqual([]);
});

test("a program that cannot be begun has no first way, and an assistant with one way is not tried", async () => {
  const folder = makeTempFolder();
  const file = join(folder, "codex");
  writeFileSync(file, "");
  expect((await new Ways(folder).of(codex, file)).way).toBe("exec");
  const claude = new ClaudeAssistant();
  expect(await new Ways(folder).of(claude, join(folder, "nothing"))).toBe(claude);
});
