import { expect, test } from "vitest";
import { toSize } from "./size.ts";

test.each([
  [0, "0 B"],
  [1023, "1023 B"],
  [1024, "1.0 KiB"],
  [1536, "1.5 KiB"],
  [10 * 1024, "10 KiB"],
  [1024 * 1024 - 1, "1.0 MiB"],
  [5 * 1024 ** 3, "5.0 GiB"],
  [3000 * 1024 ** 5, "3000 PiB"],
])("%i bytes are %s", (bytes, text) => {
  expect(toSize(bytes)).toBe(text);
});
