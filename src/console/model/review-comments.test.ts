import { expect, test } from "vitest";
import { commentKey, noComments, toMessage, withComment } from "./review-comments.ts";

test("what was said of single hunks becomes one message, and empty words take it back", () => {
  const first = withComment(noComments, commentKey("src/a b.ts", "2"), "  use the other name ");
  const both = withComment(first, commentKey("logo.png", ""), "too large");
  expect(toMessage(both)).toBe("Not wanted as it is:\nsrc/a b.ts, hunk 2: use the other name\nlogo.png: too large");
  expect(toMessage(withComment(first, commentKey("src/a b.ts", "2"), " "))).toBe("");
});
