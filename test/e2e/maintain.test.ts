// Tidying up, as people see it: what goes, what stays, and when it was last.

import { appendFileSync, existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { MaintenanceRound } from "../../src/protocol/wire/maintenance.ts";
import type { Status } from "../../src/protocol/wire/status.ts";
import { Sandbox } from "./cli-process.ts";

const box = new Sandbox();

beforeAll(async () => {
  writeFileSync(join(box.project, "a.txt"), "a\n");
  await box.ok("up", "-d", "--port", "0", "--maintain", "6h");
  await box.ok("project", "add", ".");
});
afterAll(() => box.close());

const jobOf = ({ jobs }: MaintenanceRound, name: string) => jobs.find(({ job }) => job === name);

test("[MT1, MT2, MT3] says what would go, lets it go, and is told of also after a restart", async () => {
  const before = await box.json<Status>("status");
  expect(before.maintenance).toEqual({ everyMs: 6 * 3_600_000, last: null, room: null });
  // What the daemon said goes on in the same file after its end was put aside.
  const output = join(box.home, "log/daemon.log");
  appendFileSync(output, Buffer.alloc(17 * 1024 * 1024, "x"));
  const look = await box.json<MaintenanceRound>("maintain", "--dry-run");
  expect(look.jobs.map(({ job, failed }) => [job, failed])).toEqual(
    ["recordings", "run-outputs", "garbage", "images", "leftovers", "output", "log"].map((job) => [job, null]),
  );
  expect(jobOf(look, "output")).toMatchObject({ count: 1 });
  expect(existsSync(`${output}.1`)).toBe(false);
  const done = await box.json<MaintenanceRound>("maintain");
  expect(jobOf(done, "output")).toEqual(jobOf(look, "output"));
  expect(statSync(output).size).toBeLessThan(1024 * 1024);
  expect(statSync(`${output}.1`).size).toBe(4 * 1024 * 1024);
  await box.ok("down");
  await box.ok("up", "-d", "--port", "0", "--maintain", "off");
  const after = await box.json<Status>("status");
  const last = { atMs: done.atMs, bytes: done.bytes, failed: 0 };
  expect(after.maintenance).toEqual({ everyMs: null, last, room: null });
  expect(await box.ok("status")).toMatch(/tidied +\S+ ago, 13 MiB let go; not by itself/);
  const doctor = await box.run("doctor");
  expect(doctor.stdout).toMatch(/maintenance.*13 MiB were let go/);
});
