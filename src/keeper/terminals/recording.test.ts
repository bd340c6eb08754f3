// Recordings on a disk that is full for a while, for real.

import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { noSmallDisks, SmallDisk } from "../../../test/support/small-disk.ts";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import { readRecording, Recording } from "./recording.ts";

const head = { version: 1, terminal: "te_1", argv: ["sh"], cols: 20, rows: 5, wallMs: 1000 } as const;

function onSmallDisk(): { disk: SmallDisk; folder: string; recording: Recording } {
  const ground = makeTempFolder();
  SmallDisk.willBeUnmounted(() => ground);
  const disk = SmallDisk.over(ground);
  const folder = join(ground, "te_1");
  const size = { pieceBytesMax: 100_000, piecesMax: 4 };
  return { disk, folder, recording: new Recording(folder, head, size, everyMs(100)) };
}

/** A clock that goes on by so much each time that somebody looks. */
function everyMs(ms: number): () => number {
  let nowMs = 0;
  return () => (nowMs += ms);
}

const all = (folder: string): string => {
  let text = "";
  for (let at = 0; ;) {
    const { bytes, total } = readRecording(folder, at, 1_000_000);
    text += bytes.toString();
    at += bytes.length;
    if (at >= total) return text;
  }
};

const timesOf = (folder: string): unknown[] =>
  readdirSync(folder)
    .filter((name) => name.startsWith("times-"))
    .toSorted((a, b) => Number(a.slice(6)) - Number(b.slice(6)))
    .flatMap((name) => readFileSync(join(folder, name), "utf8").trim().split("\n"))
    .map((line) => JSON.parse(line) as unknown);

test.skipIf(noSmallDisks)("[TM3] what a full disk took a part of is there once when it is written again", () => {
  const { disk, folder, recording } = onSmallDisk();
  recording.write(Buffer.from("first "));
  disk.fill(8192);
  const second = Buffer.from("x".repeat(50_000));
  for (let times = 0; times < 3; times++) expect(() => recording.write(second)).toThrow("ENOSPC");
  expect(recording.total).toBe(6);
  disk.makeRoom();
  recording.write(second);
  recording.resize(30, 6);
  recording.close();
  expect(all(folder)).toBe(`first ${second.toString()}`);
  expect(timesOf(folder)).toEqual([
    [expect.any(Number), 6],
    [expect.any(Number), 50_006],
    [expect.any(Number), 50_006, 30, 6],
  ]);
});

test.skipIf(noSmallDisks)(
  "[TM3] a piece that cannot be begun on a full disk is begun later, and nothing is lost",
  () => {
    const { disk, folder, recording } = onSmallDisk();
    recording.write(Buffer.from("1".repeat(60_000)));
    disk.fill(8192);
    for (let times = 0; times < 3; times++) expect(() => recording.cut("s".repeat(50_000))).toThrow("ENOSPC");
    disk.makeRoom();
    // Where only one of its files can be had, none is.
    const inTheWay = join(folder, "bytes-60000");
    writeFileSync(inTheWay, "");
    for (let times = 0; times < 3; times++) expect(() => recording.cut("screen")).toThrow("EEXIST");
    rmSync(inTheWay);
    recording.write(Buffer.from("in the old one"));
    recording.cut("screen");
    recording.write(Buffer.from("2".repeat(10)));
    recording.close();
    expect(all(folder)).toBe(`${"1".repeat(60_000)}in the old one${"2".repeat(10)}`);
    expect(timesOf(folder)).toHaveLength(3);
  },
);

test("[TM3] who says one letter at a time has fewer times than letters, and each letter has one", () => {
  const folder = join(makeTempFolder(), "te_1");
  let nowMs = 0;
  const recording = new Recording(folder, head, { pieceBytesMax: 1_000_000, piecesMax: 4 }, () => nowMs);
  const say = (text: string, afterMs: number): void => {
    nowMs += afterMs;
    recording.write(Buffer.from(text));
  };
  for (let at = 0; at < 1000; at++) say("x", 1);
  expect([timesOf(folder).length, timesOf(folder).at(-1)]).toEqual([33, [993, 1000]]);
  say("word", 50);
  say("y".repeat(40), 7);
  recording.resize(30, 6);
  for (const text of ["a", "b"]) say(text, 20);
  recording.cut("screen");
  say("c", 1);
  recording.close();
  expect(all(folder)).toBe(`${"x".repeat(1000)}word${"y".repeat(40)}abc`);
  expect(timesOf(folder).slice(33)).toEqual([
    [1050, 1044],
    [1057, 1044, 30, 6],
    [1077, 1046],
    [1098, 1047],
  ]);
});
