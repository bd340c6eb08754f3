import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const console = path.join(import.meta.dirname, "..");
const listed = [
  ...fs.readFileSync(path.join(import.meta.dirname, "order.ts"), "utf8").matchAll(/^import "(.+)";$/gm),
].map(([, file = ""]) => path.relative(console, path.resolve(import.meta.dirname, file)));
/** Settings, the palette and terminals bring their own, and override nothing of others. */
const withItsScript = /^(?:settings|palette|terminal)\/|^parts\/form|^landing\/file-past/;

test("the styles of every place are there from the beginning, each once, wherever its scripts come later", () => {
  const all = fs.readdirSync(console, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".css"));
  const early = listed.filter((file) => !withItsScript.test(file));
  expect(new Set(listed).size).toBe(listed.length);
  expect(early.toSorted()).toEqual(all.filter((file) => !withItsScript.test(file)).toSorted());
});
