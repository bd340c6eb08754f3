import { describe, expect, test } from "vitest";
import { parseProcess, parseUnit } from "./parse-args.ts";

describe("named processes", () => {
  test.each([
    ["test=npm test", { name: "test", argv: ["npm", "test"], scope: "project" }],
    ["db@agent=./start-db --port 0", { name: "db", argv: ["./start-db", "--port", "0"], scope: "agent" }],
    ["a=b=c", { name: "a", argv: ["b=c"], scope: "project" }],
    ["x=sh -c 'a\nb'", { name: "x", argv: ["sh", "-c", "a\nb"], scope: "project" }],
  ])("%j", (text, parsed) => {
    expect(parseProcess(text)).toEqual(parsed);
  });

  test.each([
    ["test", "NAME=COMMAND"],
    ["=npm test", "NAME=COMMAND"],
    ["test=", "no command"],
    ["db@node=x", "db@agent"],
    ["t=a | b", "sh -c"],
  ])("%j is refused", (text, message) => {
    expect(() => parseProcess(text)).toThrow(message);
  });
});

test("units are known by their kind", () => {
  expect(parseUnit("process:test")).toBe("process:test");
  expect(() => parseUnit("C:x")).toThrow("Did you mean file:x?");
});
