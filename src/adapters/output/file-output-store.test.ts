import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { toMarkBytes } from "../../base/time-marks.ts";
import { FileOutputStore } from "./file-output-store.ts";

let folder: string;
let store: FileOutputStore;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "sb-output-"));
  await mkdir(path.join(folder, "calls/r_1a/3"), { recursive: true });
  await writeFile(path.join(folder, "calls/r_1a/3/output"), "0123456789");
  await writeFile(path.join(folder, "output"), "not an output");
  store = new FileOutputStore(path.join(folder, "calls"));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test.each([
  [{ offset: 0, limit: 4 }, "0123", 0],
  [{ offset: 8, limit: 4 }, "89", 8],
  [{ offset: -3, limit: 100 }, "789", 7],
  [{ offset: -50, limit: 2 }, "01", 0],
  [{ offset: 50, limit: 2 }, "", 10],
])("an output is read from %j", async (from, text, offset) => {
  const kept = await store.read("r_1a/3/output", from);
  expect(kept === null ? null : { ...kept, bytes: Buffer.from(kept.bytes).toString() }).toEqual({
    bytes: text,
    offset,
    size: 10,
  });
});

test.each([
  [{ offset: 0, limit: 4 }, "01", 0],
  [{ offset: 50, limit: 4 }, "2345", 100],
  [{ offset: 103, limit: 9 }, "5678", 103],
  [{ offset: 107, limit: 9 }, "9", 500],
  [{ offset: -1, limit: 9 }, "9", 500],
  [{ offset: 501, limit: 9 }, "", 501],
])("[SV11] of an output with gaps, bytes stand where they stood in the whole: %j", async (from, text, offset) => {
  await mkdir(path.join(folder, "calls/a_1/web.2-7"), { recursive: true });
  await writeFile(path.join(folder, "calls/a_1/web.2-7/output"), "0123456789");
  const pieces = JSON.stringify([
    { from: 100, at: 2 },
    { from: 500, at: 9 },
  ]);
  await writeFile(path.join(folder, "calls/a_1/web.2-7/output.pieces"), pieces);
  const kept = await store.read("a_1/web.2-7/output", from);
  expect(kept === null ? null : { ...kept, bytes: Buffer.from(kept.bytes).toString() }).toEqual({
    bytes: text,
    offset,
    size: 501,
  });
});

test("[SV14] an output with times is read with those of the part, also after a gap", async () => {
  await mkdir(path.join(folder, "calls/a_1/db-3"), { recursive: true });
  await writeFile(path.join(folder, "calls/a_1/db-3/output"), "0123456789");
  await writeFile(path.join(folder, "calls/a_1/db-3/output.pieces"), JSON.stringify([{ from: 100, at: 5 }]));
  const times = [
    [0, 7000],
    [103, 9000],
  ] as const;
  await writeFile(path.join(folder, "calls/a_1/db-3/output.times"), toMarkBytes(times));
  expect((await store.read("a_1/db-3/output", { offset: 2, limit: 3 }))?.times).toEqual([[0, 7000]]);
  expect((await store.read("a_1/db-3/output", { offset: -5, limit: 5 }))?.times).toEqual(times);
});

test.each(["", "r_1a/4/output", "r_1a/../output", "../output", "r_1a/3", "/etc/passwd", "r_1a/3/../../../output"])(
  "nothing is kept under %j",
  async (name) => {
    expect(await store.read(name, { offset: 0, limit: 10 })).toBeNull();
  },
);
