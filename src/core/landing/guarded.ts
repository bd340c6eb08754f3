// Names that carry authority. Some nobody may ever write: git's own folder and our own files. Others may be written and
// are never approved by themselves, because somebody else will execute or obey them. Names decide, whether or not
// anything is there, and whatever the case: the file may be checked out on a machine that folds it.

import { matchesGlob } from "../../base/glob.ts";

/** Characters that some file systems do not see at all: `.g\u200cit` is `.git` to them. */
const unseen = /[\u200b-\u200f\u202a-\u202e\u2060-\u2064\u206a-\u206f\ufeff\u00ad]/g;
const dotGit = /^(\.git|git~\d+)$/;

/** Short names under which Windows knows these files too. */
const shortNames: readonly (readonly [RegExp, string])[] = [
  [/^(gitmod|gi7eba)~\d+$/, ".gitmodules"],
  [/^(gitatt|gi7d29)~\d+$/, ".gitattributes"],
  [/^(claude|cursor|codex|gemini|github|vscode|husky)~\d+$/, ".$1"],
];

const guardedGlobs: readonly string[] = [
  // What assistants obey.
  "**/agents.md",
  "**/agents.override.md",
  "**/claude.md",
  "**/claude.local.md",
  "**/gemini.md",
  "**/.claude/**",
  "**/.codex/**",
  "**/.cursor/**",
  "**/.gemini/**",
  "**/.opencode/**",
  "**/.windsurf/**",
  "**/.continue/**",
  "**/.roo/**",
  "**/.amazonq/**",
  "**/.kiro/**",
  "**/.agents/**",
  "**/.cursorrules",
  "**/.cursorignore",
  "**/.windsurfrules",
  "**/.clinerules",
  "**/.clinerules/**",
  "**/.goosehints",
  "**/.aider*",
  "**/.mcp.json",
  "**/mcp.json",
  "**/opencode.json",
  "**/opencode.jsonc",
  ".github/copilot-instructions.md",
  ".github/instructions/**",
  ".github/prompts/**",
  ".github/agents/**",
  // What build machines execute.
  "**/.github/workflows/**",
  "**/.github/actions/**",
  ".github/codeowners",
  "codeowners",
  "docs/codeowners",
  ".github/dependabot.yml",
  "**/.gitlab-ci.yml",
  ".gitlab/ci/**",
  "**/.circleci/**",
  "**/.buildkite/**",
  "**/.woodpecker/**",
  "**/.woodpecker.y*ml",
  "**/.drone.y*ml",
  "**/.travis.yml",
  "**/.forgejo/workflows/**",
  "**/.gitea/workflows/**",
  "**/azure-pipelines.y*ml",
  "**/bitbucket-pipelines.yml",
  "**/jenkinsfile",
  "**/appveyor.yml",
  // What git, and those who hook into it, execute.
  "**/.husky/**",
  "**/.githooks/**",
  "**/lefthook.y*ml",
  "**/.lefthook.y*ml",
  "**/lefthook.toml",
  "**/.lefthook/**",
  "**/.pre-commit-config.y*ml",
  "**/.pre-commit-hooks.y*ml",
  "**/.gitattributes",
  "**/.gitmodules",
  "**/.gitconfig",
  // What shells and tools read before they do anything else.
  "**/.envrc",
  "**/.npmrc",
  "**/.pnpmfile.cjs",
  "**/.yarnrc*",
  "**/.yarn/plugins/**",
  "**/.yarn/releases/**",
  "**/bunfig.toml",
  "**/.bashrc",
  "**/.bash_profile",
  "**/.bash_login",
  "**/.bash_logout",
  "**/.profile",
  "**/.zshrc",
  "**/.zshenv",
  "**/.zprofile",
  "**/.zlogin",
  "**/.inputrc",
  "**/.curlrc",
  "**/.wgetrc",
  "**/.netrc",
  "**/.pypirc",
  "**/pip.conf",
  "**/.cargo/config",
  "**/.cargo/config.toml",
  "**/.mise.toml",
  "**/mise.toml",
  "**/.mise/**",
  "**/.tool-versions",
  "**/.direnv/**",
  // What editors execute when the folder is opened.
  "**/.vscode/tasks.json",
  "**/.vscode/settings.json",
  "**/.vscode/launch.json",
  "**/.vscode/mcp.json",
  "**/.vscode/extensions.json",
  "**/*.code-workspace",
  "**/.idea/**",
  "**/.zed/**",
  "**/.nvim.lua",
  "**/.nvimrc",
  "**/.exrc",
  "**/.vimrc",
  "**/.dir-locals.el",
  "**/.devcontainer/**",
  "**/.devcontainer.json",
];

/** Whether no run may ever write here: inside anything that is git's folder to some file system, or in our own files. */
export function isNeverWritable(path: string): boolean {
  return plainNames(path).some((name) => dotGit.test(name) || name.startsWith(".signalbox"));
}

/** Whether a change here always waits for a person: others will execute or obey what it says. */
export function isGuarded(path: string): boolean {
  const plain = plainNames(path).join("/");
  return guardedGlobs.some((glob) => matchesGlob(glob, plain));
}

/** The names of a path as the most forgiving file system would take them. */
function plainNames(path: string): string[] {
  return path
    .split(/[/\\]/)
    .map(plainName)
    .filter((name) => name !== "");
}

function plainName(name: string): string {
  const seen = name.normalize("NFC").replaceAll(unseen, "").toLowerCase();
  // Windows drops dots and spaces at the end, and takes what follows a colon for a stream of the file before it.
  const plain = seen.replace(/:.*$/s, "").replace(/[. ]+$/, "");
  for (const [pattern, meant] of shortNames) if (pattern.test(plain)) return plain.replace(pattern, meant);
  return plain;
}
