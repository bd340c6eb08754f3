import { expect, test } from "vitest";
import { parse } from "yaml";
import { toSpecText } from "./spec-text.ts";

const spec = {
  template: "shop",
  env: { GREETING: "hello: there", EMPTY: "", NUMBER: "5", SECRET: { generate: "hex", bytes: 16 } },
  services: [
    {
      name: "web",
      argv: ["sh", "-c", 'echo "a, b"', "- x", "true"],
      cwd: null,
      needs: [{ service: "db", until: "healthy" }],
      ports: [],
      restart: { limit: 5, policy: "always" },
      env: {},
    },
  ],
};

test("a recipe is text that means the same", () => {
  expect(parse(toSpecText(spec))).toEqual(spec);
});

test("what is plain is not quoted", () => {
  expect(toSpecText({ template: "shop", argv: ["node", "web.js"] })).toBe("template: shop\nargv: [node, web.js]");
});
