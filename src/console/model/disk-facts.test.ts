import { expect, test } from "vitest";
import { toDiskFacts } from "./disk-facts.ts";

const point = { atMs: 1, cpu: 0, memoryBytes: 1, files: 1, processes: 1, diskBytes: null };

test("[AU32] what is known of the disk of a service is said, and nothing where nothing is", () => {
  expect(toDiskFacts([])).toBe("");
  // As an earlier release noted it.
  expect(toDiskFacts([point])).toBe("");
  expect(toDiskFacts([{ ...point, writtenBytes: 2048 }])).toBe("2.0 KB written by its processes");
  const looked = { ...point, diskBytes: 3 * 1024 ** 2, writtenBytes: 1 };
  expect(toDiskFacts([looked, { ...point, writtenBytes: 2048 }])).toBe(
    "3.0 MB in folders of its own, 2.0 KB written by its processes",
  );
  expect(toDiskFacts([looked, { ...point, processes: 0, writtenBytes: 0 }])).toBe("3.0 MB in folders of its own");
});
