import { expect, test } from "vitest";
import { inputSchemaOf } from "../../protocol/openapi.ts";
import { operations } from "../../protocol/operations.ts";
import { fieldAt, flat, readChange, readDraft, toDraft, toFields } from "./form-fields.ts";

const fieldsOf = (name: "policy.set" | "profile.set" | "project.change" | "runner.set" | "project.add") =>
  toFields(inputSchemaOf(operations[name]));

test("a form has every field of its operation, with what it is for", () => {
  const [, , , scope, rules] = fieldsOf("policy.set");
  expect(scope?.fields.map(({ label, kind }) => [label, kind])).toEqual([
    ["Project", "text"],
    ["Profile", "text"],
    ["Runner", "text"],
    ["Node", "text"],
  ]);
  const byPath = new Map(rules?.fields.map((field) => [field.path, field]));
  expect(byPath.get("rules.maxTimeMs")).toMatchObject({ label: "Max time", kind: "number", unit: "ms" });
  expect(byPath.get("rules.holdPatienceMs")).toMatchObject({ kind: "number", isNullable: true });
  expect(byPath.get("rules.claiming")).toMatchObject({ kind: "choice", options: ["auto", "explicit"] });
  expect(byPath.get("rules.allowedPaths")).toMatchObject({ kind: "list" });
  expect(
    flat(fieldsOf("project.change"))
      .filter(({ help }) => help === "")
      .map(({ path }) => path),
  ).toEqual([]);
});

test("what stands in the fields is what was read, and the other way round", () => {
  const policy = {
    ...{ name: "ask", priority: 3, enabled: false, scope: { project: "shop" } },
    rules: {
      maxTimeMs: 60_000,
      holdPatienceMs: null,
      approvalRequired: true,
      deniedPaths: ["a/**", "b"],
      claiming: "auto",
    },
  };
  const fields = fieldsOf("policy.set");
  expect(readDraft(fields, toDraft(fields, policy))).toEqual({ value: policy, troubles: new Map() });
  const profile = { name: "quick", settings: { runner: "claude", env: { A: "1=2", B: "" }, prompt: ["be short"] } };
  const other = fieldsOf("profile.set");
  expect(readDraft(other, toDraft(other, profile)).value).toEqual(profile);
});

test("what cannot be sent is said at its field", () => {
  const { troubles } = readDraft(fieldsOf("policy.set"), { name: "x", "rules.maxFiles": "many" });
  expect([...troubles]).toEqual([["rules.maxFiles", "A number is expected."]]);
  expect([...readDraft(fieldsOf("profile.set"), { "settings.env": "A" }).troubles.keys()]).toEqual(["settings.env"]);
  expect([...readDraft(fieldsOf("project.change"), { processes: "{" }).troubles.keys()]).toEqual(["processes"]);
});

test("a change says only what is other than before, and what was emptied is nothing", () => {
  const fields = fieldsOf("project.change");
  const before = toDraft(fields, { landingTest: ["npm", "test"], foldCase: false, warm: { "a.lock": "dep" } });
  const after = { ...before, landingTest: "", foldCase: "yes", warm: "" };
  expect(readChange(fields, before, after).value).toEqual({ landingTest: null, foldCase: true, warm: {} });
  const reach = toDraft(fields, { egress: { kind: "list", allow: ["developer"] } });
  expect(readChange(fields, reach, { ...reach, "egress.kind": "none" }).value).toEqual({
    egress: { kind: "none", allow: ["developer"] },
  });
});

test("a refusal stands at the field that it names", () => {
  const fields = fieldsOf("policy.set");
  expect(fieldAt(fields, "rules.allowedPaths[2]")).toBe("rules.allowedPaths");
  expect(fieldAt(fields, "name")).toBe("name");
  expect(fieldAt(fields, "rules")).toBeNull();
  expect(fieldAt(fields, "the top")).toBeNull();
});
