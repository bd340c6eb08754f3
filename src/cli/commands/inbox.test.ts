import { expect, test } from "vitest";
import { tryCli } from "../testing/try-cli.ts";

const item = {
  ...{ kind: "question", run: "r_1a", project: "p_1", projectName: "shop", title: "add a limit" },
  ...{ what: "Which database?", sinceMs: 0, ageMs: 120_000, command: "signalbox answer r_1a TEXT", others: [] },
};

test("the inbox is a table with the command that answers each", async () => {
  const { stdout, calls } = await tryCli(["inbox", "--kind", "question"], { inbox: { items: [item], nowMs: 0 } });
  expect(calls).toEqual([["inbox", { kind: "question" }]]);
  expect(stdout).toMatch(/2m +question +r_1a +add a limit +Which database\? +signalbox answer r_1a TEXT/);
});

test("it can be looked at as it was", async () => {
  const { stderr, calls } = await tryCli(["inbox", "--at", "812"], { inbox: { items: [], nowMs: 0 } });
  expect(calls).toEqual([["inbox", { at: 812 }]]);
  expect(stderr).toContain("Nothing needed you then.");
});

test("what was seen goes off the list first, and an empty list says so", async () => {
  const answers = { inbox: { items: [], nowMs: 0 }, "inbox.see": {} };
  const { stderr, calls } = await tryCli(["inbox", "--seen", "r_1", "--seen", "r_2"], answers);
  expect(calls.map(([name]) => name)).toEqual(["inbox.see", "inbox.see", "inbox"]);
  expect(stderr).toContain("Nothing needs you.");
});

const turned = "May I run \u202efr mr ?";

test.each([
  ["a table", [], "May I run ⟨U+202E⟩fr mr ?", "signalbox⟨U+200B⟩ allow"],
  ["a document", ["--json"], String.raw`"May I run \u202efr mr ?"`, String.raw`"signalbox\u200b allow"`],
])("what hides or turns in what somebody is asked is seen in %s", async (_, words, what, command) => {
  const asks = {
    ...item,
    kind: "permission",
    title: `${turned}\u2066`,
    what: turned,
    command: "signalbox\u200b allow",
  };
  const { stdout } = await tryCli(["inbox", ...words], { inbox: { items: [asks], nowMs: 0 } });
  expect(stdout).toContain(what);
  expect(stdout).toContain(command);
  expect(stdout).not.toMatch(/[\u202e\u2066\u200b]/);
});
