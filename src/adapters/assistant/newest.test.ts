import { expect, test } from "vitest";
import { Newest } from "./newest.ts";

test("has the newest of what was put in, however many names are invented, and none by a name that nobody would use", () => {
  const newest = new Newest<number>();
  for (let at = 0; at < 1500; at++) newest.set(`c${at}`, at);
  newest.set("n".repeat(201), 1);
  expect([newest.get("c499"), newest.get("c500"), newest.values()]).toEqual([
    undefined,
    500,
    Array.from({ length: 1000 }, (_, at) => at + 500),
  ]);
  expect([newest.take("c500"), newest.take("c500")]).toEqual([500, undefined]);
  expect(newest.entries()[0]).toEqual(["c501", 501]);
});
