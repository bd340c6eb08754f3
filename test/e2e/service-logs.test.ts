// A service that floods, and what is left of it on the disk: while it runs, through another daemon, and when it is over.

import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { OutputOf } from "../../src/protocol/operations.ts";
import { AgentRig } from "../support/agent-rig.ts";
import { noCages } from "../support/keeper-rig.ts";

const KiB = 1024;
const keep = 2;
/** Those that are full, and the one that is written. */
const keptMax = (keep + 1) * 64 * KiB;

describe.skipIf(noCages)("a service that floods", () => {
  const rig = AgentRig.forAll({ "a.txt": "a\n" });

  /** What files below a folder of the daemon take that keep what a life has said. */
  function onDisk(folder: string): number {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true, encoding: "utf8" });
    const own = files.filter((each) => each.isFile() && /flood-1(?:\/|$)/.test(each.parentPath));
    return own.reduce((sum, { parentPath, name }) => sum + sizeOf(join(parentPath, name)), 0);
  }

  test("[SV10, SV11] has files of the size that its template says, and so many of them", async () => {
    // Not so fast that no file is there for long enough to be looked at.
    const script = "while :; do yes flooding | head -c 32400; sleep 0.02; done";
    const flood = `{ command: '${script}', logs: { max_size: 64KiB, keep: ${keep} }, restart: never }`;
    const agent = await rig.up(`template: shop\nservices:\n  flood: ${flood}\n`);
    const read = (offset?: number): Promise<OutputOf<"service.output">> =>
      rig.call("service.output", { agent: agent.id, service: "flood", ...(offset === undefined ? {} : { offset }) });
    const untilSaid = async (bytes: number): Promise<void> => {
      await expect.poll(async () => (await read()).size, { timeout: 60_000 }).toBeGreaterThan(bytes);
    };
    const { home } = rig.daemon;
    await untilSaid(8 * keptMax);
    expect(onDisk(home)).toBeGreaterThan(64 * KiB);
    // Times of what was said go with it, and are a part of it at most.
    expect(onDisk(home)).toBeLessThan(keptMax * 1.5);
    const first = await read(0);
    expect(first.offset).toBeGreaterThan(keptMax);
    expect(first.text).toMatch(/^[a-z]*\n(?:flooding\n)+[a-z]*$/);
    await rig.restartDaemon();
    await untilSaid((await read()).size + 8 * keptMax);
    expect(onDisk(home)).toBeLessThan(keptMax * 1.5);
    await rig.call("service.stop", { agent: agent.id, service: "flood" });
    await rig.settled(agent);
    const last = await read();
    expect(last).toMatchObject({ ended: true, life: 1 });
    expect(last.text).toContain("flooding\nflooding\n");
    await expect.poll(() => onDisk(home)).toBeLessThan(keptMax * 1.5);
    expect((await read(0)).offset).toBeGreaterThan(16 * keptMax);
  });
});

/** Nothing where it has just given way to newer ones. */
function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
