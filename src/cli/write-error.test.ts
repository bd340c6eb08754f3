import { expect, test } from "vitest";
import { ProtocolError } from "../protocol/errors.ts";
import { UsageError } from "./usage-error.ts";
import { toWriteError } from "./write-error.ts";

const failed = (code: string): Error => Object.assign(new Error(`${code}: something, open`), { code });

test.each([
  ["ENOENT", "there is no such folder"],
  ["EISDIR", "it is a folder"],
  ["ENOTDIR", "a part of its path is not a folder"],
  ["EACCES", "it may not be written there"],
])("%s: the place cannot be meant", (code, why) => {
  const error = toWriteError(failed(code), "x", "/a/x");
  expect(error).toBeInstanceOf(UsageError);
  expect((error as Error).message).toBe(
    `-o "x": /a/x cannot be written, because ${why}. Name a file in a folder of yours.`,
  );
});

test("a full disk is no mistake of whoever asked", () => {
  const error = toWriteError(failed("ENOSPC"), "x", "/a/x");
  expect(error).toBeInstanceOf(ProtocolError);
  expect(error).toMatchObject({ code: "not-written", exitCode: 8 });
});

test("what has nothing to do with the place stays what it is", () => {
  const other = failed("log-damaged");
  expect(toWriteError(other, "x", "/a/x")).toBe(other);
});
