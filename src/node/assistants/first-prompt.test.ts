import { expect, test } from "vitest";
import { toBefore, toFirstPrompt, toNextPrompt, toPlaced } from "./first-prompt.ts";

const bare = {
  ...{ title: "Add rate limiting", description: "", acceptance: null, attachments: [], scope: null },
  ...{ plan: [], parts: [], conventions: [], held: [], messages: [], before: null, services: [] },
};

test("what is wanted comes first, then the place; what there is not is not mentioned", () => {
  const prompt = toFirstPrompt(bare);
  expect(prompt.startsWith("Add rate limiting\n\n# How this place works\n")).toBe(true);
  expect(prompt).not.toContain("# Held");
  expect(prompt).not.toContain("# Yours");
});

test("conventions, holders, plan, messages and the acceptance command are in it, bounded", () => {
  const prompt = toFirstPrompt({
    ...bare,
    description: "Ten a second.",
    acceptance: ["npm", "test"],
    plan: ["file:src/a.ts"],
    held: Array.from({ length: 60 }, (_, at) => `r_${at} holds file:${at}`),
    conventions: [{ path: "AGENTS.md", text: "x".repeat(20_000) }],
    messages: ["Keep the old API."],
  });
  expect(prompt.startsWith("Add rate limiting\n\nTen a second.\n\nKeep the old API.\n\n")).toBe(true);
  expect(prompt).toContain("when this command succeeds: npm test");
  expect(prompt).toContain("# Yours already\nfile:src/a.ts");
  expect(prompt).toContain("and 20 more");
  expect(prompt.length).toBeLessThan(12_000);
});

test("[AG47] in a living agent its services are in it, each with where it is", () => {
  const prompt = toFirstPrompt({ ...bare, services: ["web (up, healthy): http at 127.0.0.1:24916"] });
  expect(prompt).toContain("# Running beside you\n");
  expect(prompt).toContain("\nweb (up, healthy): http at 127.0.0.1:24916");
});

test("whoever is taken up again hears the news, or that it was interrupted", () => {
  expect(toNextPrompt(["A person says: stop"])).toBe("A person says: stop");
  expect(toNextPrompt([])).toContain("go on");
});

test("[RN16, RN33] whoever begins in the middle is told who worked before, what is changed and what has landed", () => {
  const job = { handed: null, changed: () => [], landed: null, placed: null };
  expect(toBefore(job)).toBeNull();
  const own = toBefore({ ...job, changed: () => ["a.ts"], landed: "0123456789abcdef" });
  expect(own).toContain("You have worked on this before");
  expect(own).toContain("a.ts\nIt has landed, the last of it as 0123456789ab.");
  const from = { from: "claude", failure: "auth", said: "Half of it is there.", lives: 2 } as const;
  const other = toBefore({ ...job, handed: from });
  expect(other).toContain("claude worked on this before you and had to stop (auth)");
  expect(other).toContain("Its last words: Half of it is there.");
});

test("[RN16] whoever begins anew after the run was continued is told whether what was built is there", () => {
  const job = { handed: null, changed: () => [], landed: null };
  expect(toBefore({ ...job, placed: "again" })).toContain("what was built or installed there is there");
  expect(toBefore({ ...job, placed: "fresh" })).toContain("This is a fresh one");
  expect(toPlaced(null)).toEqual([]);
});

test("[TK5] what comes along is told: notes and links as they are, files by their names; and what may be changed", () => {
  const prompt = toFirstPrompt({
    ...bare,
    scope: ["", "src"],
    attachments: [
      { kind: "note", name: "why", text: "Too many requests.\n" },
      { kind: "link", name: "issue", url: "https://example.org/7" },
      { kind: "file", name: "design.md", blob: "0f", bytes: 9 },
    ],
  });
  expect(prompt).toContain("Change nothing outside of: ., src.");
  expect(prompt).toContain(
    "# What comes along\nwhy:\nToo many requests.\n\nissue: https://example.org/7\n\ndesign.md: a file",
  );
  expect(prompt).toContain("read_artifact shows it as attached-design.md");
  expect(prompt).not.toContain("0f");
});
