import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import { DoorKeys } from "./door-keys.ts";

test("[EN35] a token opens its own run's door, also in the next life; a new one alone ends those before", async () => {
  const folder = join(makeTempFolder(), "doors");
  const keys = new DoorKeys(folder);
  const first = await keys.issue("r_1", "one-more");
  const second = await keys.issue("r_1", "one-more");
  const next = new DoorKeys(folder);
  expect(await next.admits("r_1", first)).toBe(true);
  expect(await next.admits("r_1", second)).toBe(true);
  expect(await next.admits("r_2", first)).toBe(false);
  expect(await next.admits("../r_1", first)).toBe(false);
  expect(await next.admits("r_1", "")).toBe(false);
  expect(readFileSync(join(folder, "r_1.keys.json"), "utf8")).not.toContain(first);
  const only = await next.issue("r_1", "only");
  expect(await keys.admits("r_1", first)).toBe(false);
  expect(await keys.admits("r_1", only)).toBe(true);
  await keys.prune((run) => run === "r_1");
  expect(await keys.admits("r_1", only)).toBe(false);
});
