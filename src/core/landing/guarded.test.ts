import { describe, expect, test } from "vitest";
import { isGuarded, isNeverWritable } from "./guarded.ts";

describe("names that nobody may ever write", () => {
  test.each([
    ".git",
    ".git/config",
    "sub/.git",
    "sub/.git/hooks/pre-commit",
    ".GIT/config",
    ".Git",
    ".git /config",
    ".git./config",
    ".git...",
    ".git . ",
    "git~1",
    "GIT~1/config",
    "git~2",
    ".git::$INDEX_ALLOCATION/config",
    ".git:stream",
    ".g\u200cit/config",
    "\ufeff.git",
    ".gi\u200dt\u202e",
    "sub\\.git\\config",
    ".signalbox",
    ".signalbox-r_1-0",
    "src/.Signalbox/x",
  ])("%j", (path) => {
    expect(isNeverWritable(path)).toBe(true);
  });

  test.each([
    ".gitignore",
    ".github/x",
    "git",
    "src/git~x",
    "agit~1",
    "a.git",
    "signalbox.ts",
    ".gitkeep",
    "x/.gitx/y",
  ])("%j may be written", (path) => {
    expect(isNeverWritable(path)).toBe(false);
  });
});

describe("names that are never approved by themselves", () => {
  test.each([
    "AGENTS.md",
    "agents.md",
    "docs/CLAUDE.md",
    ".claude/settings.json",
    "packages/a/.claude/commands/x.md",
    ".mcp.json",
    ".codex/config.toml",
    ".cursor/rules/a.mdc",
    ".gemini/settings.json",
    "GEMINI.md",
    "opencode.json",
    ".github/workflows/ci.yml",
    ".GitHub/Workflows/ci.yml",
    ".gitlab-ci.yml",
    ".circleci/config.yml",
    "Jenkinsfile",
    ".husky/pre-commit",
    ".githooks/x",
    "lefthook.yml",
    ".pre-commit-config.yaml",
    ".envrc",
    "a/.npmrc",
    ".yarnrc.yml",
    ".bashrc",
    ".vscode/tasks.json",
    ".vscode/settings.json",
    ".idea/workspace.xml",
    ".gitattributes",
    "sub/.gitmodules",
    ".gitmodules ",
    "GITMOD~1",
    ".c\u200blaude/settings.json",
    ".claude./settings.json",
    "CLAUDE~1/settings.json",
  ])("%j", (path) => {
    expect(isGuarded(path)).toBe(true);
    expect(isNeverWritable(path)).toBe(false);
  });

  test.each([
    "README.md",
    "src/agents.ts",
    "src/claude.ts",
    ".github/ISSUE_TEMPLATE/bug.md",
    ".vscode/words.txt",
    "npmrc",
  ])("%j is like any other", (path) => {
    expect(isGuarded(path)).toBe(false);
  });
});
