import { expect, test } from "vitest";
import { LineSearch } from "./line-search.ts";

test("[SV12] lines are found wherever the pieces were cut, with where they stand", () => {
  const text = "first ä\nERROR one\r\nfine\nERROR two";
  const bytes = Buffer.from(text);
  for (let cut = 0; cut <= bytes.length; cut++) {
    const search = new LineSearch("ERROR", 10);
    search.begin(3);
    search.push(bytes.subarray(0, cut), 0);
    search.push(bytes.subarray(cut), cut);
    search.end();
    expect(search.found).toEqual([
      { life: 3, offset: 9, line: "ERROR one" },
      { life: 3, offset: 25, line: "ERROR two" },
    ]);
  }
});

test("[SV12] halves of lines between which something was let go are not put together", () => {
  const search = new LineSearch("ab", 10);
  search.push(Buffer.from("xa"), 0);
  search.push(Buffer.from("b\nab\n"), 100);
  search.end();
  expect(search.found).toEqual([{ life: 0, offset: 102, line: "ab" }]);
});

test("[SV12] the newest are kept, and a line without end takes no more memory than others", () => {
  const search = new LineSearch("x", 2);
  search.push(Buffer.from("x1\nx2\nx3\n"), 0);
  expect(search.more).toBe(true);
  expect(search.found.map(({ line }) => line)).toEqual(["x2", "x3"]);
  const long = new LineSearch("needle", 2);
  const bytes = Buffer.from(`${"a".repeat(200_000)}needle${"a".repeat(200_000)}`);
  for (let at = 0; at < bytes.length; at += 50_000) long.push(bytes.subarray(at, at + 50_000), at);
  long.end();
  expect(long.found).toHaveLength(1);
  expect(long.found[0]?.line).toHaveLength(2000);
  expect(long.found[0]?.offset).toBeLessThanOrEqual(200_000);
});
