// A short slice of `npm run torture -- power-cut`, on every machine that can.

import { spawnSync } from "node:child_process";
import path from "node:path";
import { expect, test } from "vitest";
import { missingForPowerCuts } from "../torture/power-cut-disk.ts";

const missing = missingForPowerCuts();
const mustRun = process.env["CI"] === "true";
if (missing !== undefined && !mustRun) console.warn(`power cuts are not tried: ${missing}`);

test.skipIf(missing !== undefined && !mustRun)(
  "[LG6] nothing acknowledged is lost in a power cut, and with synchronous NORMAL something is",
  () => {
    expect(missing, "what this machine lacks").toBeUndefined();
    const torture = path.join(import.meta.dirname, "../torture/main.ts");
    const { status, stdout, stderr } = spawnSync(process.execPath, [torture, "power-cut", "--cuts", "3"], {
      encoding: "utf8",
    });
    expect(stdout + stderr).toMatch(/^3 power cuts, [1-9]\d* acknowledged events, 0 lost$/m);
    expect(stdout + stderr).toMatch(/with synchronous NORMAL: [1-9]\d* acknowledged events lost/);
    expect(status).toBe(0);
  },
);
