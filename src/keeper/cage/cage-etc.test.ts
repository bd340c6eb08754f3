import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import { makeEtc } from "./cage-etc.ts";

test("keepers that share a cache share one /etc, whoever comes first", async () => {
  const cache = makeTempFolder();
  const folders = await Promise.all([makeEtc(cache), makeEtc(cache), makeEtc(cache)]);
  expect(new Set(folders).size).toBe(1);
  const [etc] = folders;
  expect(readdirSync(cache)).toEqual([etc.slice(cache.length + 1)]);
  const { ino } = statSync(join(etc, "passwd"));
  expect(await makeEtc(cache)).toBe(etc);
  expect(statSync(join(etc, "passwd")).ino).toBe(ino);
});

test("it has one user, and nothing of the machine's own users and hosts", async () => {
  const etc = await makeEtc(makeTempFolder());
  expect(readFileSync(join(etc, "passwd"), "utf8")).toMatch(/^agent:x:1000:1000:[^\n]*\n$/);
  expect(readFileSync(join(etc, "hosts"), "utf8")).toContain("127.0.0.1 localhost");
  for (const name of ["shadow", "gshadow", "sudoers", "ssh"]) expect(existsSync(join(etc, name))).toBe(false);
});

test("one of an earlier start of the machine is not used, and goes", async () => {
  const cache = makeTempFolder();
  const old = join(cache, "etc-00000000-0000-0000-0000-000000000000-0123456789abcdef");
  mkdirSync(old);
  writeFileSync(join(cache, "something-else"), "");
  const etc = await makeEtc(cache);
  expect(etc).not.toBe(old);
  expect(existsSync(old)).toBe(false);
  expect(existsSync(join(cache, "something-else"))).toBe(true);
});
