import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ServiceKeeper } from "../../../test/support/service-keeper.ts";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import { Fault } from "../../base/fault.ts";
import { search } from "../../../test/support/search.ts";
import { envFileOf, envTextOf, putEnv } from "./env-file.ts";

test("[SV7] whatever a variable is, a shell reads it from the file as it was", () => {
  const file = join(makeTempFolder(), "env");
  const value = fc.string({ unit: "binary" }).filter((text) => !text.includes("\0") && text.isWellFormed());
  fc.assert(
    fc.property(value, value, (first, second) => {
      writeFileSync(file, envTextOf({ B_B: second, A: first }));
      const script = '. "$1"; printf "%s\\0%s" "$A" "$B_B"';
      expect(execFileSync("/bin/sh", ["-c", script, "sh", file], { encoding: "utf8" })).toBe(`${first}\0${second}`);
    }),
    search(40),
  );
  expect(envFileOf("a_1", "web.2")).toBe("/tmp/signalbox-env-a_1-web.2");
});

describe("what a service was told of", () => {
  const file = envFileOf("a_1", "web");
  const of = (text: string) => ({ call: "a_1-web-1", file, text });

  test("[SV7] is what was in the file then, whoever has put something newer there meanwhile", async () => {
    const keeper = new ServiceKeeper();
    expect(await putEnv(keeper, "begin", of("A='1'\n"))).toBe(true);
    expect(await putEnv(keeper, "place", of("A='1'\n"))).toBe(true);
    expect(await putEnv(keeper, "place", of("A='2'\n"))).toBe(false);
    expect(await putEnv(keeper, "place", of("A='3'\n"))).toBe(false);
    expect(await putEnv(keeper, "told", of("A='2'\n"))).toBe(true);
    expect(readFileSync(keeper.at(file), "utf8")).toBe("A='3'\n");
    expect(await putEnv(keeper, "place", of("A='3'\n"))).toBe(false);
    expect(await putEnv(keeper, "told", of("A='3'\n"))).toBe(true);
    expect(await putEnv(keeper, "place", of("A='3'\n"))).toBe(true);
    expect(keeper.calls).toEqual([]);
  });

  test("[SV7] leaves no call behind where it could not be written, and says why", async () => {
    const lost = new ServiceKeeper(({ op }) => {
      if (op === "input") throw new Fault("keeper-unavailable", { retry: "later", message: "the keeper was lost" });
    });
    await expect(putEnv(lost, "place", of("A='1'\n"))).rejects.toMatchObject({ code: "keeper-unavailable" });
    expect(lost.calls).toEqual([]);
    const end = { exit: 127, signal: null, why: "ended", tail: "sh: cat: not found\n" };
    const bare = new ServiceKeeper(({ op }) => (op === "wait" ? end : undefined));
    const failed = { code: "env-file-failed", message: `${file} could not be written: sh: cat: not found` };
    await expect(putEnv(bare, "place", of("A='1'\n"))).rejects.toMatchObject({ ...failed, retry: "later" });
    await expect(putEnv(bare, "begin", of("A='1'\n"))).rejects.toMatchObject({ ...failed, retry: "never" });
    expect(bare.calls).toEqual([]);
  });
});
