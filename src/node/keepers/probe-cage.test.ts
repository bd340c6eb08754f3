import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { asOf, noCages, whos } from "../../../test/support/keeper-rig.ts";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import { probeCage, tryBwrap } from "./probe-cage.ts";

test.skipIf(noCages)("what is tried is what keepers take, whatever comes first on the daemon's PATH", async () => {
  const before = process.env["PATH"];
  const folder = makeTempFolder();
  writeFileSync(join(folder, "bwrap"), "#!/bin/sh\necho bubblewrap 99.0\n", { mode: 0o755 });
  process.env["PATH"] = `${folder}:${before}`;
  onTestFinished(() => void (process.env["PATH"] = before));
  expect((await tryBwrap()).detail).not.toContain("99.0");
});

describe.skipIf(noCages).each(whos)("the parts of a cage, as %s", (who) => {
  test("each is tried, and what works needs no replacement", async () => {
    const parts = await probeCage({ as: asOf(who) });
    expect(parts.map(({ part }) => part)).toEqual(
      expect.arrayContaining(["namespaces", "overlay", "bwrap", "limits", "cage", "seccomp", "loopback", "egress"]),
    );
    const lacking = parts.filter(({ ok, needed }) => !ok && needed);
    expect(lacking.filter(({ part }) => part !== "overlay")).toEqual([]);
    for (const { ok, fallback } of parts) expect(fallback === null).toBe(ok);
  });
});
