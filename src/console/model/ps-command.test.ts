import { expect, test } from "vitest";
import { toPsCommand } from "./ps-command.ts";

test("the command lists what the page shows", () => {
  const any = { project: null, states: [], runner: null, tag: null, find: "" };
  expect(toPsCommand(any)).toBe("signalbox ps -a");
  expect(
    toPsCommand({ project: "shop", states: ["blocked", "review"], runner: "script", tag: "api", find: "a b" }),
  ).toBe("signalbox ps -a --project shop --state blocked --state review --tag api --runner script --find 'a b'");
});
