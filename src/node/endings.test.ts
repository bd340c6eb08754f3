import { expect, test } from "vitest";
import { Endings } from "./endings.ts";

test("[AU3] what was being ended is waited for, and what does not end is named", async () => {
  const endings = new Endings();
  expect(await endings.settled(1000)).toEqual(new Set());
  const soon = Promise.withResolvers<void>();
  endings.note("r_1", soon.promise);
  const settled = endings.settled(600_000);
  // What begins meanwhile is not waited for: there may always be more.
  endings.note("r_2", new Promise(() => undefined));
  soon.resolve();
  expect(await settled).toEqual(new Set());
  expect(await endings.settled(1)).toEqual(new Set(["r_2"]));
});
