import { expect, test } from "vitest";
import { lastWords } from "./last-words.ts";

test.each([
  ["the last line", "one\ntwo\n\n", "two"],
  ["not colours", "\u001B[31mred\u001B[0m\n", "red"],
  ["not where it was", "Error: no\n    at a (b.js:1:2)\n\nNode.js v24.21.0\n", "Error: no"],
  [
    "not what else Node knows of it",
    "Error: listen EADDRINUSE\n    at a {\n  code: 'EADDRINUSE',\n  errno: -98,\n  syscall: 'listen',\n  port: 80\n}\n",
    "Error: listen EADDRINUSE",
  ],
  [
    "not by which files a module was wanted, nor what a runner of tests counts",
    "Error: Cannot find module 'express'\nRequire stack:\n- /p/a.test.js\n    at a (b:1:2) {\n  code: 'MODULE_NOT_FOUND',\n  requireStack: [ '/p/a.test.js' ]\n}\n✖ a.test.js (17.1ms)\nℹ tests 1\nℹ fail 1\n\n✖ failing tests:\n\ntest at a.test.js:1:1\n✖ a.test.js (17.1ms)\n  'test failed'\n",
    "Error: Cannot find module 'express'",
  ],
  [
    "not who else was ended",
    "boom: it broke\nnpm error Lifecycle script `test` failed\nnpm error code 1\n",
    "boom: it broke",
  ],
  [
    "npm's reason, where npm alone speaks",
    'npm error code E1\nnpm error Missing script: "dev"\nnpm error\nnpm error To see a list of scripts, run:\nnpm error   npm run\nnpm error A complete log of this run can be found in: /x\n',
    'npm error Missing script: "dev"',
  ],
  ["nothing of nothing", " \n…\n", ""],
])("of an output, %s", (_, output, said) => {
  expect(lastWords(output)).toBe(said);
});

test("a long line is cut", () => {
  expect(lastWords("a".repeat(1000))).toBe(`${"a".repeat(199)}…`);
});
