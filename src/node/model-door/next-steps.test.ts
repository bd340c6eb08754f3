import { expect, test } from "vitest";
import { toText } from "./next-steps.ts";

test.each(["policy-denied", "outside-scope"])(
  "[EN36] what a model may do after %s it can do under every name of its tools",
  (code) => {
    const text = toText({ ok: false, code, message: "no" });
    expect(text).toContain("ask a person");
    expect(text).not.toMatch(/ask_|with ask\b/);
  },
);
