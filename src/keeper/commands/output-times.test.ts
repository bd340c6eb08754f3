import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import { OutputFile, readOutput } from "./output-file.ts";
import { OutputTimes } from "./output-times.ts";

class Said {
  readonly folder = makeTempFolder();
  nowMs = 1000;
  readonly file = new OutputFile(this.folder, {
    rotation: { bytes: 100, keep: 2 },
    times: new OutputTimes(this.folder, () => this.nowMs),
  });

  say(text: string, afterMs: number): this {
    this.nowMs += afterMs;
    this.file.write(Buffer.from(text));
    return this;
  }

  timesAt(offset: number, limit = 1000): unknown {
    return readOutput(this.folder, offset, limit).times;
  }
}

test("[SV14] what is said is read with when, and the time of what goes before a part comes with it", () => {
  const said = new Said().say("a".repeat(40), 0).say("b".repeat(40), 3);
  expect(said.timesAt(0)).toEqual([
    [0, 1000],
    [40, 1003],
  ]);
  expect(said.timesAt(20, 5)).toEqual([[0, 1000]]);
  expect(said.timesAt(41)).toEqual([[40, 1003]]);
});

test("[SV14] times are no larger than what was said, but for whoever says little", () => {
  const said = new Said();
  for (let count = 0; count < 30; count++) said.say(".", 1);
  expect(said.timesAt(0)).toEqual([[0, 1001]]);
  said.say(".", 500);
  expect(said.timesAt(30)).toEqual([[30, 1530]]);
});

test("[SV14, SV10] they go with the files that they are about, and begin with each of them", () => {
  const said = new Said();
  for (let count = 0; count < 5; count++) said.say("x".repeat(100), 10);
  expect(readdirSync(said.folder).toSorted()).toEqual([
    ...["output-200", "output-300", "output-400", "times-200", "times-300", "times-400"],
  ]);
  expect(said.timesAt(0)).toEqual([[200, 1030]]);
  said.file.close();
});

test("[SV14] output that was kept without them is read without", () => {
  const folder = makeTempFolder();
  new OutputFile(folder).write(Buffer.from("old\n"));
  expect(readOutput(folder, 0, 10)).not.toHaveProperty("times");
});
