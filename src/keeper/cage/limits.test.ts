import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import type { CommandLimits } from "../../protocol/keeper/keeper-wire.ts";
import { Limits } from "./limits.ts";

const mib = 1024 * 1024;
const only = (memoryBytes: number | null): CommandLimits => ({ memoryBytes, processes: null, files: null, cpu: null });

test("[AW13, SV6] nobody is held to less memory than it uses, where the kernel would end it for that", () => {
  const base = makeTempFolder();
  const limits = new Limits([`2=${base}`]);
  const group = join(base, "commands", "web");
  mkdirSync(group, { recursive: true });
  writeFileSync(join(group, "memory.current"), `${100 * mib}\n`);
  writeFileSync(
    join(group, "memory.stat"),
    `anon ${50 * mib}\nfile ${45 * mib}\ninactive_file ${20 * mib}\nactive_file ${10 * mib}\nslab_reclaimable ${5 * mib}\n`,
  );
  expect(limits.hasRoomIn("web", only(null))).toBe(true);
  expect(limits.hasRoomIn("web", only(65 * mib))).toBe(true);
  expect(limits.hasRoomIn("web", only(65 * mib - 1))).toBe(false);
  // One that has gone uses nothing; and older kernels refuse by themselves.
  expect(limits.hasRoomIn("gone", only(1))).toBe(true);
  expect(new Limits([`memory=${base}`, `pids=${base}`]).hasRoomIn("web", only(1))).toBe(true);
});
