import fs from "node:fs";
import { expect, test } from "vitest";
import { tellStory } from "../../../test/support/lease-story.ts";

// Commands and their answers as text. `UPDATE_STORIES=1 npx vitest run stories` writes the answers anew; you read the diff.
const folder = new URL("stories/", import.meta.url);
const names = fs.readdirSync(folder).filter((name) => name.endsWith(".txt"));

test.each(names)("the story of %s is told as it is written", (name) => {
  const file = new URL(name, folder);
  const told = tellStory(fs.readFileSync(file, "utf8"));
  if (process.env["UPDATE_STORIES"] === "1") fs.writeFileSync(file, told);
  expect(told).toBe(fs.readFileSync(file, "utf8"));
});
