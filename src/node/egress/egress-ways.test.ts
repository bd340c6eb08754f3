import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { expectFault } from "../../../test/support/expect-fault.ts";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import { TestClock } from "../../../test/support/test-clock.ts";
import { EgressWays, type Traveller } from "./egress-ways.ts";

const nobody = { uid: -7, gid: -7 };

function made(owner = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }): {
  ways: EgressWays;
  folder: string;
} {
  const folder = join(makeTempFolder(), "ways");
  return { ways: new EgressWays({ folder, owner, clock: new TestClock(), resolve: async () => [] }), folder };
}

function traveller(run: string): Traveller {
  return {
    owner: { run },
    name: run,
    project: () => "shop",
    egress: () => ({ kind: "none", allow: [], policy: null }),
    report: async () => true,
  };
}

/** Whether somebody listens there. */
function listens(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const wire = connect(socket);
    wire.once("connect", () => resolve(true));
    wire.once("error", () => resolve(false));
    wire.once("connect", () => wire.destroy());
  });
}

/** The sockets that anybody has open beneath a folder, also where their names are gone from it. */
function openIn(folder: string): string[] {
  const lines = readFileSync("/proc/net/unix", "utf8").split("\n");
  return lines.filter((line) => line.includes(`${folder}/`));
}

describe("the ways of runs", () => {
  test("[EG11] a way that could not be made whole listens to nobody, and the next one is made anew", async () => {
    const { ways, folder } = made(nobody);
    await expect(ways.open(traveller("r_1"))).rejects.toThrow("out of range");
    expect(openIn(folder)).toEqual([]);
    await ways.end("r_1");
    expect(readdirSync(folder)).toEqual([]);
  });

  test("[EG11] however opening and ending fall together, the last word holds, and nothing is left at the end", async () => {
    const { ways, folder } = made();
    mkdirSync(folder);
    writeFileSync(join(folder, "r_1.sock"), "left by an earlier daemon");
    const clearing = ways.clear();
    const opening = ways.open(traveller("r_1"));
    const ending = ways.end("r_1");
    const again = ways.open(traveller("r_1"));
    await Promise.all([clearing, opening, ending, again]);
    expect(openIn(folder)).toHaveLength(1);
    expect(await listens(join(folder, "r_1.sock"))).toBe(true);
    const late = ways.open(traveller("r_2"));
    await Promise.allSettled([late, ways.close()]);
    expect(openIn(folder)).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
    await expectFault(ways.open(traveller("r_3")), "closing");
  });

  test("[EG11] a socket that somebody took away is no reason to stay", async () => {
    const { ways, folder } = made();
    await ways.open(traveller("r_1"));
    rmSync(join(folder, "r_1.sock"));
    await ways.close();
    expect(openIn(folder)).toEqual([]);
  });
});
