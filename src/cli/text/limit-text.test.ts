import { expect, test } from "vitest";
import { toHeldText, toLimitText } from "./limit-text.ts";

const none = { memoryBytes: null, cpu: null, processes: null, files: null };

test("[SV16] what an agent may use is told, and which policy says so", () => {
  expect(toLimitText(null)).toBe("");
  const limits = { ...none, memoryBytes: 64 * 1024 ** 2, cpu: 0.5, files: 64, outputBytesPerS: 2048, diskBytes: 1024 };
  expect(toLimitText(limits)).toBe(
    "64 MiB of memory, 50 % of a processor, 64 open files of each process, 2.0 KiB of output a second, 1.0 KiB of the disk",
  );
  expect(toHeldText([], limits)).toBe("");
  expect(
    toHeldText(
      [
        { limit: "memoryBytes", policy: "small" },
        { limit: "cpu", policy: "slow" },
        { limit: "diskBytes", policy: "small" },
      ],
      limits,
    ),
  ).toBe("64 MiB of memory, 1.0 KiB of the disk by the policy small; 50 % of a processor by the policy slow");
});
