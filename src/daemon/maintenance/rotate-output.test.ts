import {
  appendFileSync,
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import { outputBytesKept, outputBytesMax, rotateOutput } from "./rotate-output.ts";

test("[MT5] the end of a large output moves beside it, and who has it open goes on at its beginning", async () => {
  const path = join(makeTempFolder(), "daemon.log");
  expect(await rotateOutput(path, false)).toBe(0);
  writeFileSync(path, Buffer.alloc(outputBytesMax, "x"));
  expect(await rotateOutput(path, false)).toBe(0);
  appendFileSync(path, "the end");
  const fd = openSync(path, "a");
  const gone = outputBytesMax + 7 - outputBytesKept;
  expect(await rotateOutput(path, true)).toBe(gone);
  expect(existsSync(`${path}.1`)).toBe(false);
  expect(await rotateOutput(path, false)).toBe(gone);
  writeSync(fd, "more");
  closeSync(fd);
  expect(readFileSync(path, "utf8")).toBe("more");
  expect(statSync(`${path}.1`).size).toBe(outputBytesKept);
  expect(readFileSync(`${path}.1`, "utf8").endsWith("xthe end")).toBe(true);
});
