import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import { copyProgram, findSource } from "./keeper-program.ts";

const hourMs = 3_600_000;

function makeProgram({ withNode }: { readonly withNode: boolean } = { withNode: true }) {
  const folder = makeTempFolder();
  const source = join(folder, "src");
  for (const name of ["base", "protocol/keeper", "keeper"]) mkdirSync(join(source, name), { recursive: true });
  writeFileSync(join(folder, "package.json"), "{}");
  for (const name of ["bound-counts", "limits"]) writeFileSync(join(source, `protocol/${name}.ts`), "");
  const change = (text: string): void => writeFileSync(join(source, "keeper/main.ts"), text);
  change("one");
  const copy = () => copyProgram({ source, execPath: process.execPath, withNode, shared: join(folder, "shared") });
  return { source, change, copy };
}

test("daemons that start one after the other, or at once, find one copy, and leave it as it is", async () => {
  const { copy } = makeProgram();
  const [first, second] = await Promise.all([copy(), copy()]);
  expect(second).toEqual(first);
  const { ino } = statSync(first.main);
  expect(await copy()).toEqual(first);
  expect(statSync(first.main).ino).toBe(ino);
  expect(statSync(first.node).size).toBe(statSync(process.execPath).size);
});

test("[EN50] a copy stays as it is when what it was made of changes, and has no Node of its own where there is one to use", async () => {
  const { change, copy } = makeProgram({ withNode: false });
  const old = await copy();
  expect(old.node).toBe(process.execPath);
  expect(existsSync(join(dirname(old.main), "../../node"))).toBe(false);
  change("two");
  const next = await copy();
  expect([readFileSync(old.main, "utf8"), readFileSync(next.main, "utf8")]).toEqual(["one", "two"]);
});

test("[EN50] a copy has everything that is loaded from it", async () => {
  const source = join(import.meta.dirname, "../..");
  const { main } = await copyProgram({ source, execPath: process.execPath, withNode: false, shared: makeTempFolder() });
  const copied = join(dirname(main), "..");
  const files = readdirSync(copied, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  expect(files.length).toBeGreaterThan(50);
  const imported = /(?:^import (?:type )?[^"]*?from |^export [^"]*?from |^import |import\()"([^"]+)"/gms;
  const missing = files.flatMap((name) =>
    [...readFileSync(join(copied, name), "utf8").matchAll(imported)]
      .filter(([statement]) => !statement.startsWith("import type"))
      .map(([, specifier = ""]) => specifier)
      .filter((specifier) => !isBuiltin(specifier) && !isThere(join(copied, name), specifier))
      .map((specifier) => `${name}: ${specifier}`),
  );
  expect(missing).toEqual([]);
});

/** Whether what a file imports can be found from there. */
function isThere(file: string, specifier: string): boolean {
  if (specifier.startsWith(".")) return existsSync(join(dirname(file), specifier));
  return existsSync(join(dirname(file.slice(0, file.lastIndexOf("/src/") + 5)), "node_modules", specifier));
}

test("a daemon that was built has its keepers run what was built with it; else they run the sources", async () => {
  const { source, copy } = makeProgram();
  const program = makeTempFolder();
  expect(findSource(program, source)).toBe(source);
  mkdirSync(join(program, "keeper/src/keeper"), { recursive: true });
  writeFileSync(join(program, "keeper/src/keeper/main.js"), "");
  expect(findSource(program, source)).toBe(join(program, "keeper/src"));
  expect((await copy()).main).toMatch(/keeper\/main\.ts$/);
  writeFileSync(join(source, "keeper/main.js"), "");
  for (const name of ["bound-counts", "limits"]) writeFileSync(join(source, `protocol/${name}.js`), "");
  expect((await copy()).main).toMatch(/keeper\/main\.js$/);
});

test("another program is another copy; one that nobody uses any more goes after a while", async () => {
  const { change, copy, source } = makeProgram();
  const old = dirname((await copy()).node);
  change("two");
  const next = dirname((await copy()).node);
  expect(next).not.toBe(old);
  expect(existsSync(old)).toBe(true);
  const longAgo = new Date(Date.now() - 2 * hourMs);
  for (const folder of [old, next]) utimesSync(folder, longAgo, longAgo);
  // As a keeper of the second copy would be.
  const keeper = spawn(process.execPath, ["-e", "process.stdin.resume()", join(next, "src/keeper/main.ts")], {
    stdio: ["pipe", "ignore", "inherit"],
  });
  onTestFinished(() => void keeper.kill("SIGKILL"));
  await once(keeper, "spawn");
  writeFileSync(join(source, "keeper/main.test.ts"), "tests are not copied");
  change("three");
  const last = await copy();
  expect(existsSync(old)).toBe(false);
  expect(existsSync(next)).toBe(true);
  expect(existsSync(join(dirname(last.main), "main.test.ts"))).toBe(false);
});
