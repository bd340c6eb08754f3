import { expect, test } from "vitest";
import { completeLock, toPlatform } from "./lock.ts";

test("a platform is read from a package's name", () => {
  expect(toPlatform("@oxlint/binding-linux-x64-musl")).toEqual({ os: ["linux"], cpu: ["x64"], libc: ["musl"] });
  expect(toPlatform("@oxlint/binding-linux-arm-gnueabihf")).toEqual({ os: ["linux"], cpu: ["arm"] });
  expect(toPlatform("@oxlint-tsgolint/darwin-arm64")).toEqual({ os: ["darwin"], cpu: ["arm64"] });
  expect(toPlatform("@rolldown/binding-wasm32-wasi")).toEqual({ cpu: ["wasm32"] });
});

test("only exactly pinned optional packages that are missing are added", () => {
  const optionalDependencies = { "tool-darwin-arm64": "1.2.3", "tool-linux-x64": "1.2.3", fsevents: "~2.3.3" };
  const lock = {
    packages: {
      "node_modules/tool": { version: "1.2.3", dev: true, optionalDependencies },
      "node_modules/tool-linux-x64": { version: "1.2.3" },
    },
  };
  expect(completeLock(lock)).toBe(1);
  expect(lock.packages).toMatchObject({
    "node_modules/tool-darwin-arm64": { version: "1.2.3", dev: true, optional: true, os: ["darwin"], cpu: ["arm64"] },
  });
});
