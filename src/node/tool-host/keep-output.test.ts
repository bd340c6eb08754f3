import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import type { KeeperLine } from "../workspace/keepers.ts";
import { keepOutput } from "./keep-output.ts";
import { OutputRooms } from "./output-rooms.ts";
import { shortenOutput } from "./shorten-output.ts";

/** A keeper that has kept the beginning and the end of so many bytes. */
function keeperOf(total: number, head: number, tailFrom: number): KeeperLine {
  const request = (op: { readonly offset?: number; readonly limit?: number }): Promise<unknown> => {
    const { offset: asked = 0, limit = 0 } = op;
    const offset = asked >= head && asked < tailFrom ? tailFrom : asked;
    const end = Math.min(offset < head ? head : total, offset + limit);
    return Promise.resolve({
      base64: Buffer.alloc(Math.max(0, end - offset), "y").toString("base64"),
      offset,
      totalBytes: total,
    });
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

const bounds = {
  wholeBytes: 1_000_000,
  endBytes: 100_000,
  endsBytes: 1_200_000,
  lastBytes: 10_000,
  lastsBytes: 1_600_000,
};

test("[EN56] what commands of a run have said takes a bounded part of the disk, however many there are", async () => {
  const folder = makeTempFolder();
  const fileOf = (call: number): string => join(folder, `${call}/output`);
  const sizeOf = (call: number): number => statSync(fileOf(call)).size;
  const keep = (call: number, bytes: number, rooms: OutputRooms): ReturnType<typeof keepOutput> =>
    keepOutput(keeperOf(bytes, bytes, bytes), String(call), fileOf(call), { rooms });
  const rooms = new OutputRooms(bounds);
  for (const call of [1, 2]) expect(await keep(call, 450_000, rooms)).toMatchObject({ leftOut: 0 });
  // There is no room for a third one like them: its end is kept, and how much is missing is said.
  const said = await keep(3, 450_000, rooms);
  expect(said).toEqual({ total: 450_000, leftOut: 350_000 });
  const kept = readFileSync(fileOf(3), "utf8");
  expect(kept.startsWith("\n[… 350000 bytes left out …]\nyyy")).toBe(true);
  expect(await shortenOutput(fileOf(3), said, "artifact output-3")).toContain(
    "[… 437712 bytes left out; artifact output-3 has all but 350000 of them …]",
  );
  // Whoever comes next goes on from there. What is copied again has its room; short ones are whole, and of the others less and less is kept.
  const next = new OutputRooms(bounds);
  expect(await keep(2, 450_000, next)).toMatchObject({ leftOut: 0 });
  expect(await keep(4, 450_000, next)).toMatchObject({ leftOut: 350_000 });
  expect(await keep(5, 10_000, next)).toMatchObject({ leftOut: 0 });
  for (let call = 6; call < 30; call++) expect(await keep(call, 450_000, next)).toMatchObject({ leftOut: 440_000 });
  expect([sizeOf(2), sizeOf(4) < 100_100, sizeOf(29) < 10_100]).toEqual([450_000, true, true]);
  // What its keeper had not kept either is said in one line.
  expect(await keepOutput(keeperOf(9_000_000, 500_000, 8_960_000), "30", fileOf(30), { rooms: next })).toEqual({
    ...{ total: 9_000_000, leftOut: 8_990_000 },
  });
  expect(readFileSync(fileOf(30), "utf8").match(/left out/g)).toHaveLength(1);
});

test("[EN56] of a service a few lives are kept, and of a hook what there is room for", async () => {
  const folder = makeTempFolder();
  const rooms = new OutputRooms(bounds);
  const keeper = keeperOf(2_000_000, 2_000_000, 2_000_000);
  const keep = (name: string, sayGaps: boolean): ReturnType<typeof keepOutput> =>
    keepOutput(keeper, name, join(folder, name, "output"), { rooms, sayGaps });
  expect(await keep("web-1", false)).toMatchObject({ leftOut: 0 });
  expect(await keep("0-setup-1", true)).toMatchObject({ leftOut: 1_900_000 });
});

test("[EN56] when all of it takes as much as it may, the log alone has the end of what comes after; what is copied again stays", async () => {
  const folder = makeTempFolder();
  const rooms = new OutputRooms({ ...bounds, wholeBytes: 0, endsBytes: 0, lastsBytes: 30_000 });
  const fileOf = (call: number): string => join(folder, `${call}/output`);
  const keep = (call: number, bytes: number): ReturnType<typeof keepOutput> =>
    keepOutput(keeperOf(bytes, bytes, bytes), String(call), fileOf(call), { rooms });
  for (const call of [1, 2]) expect(await keep(call, 50_000)).toEqual({ total: 50_000, leftOut: 40_000 });
  for (const [call, bytes] of [
    [3, 50_000],
    [4, 10],
  ] as const)
    expect(await keep(call, bytes)).toEqual({ total: bytes, leftOut: bytes, none: true });
  expect([readdirSync(join(folder, "3")), readdirSync(join(folder, "4"))]).toEqual([[], []]);
  expect(await keep(2, 50_000)).toEqual({ total: 50_000, leftOut: 40_000 });
});

test("[EN56] all that stem from one run share its room, and what they had before is counted", async () => {
  const folder = makeTempFolder();
  const trees: Readonly<Record<string, string>> = { r_1: "r_1", r_2: "r_1", r_3: "r_3" };
  const kin = {
    treeOf: (id: string) => trees[id],
    membersOf: (tree: string) => Object.keys(trees).filter((id) => trees[id] === tree),
  };
  const keep = (run: string, bytes: number, rooms: OutputRooms): ReturnType<typeof keepOutput> =>
    keepOutput(keeperOf(bytes, bytes, bytes), run, join(folder, run, "1/output"), { rooms });
  const rooms = (): OutputRooms => {
    const made = new OutputRooms(bounds);
    made.share(folder, kin);
    return made;
  };
  const first = rooms();
  expect(await keep("r_2", 700_000, first)).toMatchObject({ leftOut: 0 });
  expect(await keep("r_1", 700_000, first)).toMatchObject({ leftOut: 600_000 });
  expect(await keep("r_1", 700_000, rooms())).toMatchObject({ leftOut: 600_000 });
  expect(await keep("r_3", 700_000, first)).toMatchObject({ leftOut: 0 });
});
