import { expect, test } from "vitest";
import { UnderWay } from "./under-way.ts";

test("what is under way is not begun again, and anew when it was answered, well or not", async () => {
  const underWay = new UnderWay();
  const { promise, resolve } = Promise.withResolvers<boolean>();
  let begun = 0;
  const act = (): Promise<boolean> => {
    begun++;
    return promise;
  };
  const first = underWay.once("remove r_1", act);
  expect(await underWay.once("remove r_1", act)).toBe(false);
  const other = underWay.once("remove r_2", act);
  resolve(true);
  expect([await first, await other, begun]).toEqual([true, true, 2]);

  await expect(underWay.once("remove r_1", () => Promise.reject(new Error("no daemon")))).rejects.toThrow("no daemon");
  expect(await underWay.once("remove r_1", act)).toBe(true);
});
