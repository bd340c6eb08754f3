import { join } from "node:path";
import { expect, test } from "vitest";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import { Artifacts } from "./artifacts.ts";

const bytesMax = 40_000;
const asked = `asked-${"a".repeat(40)}`;

test("[RN46] what a run leaves for others is bounded, whatever it calls it, and what is there stays", async () => {
  const folder = join(makeTempFolder(), "r_1");
  const artifacts = new Artifacts(folder, bytesMax);
  await artifacts.attach("design.md", Buffer.alloc(100_000));
  const large = Buffer.alloc(16_000);
  const kept = await Promise.all([
    artifacts.publish("one", large),
    artifacts.keepOwn("own-1-7", "x".repeat(16_000)),
    artifacts.keepOwn(asked, "y"),
    artifacts.publish("two", large),
    artifacts.keepOwn("own-1-9", "x".repeat(16_000)),
    artifacts.publish("one", Buffer.alloc(17_000)),
  ]);
  expect(kept).toEqual([true, true, true, false, false, true]);
  expect((await artifacts.list()).map(({ name, bytes }) => [name, bytes])).toEqual([
    ["attached-design.md", 100_000],
    ["one", 17_000],
    ["own-1-7", 16_000],
    [asked, 1],
  ]);
  // Whoever drives the run next goes on from there. What is written again after a crash has its room, however much there is.
  const next = new Artifacts(folder, 20_000);
  expect([await next.publish("two", large), await next.publish("one", Buffer.alloc(17_000))]).toEqual([false, true]);
});

test("[RN46] however little is in each, a run has no files without end", async () => {
  const artifacts = new Artifacts(makeTempFolder(), bytesMax);
  const names = Array.from({ length: 20 }, (_, at) => `part-${at}`);
  const kept = await Promise.all(names.map((name) => artifacts.publish(name, Buffer.from("x"))));
  expect(kept.filter((isKept) => isKept)).toHaveLength(9);
});
