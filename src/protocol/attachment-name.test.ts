import { expect, test } from "vitest";
import { toAttachmentName } from "./attachment-name.ts";
import { limits } from "./limits.ts";
import { attachmentName } from "./wire/task.ts";

test.each([
  ["design.md", "design.md"],
  ["ein Entwurf (2).md", "ein-Entwurf--2-.md"],
  [".env", "env"],
  ["…", "file"],
  ["Makefile", "Makefile"],
  [`${"long".repeat(20)}.tar.gz`, `${"long".repeat(11)}l.gz`],
  ["n".repeat(60), "n".repeat(limits.attachmentNameCharsMax)],
])("the file %s comes along as %s", (file, name) => {
  expect(toAttachmentName(file)).toBe(name);
  expect(attachmentName.parse(name)).toBe(name);
});
