import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import { tryCli } from "../testing/try-cli.ts";

const login = {
  ...{ runner: "claude", setAt: "2026-11-16T05:00:00.000Z", expiresAt: "2026-11-16T13:00:00.000Z" },
  ...{ renewedAt: null, renews: true, refused: null, usedAtMs: 60_000 },
};

test("a login is read from the file that is named, and its place is not to be used any more", async () => {
  const file = join(makeTempFolder(), "auth.json");
  writeFileSync(file, '{"tokens":{}}');
  const added = await tryCli(["subscription", "add", "codex", "--from", file], { "subscription.set": {} });
  expect(added.calls).toEqual([["subscription.set", { runner: "codex", file: '{"tokens":{}}' }]]);
  expect(added.stdout).toBe("The login is kept, and pays for runs of codex from now on.\n");
  expect(added.stderr).toContain("do not use");
});

test.each([
  [["subscription", "add", "claude"]],
  [["subscription", "add", "gemini", "--from", "x"]],
  [["subscription", "add", "claude", "--from", "/not/there"]],
  [["subscription", "add", "claude", "sk-canary", "--from", "x"]],
])("nothing is given by %j", async (words) => {
  expect(await tryCli(words)).toMatchObject({ exitCode: 2, calls: [] });
});

test("logins are listed with their end and what is wrong with them, and removed", async () => {
  const codex = { ...login, runner: "codex", expiresAt: null, renews: false, refused: "no (400)", usedAtMs: null };
  const answers = { "subscription.list": { subscriptions: [login, codex] }, status: { nowMs: 180_000, openings: [] } };
  const { stdout, stderr } = await tryCli(["subscription", "ls"], answers);
  expect(stdout).toMatch(/claude +2026-11-16 +2026-11-16 13:00Z +not yet +2m ago/);
  expect(stdout).toMatch(/codex +2026-11-16 +it does not say +cannot be +never/);
  expect(stderr).toContain("codex: no (400); log in again");
  const none = await tryCli(["subscription", "list"], { "subscription.list": { subscriptions: [] } });
  expect(none.stderr).toContain("subscription add claude");
  const removed = await tryCli(["subscription", "rm", "claude"], { "subscription.remove": {} });
  expect(removed.calls).toEqual([["subscription.remove", { runner: "claude" }]]);
});
