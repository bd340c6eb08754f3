import { expect, test } from "vitest";
import { withArticle } from "./article.ts";

test("words have the article of their first sound", () => {
  const words = ["agent", "image", "run", "unit", "user", "policy's name", "Agent"];
  expect(words.map(withArticle)).toEqual([
    ...["an agent", "an image", "a run", "a unit", "a user", "a policy's name", "an Agent"],
  ]);
});
