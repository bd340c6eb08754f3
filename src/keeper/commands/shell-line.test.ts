import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { toShellLine, waitForLine } from "./shell-line.ts";

function run(
  argv: readonly string[],
  more: { env?: Record<string, string>; input?: string; cwd?: string } = {},
): string {
  const { env = {}, input, cwd = "/" } = more;
  const line = toShellLine({ argv, cwd, env, stdin: input !== undefined });
  const said = spawnSync("/bin/sh", ["-c", waitForLine], {
    input: `${line}\n${input ?? "not for you"}`,
    env: { PATH: "/usr/bin:/bin" },
  });
  return said.stdout.toString() + said.stderr.toString();
}

test.each([
  ["plain"],
  [""],
  ["two words"],
  ["it's"],
  ['"quoted" $HOME `id` $(id) \\ \\n'],
  ["line\nline\n\n"],
  ["\t*?[a]{b,c}~;&|<>#!"],
  ["-n"],
  ["ünï ✓"],
])("%j arrives as it was sent", (word) => {
  expect(run(["printf", "%s", word])).toBe(word);
  expect(run(["/bin/sh", "-c", 'printf %s "$A"'], { env: { A: word } })).toBe(word);
});

test("every name arrives, also those that shells do not like", () => {
  const env = { "odd-name.x": "1", UID: "7", PPID: "8", IFS: "x", _signalbox_n: "mine", A: "x" };
  const said = run(["/usr/bin/env"], { env }).split("\n");
  for (const [name, value] of Object.entries(env)) expect(said).toContain(`${name}=${value}`);
  expect(run(["/usr/bin/env"])).not.toContain("_signalbox");
});

test("what comes after the line is the command's own, or nobody's", () => {
  expect(run(["cat"], { input: "mine\nand mine" })).toBe("mine\nand mine");
  expect(run(["cat"])).toBe("");
  expect(run(["pwd"], { cwd: "/usr/bin" })).toBe("/usr/bin\n");
  expect(run(["pwd"], { cwd: "/no/such" })).toContain("/no/such");
});
