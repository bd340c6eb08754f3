import { expect, test } from "vitest";
import { toImage } from "./to-image.ts";
import { UsageError } from "./usage-error.ts";

test("--image and --dockerfile say one thing together, or nothing", () => {
  expect(toImage({})).toBeUndefined();
  expect(toImage({ image: "localhost/box:1" })).toEqual({ name: "localhost/box:1" });
  expect(toImage({ dockerfile: "box/Dockerfile" })).toEqual({ dockerfile: "box/Dockerfile" });
  expect(toImage({ image: "none" })).toBe("none");
  expect(() => toImage({ image: "a", dockerfile: "b" })).toThrow(UsageError);
});
