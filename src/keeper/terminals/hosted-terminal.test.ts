import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { noSmallDisks, SmallDisk } from "../../../test/support/small-disk.ts";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import { HostedTerminal } from "./hosted-terminal.ts";

test.skipIf(noSmallDisks)(
  "[TM6] of sizes that come while the disk is full the last one is the terminal's, and few are kept",
  async () => {
    const ground = makeTempFolder();
    SmallDisk.willBeUnmounted(() => ground);
    const disk = SmallDisk.over(ground);
    const folder = join(ground, "te_1");
    const written = Promise.withResolvers<number>();
    const size = { cols: 80, rows: 24 };
    const terminal = new HostedTerminal({ terminal: "te_1", argv: ["sh"], ...size, folder, onSaid: written.resolve });
    disk.fill(0);
    for (let times = 0; times < 20; times++) {
      terminal.resize(100, 30);
      terminal.resize(90, 27);
    }
    // Back to what the screen has by now, as nothing of that is written.
    terminal.resize(80, 24);
    disk.makeRoom();
    await written.promise;
    expect(await terminal.screen(0)).toMatchObject(size);
    await terminal.end();
    const times = readFileSync(join(folder, "times-0"), "utf8").trim().split("\n");
    expect(times.map((line) => (JSON.parse(line) as unknown[]).slice(2))).toEqual([
      [100, 30],
      [80, 24],
    ]);
  },
);
