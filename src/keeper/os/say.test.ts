import { spawnSync } from "node:child_process";
import { openSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

test.each(["say.ts", "../../daemon/say.ts"])(
  "[EN51] whoever speaks by %s does not die where the disk is full",
  (name) => {
    const file = join(import.meta.dirname, name);
    const script = `const { say } = await import(${JSON.stringify(file)}); say("a"); say(new Error("b")); console.log("lives");`;
    const run = (log: number | "pipe"): { stdout: string | null; stderr: string | null } =>
      spawnSync(process.execPath, ["--input-type=module", "-e", script], {
        stdio: ["ignore", "pipe", log],
        encoding: "utf8",
      });
    expect(run(openSync("/dev/full", "w")).stdout).toBe("lives\n");
    expect(run("pipe").stderr).toMatch(/^a\nError: b\n/);
  },
);
