import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import type { KeeperLine } from "../workspace/keepers.ts";
import { keepOutput } from "./keep-output.ts";
import { shortenOutput } from "./shorten-output.ts";

/** A keeper that has kept the beginning and the end of so many bytes. */
function keeperOf(total: number, head: number, tailFrom: number): KeeperLine {
  const request = (op: { readonly offset?: number; readonly limit?: number }): Promise<unknown> => {
    const { offset: asked = 0, limit = 0 } = op;
    const offset = asked >= head && asked < tailFrom ? tailFrom : asked;
    const end = Math.min(offset < head ? head : total, offset + limit);
    return Promise.resolve({ base64: Buffer.alloc(Math.max(0, end - offset), "y").toString("base64"), offset, total });
  };
  return { request } as unknown as KeeperLine;
}

test.each([
  ["all of it", 100_000, "[… 87712 bytes left out; all of it: artifact output-1 …]"],
  ["not all of it", 60_000, "[… 87712 bytes left out; artifact output-1 has all but 30000 of them …]"],
])("[EN24] of much output an answer says how many bytes it has not, and where those are: %s", async (_, head, gap) => {
  const file = join(makeTempFolder(), "1/output");
  const said = await keepOutput(keeperOf(100_000, head, 90_000), "1", file);
  expect(await shortenOutput(file, said, "artifact output-1")).toContain(gap);
  expect(said).toEqual({ total: 100_000, leftOut: head === 100_000 ? 0 : 30_000 });
  expect(readFileSync(file, "utf8").includes("[… 30000 bytes left out …]")).toBe(head !== 100_000);
});

test("[EN24] what the disk did not take at the end is missing, and that is said", async () => {
  const file = join(makeTempFolder(), "1/output");
  expect(await keepOutput(keeperOf(100, 100, 100), "1", file, { saidBytes: 130 })).toEqual({ total: 130, leftOut: 30 });
  expect(readFileSync(file, "utf8")).toBe(`${"y".repeat(100)}\n[… 30 bytes left out …]\n`);
});

test("[EN24] what was copied of an output does not stay where that fails, nor where a daemon was killed", async () => {
  const file = join(makeTempFolder(), "1/output");
  mkdirSync(dirname(file));
  writeFileSync(join(dirname(file), ".output.0b8f"), "some of it");
  let answers = 0;
  const { request } = keeperOf(10_000_000, 10_000_000, 10_000_000);
  const lost = {
    request: (op: never) => (++answers === 3 ? Promise.reject(new Error("it is gone")) : request(op)),
  } as unknown as KeeperLine;
  await expect(keepOutput(lost, "1", file)).rejects.toThrow("it is gone");
  expect(readdirSync(dirname(file))).toEqual([]);
});
