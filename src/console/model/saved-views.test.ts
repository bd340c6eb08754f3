import { expect, test } from "vitest";
import { parseViews, queryOf, withoutView, withView } from "./saved-views.ts";

test("views are kept by name, the newer one of two, and can be forgotten", () => {
  const two = withView(withView([], { name: "mine", query: "tag=a" }), { name: "failed", query: "state=failed" });
  expect(two.map(({ name }) => name)).toEqual(["failed", "mine"]);
  const changed = withView(two, { name: " mine ", query: "tag=b" });
  expect(changed).toContainEqual({ name: "mine", query: "tag=b" });
  expect(changed).toHaveLength(2);
  expect(withoutView(changed, "mine")).toEqual([{ name: "failed", query: "state=failed" }]);
  expect(withView(two, { name: "  ", query: "" })).toBe(two);
  expect(parseViews(JSON.stringify(two))).toEqual(two);
});

test.each([null, "", "{", "7", '[{"name":1}]', '[null,{"name":"x"}]'])("of %s nothing is taken", (text) => {
  expect(parseViews(text)).toEqual([]);
});

test("a view is what is filtered, not what is looked at", () => {
  expect(queryOf("/events?type=run.&find=a+b&event=7&run=r_1&at=3")).toBe("type=run.&find=a+b");
});
