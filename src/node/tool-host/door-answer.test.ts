import { expect, test } from "vitest";
import { withOversized, yes } from "./door-answer.ts";

test("[LD57] an answer names the files that have become too large to land, and only where there are some", () => {
  expect(withOversized(yes("done"), [])).toEqual(yes("done"));
  const files = [
    { path: "a.bin", bytes: 2 * 1024 ** 3 },
    { path: "b.bin", bytes: 1024 ** 3 + 1 },
  ];
  const names =
    "too large, so it is scratch: it stays in the workspace for commands, never lands, and goes with the run: a.bin (2048 MiB), b.bin (1025 MiB)";
  expect(withOversized(yes("done"), files)).toEqual(yes(`done\n${names}`));
  const no = { ok: false, code: "exit-nonzero", message: "make ended with 2" } as const;
  expect(withOversized(no, files)).toEqual({ ...no, message: `make ended with 2; ${names}` });
});
