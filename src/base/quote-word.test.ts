import { expect, test } from "vitest";
import { quoteWord } from "./quote-word.ts";

test.each([
  ["/home/eva/shop", "/home/eva/shop"],
  ["/home/eva/my shop", "'/home/eva/my shop'"],
  ['$(reboot) `x` "y" !z \\', "'$(reboot) `x` \"y\" !z \\'"],
  ["it's", `'it'\\''s'`],
  ["", "''"],
])("a shell reads %j as one word", (word, quoted) => {
  expect(quoteWord(word)).toBe(quoted);
});
