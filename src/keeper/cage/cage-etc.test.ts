import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
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

test("one of an earlier start of this machine is not used, and goes; that of another machine stays", async () => {
  const cache = makeTempFolder();
  const boot = "00000000-0000-0000-0000-000000000000";
  const ours = basename(await makeEtc(makeTempFolder())).slice(0, "etc-00000000".length);
  const [old, theirs] = [join(cache, `${ours}-${boot}-0123`), join(cache, `etc-another0-${boot}-0123`)];
  for (const folder of [old, theirs]) mkdirSync(folder);
  const etc = await makeEtc(cache);
  expect(etc).not.toBe(old);
  expect([existsSync(old), existsSync(theirs)]).toEqual([false, true]);
});
