import { expect, test } from "vitest";
import { looksSecret } from "./looks-secret.ts";

const known = "correct horse battery";

test.each([
  [`x ${known} y`, true],
  [Buffer.from(known).toString("base64"), true],
  ["sk-ant-api03-0123456789abcdef", true],
  [`ghp_${"a".repeat(36)}`, true],
  ["-----BEGIN OPENSSH PRIVATE KEY-----", true],
  ["production", false],
  ["task-runner-with-a-long-name", false],
  ["", false],
])("%s: %s", (text, expected) => {
  expect(looksSecret(text, [known])).toBe(expected);
});
