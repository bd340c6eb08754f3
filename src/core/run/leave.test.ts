import { expect, test } from "vitest";
import { readVerdict } from "./leave.ts";

test.each(["allow", " Allow.\n", "yes", "OK!", "y"])("[RN26] %j gives leave", (text) => {
  expect(readVerdict(text)).toEqual({ allows: true });
});

test.each([
  ["deny", null],
  [" No.\n", null],
  ["n", null],
  ["deny: build it in out/ instead", "build it in out/ instead"],
  ["No, not on a Friday.\nAsk Ann.", "not on a Friday.\nAsk Ann."],
])("[RN26] %j refuses it", (text, why) => {
  expect(readVerdict(text)).toEqual({ allows: false, why });
});

test.each(["", "allow? no", "yes, but only a.txt", "no\n\nallow", "no problem", "allow it", "later", "deny:"])(
  "[RN26] %j is neither",
  (text) => {
    expect(readVerdict(text)).toBeUndefined();
  },
);
