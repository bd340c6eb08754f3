import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { makeTempFolder } from "../../test/support/temp-folder.ts";
import { rehearse } from "./rehearsal.ts";

test("[EN48] a keeper that waits goes through a first write, and nothing is left of it, not even open folders", async () => {
  const folder = makeTempFolder();
  await rehearse(folder);
  const open = readdirSync("/proc/self/fd").length;
  await rehearse(folder);
  expect([readdirSync(folder), readdirSync("/proc/self/fd").length]).toEqual([[], open]);
});
