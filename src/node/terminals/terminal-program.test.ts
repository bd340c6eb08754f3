import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { programOf } from "./terminal-program.ts";

let home: string;
beforeEach(() => void (home = mkdtempSync(join(tmpdir(), "sb-shell-"))));
afterEach(() => rmSync(home, { recursive: true, force: true }));

const planted = [
  ...[".bashrc", ".bash_profile", ".profile", ".shrc", ".bash_completion"],
  ...[".terminfo/x/xterm-256color", ".config/bash_completion", ".local/share/bash-completion/completions/ls"],
];

test("[TM21, TM22] a person's shell keeps what they typed, and runs nothing that lies in the agent's home", () => {
  for (const name of planted) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), `touch ${home}/run-by-${name.replaceAll("/", "-")}\n`);
  }
  const { argv, env } = programOf({ id: "te_1", argv: [], by: "person:ada", window: "ada" });
  const [file = "", ...args] = argv;
  const { status, stdout } = spawnSync(file, args, {
    env: { ...env, HOME: home, PATH: "/usr/bin:/bin", ENV: env["ENV"] ?? join(home, ".shrc") },
    input: 'complete -p ls\necho here-i-am "in $TERMINFO"\nexit 7\n',
    encoding: "utf8",
  });
  expect({ status, said: stdout.includes("here-i-am") }).toEqual({ status: 7, said: true });
  expect(stdout).toMatch(/here-i-am in \/(etc|lib|usr)[/\w]*\/terminfo\n/);
  expect(planted.filter((name) => existsSync(join(home, `run-by-${name.replaceAll("/", "-")}`)))).toEqual([]);
  expect(readFileSync(join(home, ".history-person-ada"), "utf8")).toContain("echo here-i-am");
});

test("[TM22] a program that somebody chose is started as it is", () => {
  const { argv, env } = programOf({ id: "te_1", argv: ["htop"], by: "person:ada", window: "htop" });
  expect(argv).toEqual(["htop"]);
  expect(env).not.toHaveProperty("BASH_ENV");
});
