import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import type { AgentSpec } from "../../core/agent/agent-spec.ts";
import { MadeValues } from "./made-values.ts";

const wanting = (...names: string[]): AgentSpec => ({
  ...{ template: "shop", services: [], faces: [] },
  env: Object.fromEntries(names.map((name) => [name, { generate: "hex" as const, bytes: 8 }])),
});

test("[AG5] what a template wants beyond what was made up is made up, and the rest stays", async () => {
  const folder = makeTempFolder();
  const values = new MadeValues(folder);
  expect(await values.of("a_1", wanting())).toEqual({});
  const { A } = await values.of("a_1", wanting("A"));
  expect(A).toMatch(/^[0-9a-f]{16}$/);
  // Services begin together, and all of them shall have the same.
  const [first, second] = await Promise.all([values.of("a_1", wanting("A", "B")), values.of("a_1", wanting("B", "C"))]);
  expect(first).toMatchObject({ A, B: expect.stringMatching(/^[0-9a-f]{16}$/) as string });
  expect(second).toEqual({ ...first, C: expect.stringMatching(/^[0-9a-f]{16}$/) as string });
  expect(await new MadeValues(folder).of("a_1", wanting("C"))).toEqual(second);
  await values.forget("a_1");
  expect(readdirSync(folder)).toEqual([]);
});

test("[AG5] nothing else is made up in the place of what cannot be read", async () => {
  const folder = makeTempFolder();
  mkdirSync(join(folder, "a_1.json"));
  await expect(new MadeValues(folder).of("a_1", wanting("A"))).rejects.toMatchObject({ code: "EISDIR" });
  expect(readdirSync(folder)).toEqual(["a_1.json"]);
});
