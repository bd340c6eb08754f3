import { expect, test } from "vitest";
import { makeService } from "../../../test/support/wire-samples.ts";
import { noteOf } from "./agent-signals.ts";
import { toHeldText, toLimitText } from "./limit-text.ts";

test("[SV5] what a service may use is said in few words", () => {
  const none = { memoryBytes: null, cpu: null, processes: null, files: null };
  expect(toLimitText({ ...none, memoryBytes: 64 * 1024 ** 2, cpu: 1.5 })).toBe("64.0 MB, 1.5 cpu");
  expect(toLimitText({ ...none, processes: 1, files: 1 })).toBe("1 process, 1 file");
  expect(toLimitText({ ...none, processes: 20, files: 100 })).toBe("20 processes, 100 files");
  expect(toLimitText({ ...none, diskBytes: 1024 ** 2, outputBytesPerS: 2048 })).toBe(
    "1.0 MB of the disk, 2.0 KB of output a second",
  );
});

test("[SV16] who says what an agent may use is named once", () => {
  expect(toHeldText([])).toBe("");
  expect(toHeldText([{ limit: "cpu", policy: "small" }])).toBe(" (policy small)");
  const two = [
    { limit: "cpu", policy: "small" },
    { limit: "files", policy: "few" },
    { limit: "diskBytes", policy: "small" },
  ] as const;
  expect(toHeldText([...two])).toBe(" (policies small, few)");
});

test("[SV22, SV31] a spare instance stands by, and a schedule says when it comes next", () => {
  expect(noteOf(makeService("web.2", { state: "down", wanted: false, spare: true }))).toBe("stands by");
  const nextAtMs = Date.parse("2026-11-16T18:35:00Z");
  const scheduled = makeService("job", { state: "scheduled", nextAtMs, because: "it ended with 1" });
  expect(noteOf(scheduled)).toBe("next at 2026-11-16 18:35 UTC; it ended with 1");
});
