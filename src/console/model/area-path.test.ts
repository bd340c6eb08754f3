import { expect, test } from "vitest";
import { toArea } from "./area-path.ts";

const box = { width: 100, height: 20 };

test("an area goes from the first value to the last, as tall as the most of them", () => {
  expect(toArea([0, 5, 10], box)).toEqual({
    ...{ line: "M0 20L50 10L100 0", area: "M0 20L50 10L100 0V20H0Z", last: 10, most: 10 },
  });
});

test("what is not known is left out, and a limit is the top", () => {
  expect(toArea([null, 5, 10], { ...box, top: 20 }).line).toBe("M50 15L100 10");
  expect(toArea([], box)).toEqual({ line: "", area: "", last: null, most: 0 });
  expect(toArea([3], box)).toMatchObject({ line: "", last: 3 });
  expect(toArea([0, 0], box).line).toBe("M0 20L100 20");
});
