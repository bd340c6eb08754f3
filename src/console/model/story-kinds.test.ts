import { expect, test } from "vitest";
import { makeEvent } from "../../../test/support/wire-samples.ts";
import { eventVersions } from "../../core/events.ts";
import { limits } from "../../protocol/limits.ts";
import { exceptOf, kindOf, typesOf } from "./story-kinds.ts";

test.each(Object.keys(eventVersions))("%s has its kind, and is among those that are asked for of it", (type) => {
  const kind = kindOf(makeEvent(1, type));
  expect(["message", "call", "lease", "state", "change"]).toContain(kind);
  expect(typesOf(kind)?.some((each) => type.startsWith(each))).toBe(true);
  // But for what is no news.
  for (const asked of [kind, null])
    expect(exceptOf(asked).some((each) => type.startsWith(each))).toBe(type === "lease.renewed");
});

test("of every kind the log can be asked for it alone, and for everything without any", () => {
  for (const kind of ["message", "call", "lease", "state", "change"] as const) {
    expect(typesOf(kind)?.length).toBeLessThanOrEqual(limits.typesMax);
    expect(exceptOf(kind).length).toBeLessThanOrEqual(limits.typesMax);
  }
  expect(exceptOf("state")).toContain("run.heard");
  expect(typesOf("state")).not.toContain("call.");
  expect(typesOf(null)).toBeUndefined();
});

test("what a program tells only of its calls is a call", () => {
  const heard = (...items: object[]) => makeEvent(1, "run.heard", { run: "r_1", items });
  expect(kindOf(heard({ is: "tool", call: "t1", tool: "Bash", parent: null, input: "ls" }))).toBe("call");
  expect(kindOf(heard({ is: "message", text: "hi" }))).toBe("message");
  expect(typesOf("call")).toContain("run.heard");
});
