import { expect, test } from "vitest";
import { readLandBytesMax } from "./land-bytes.ts";

const readMax = (wish: string | undefined): number | undefined => readLandBytesMax({ SIGNALBOX_FILE_BYTES_MAX: wish });

test("[LD57] how large a file may be is said with a unit or in bytes, and nothing else", () => {
  expect(readMax(undefined)).toBeUndefined();
  expect(readMax("")).toBeUndefined();
  expect(readMax("512MiB")).toBe(512 * 1024 * 1024);
  expect(readMax("1.5GiB")).toBe(1.5 * 1024 ** 3);
  expect(readMax("1000")).toBe(1000);
  for (const wish of ["0", "0MiB", "-1", "much", "1e9", "10 MiB"])
    expect(() => readMax(wish)).toThrow(/SIGNALBOX_FILE_BYTES_MAX is ".*"; it may be a size such as 512MiB/);
});
