import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { homeOf, readDaemonInfo } from "./home.ts";

test("the home is absolute, wherever its name comes from", () => {
  expect(homeOf({ SIGNALBOX_HOME: "/srv/box" }, "/here")).toBe("/srv/box");
  expect(homeOf({ SIGNALBOX_HOME: "state/../box/" }, "/here")).toBe("/here/box");
  expect(homeOf({ XDG_STATE_HOME: "/x", HOME: "/home/a" }, "/here")).toBe("/x/signalbox");
  expect(homeOf({ XDG_STATE_HOME: "relative", HOME: "/home/a" }, "/here")).toBe("/home/a/.local/state/signalbox");
});

test("a home without a daemon says nothing", () => {
  const home = mkdtempSync(join(tmpdir(), "signalbox-home-"));
  expect(readDaemonInfo(home)).toBeUndefined();
  rmSync(home, { recursive: true });
});
