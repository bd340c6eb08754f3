// Short helpers of the system that the keeper runs itself (mount, cp, mkfifo). Their environment is empty but for what is
// needed: nothing that an agent chose ever reaches a program that runs with the keeper's authority.

import { spawn, type StdioOptions } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "../../base/fault.ts";
import { systemFolders } from "../../protocol/keeper/keeper-command.ts";

const found = new Map<string, string>();

export const plainEnv = { PATH: systemFolders.join(":"), LC_ALL: "C.UTF-8", LIBMOUNT_FORCE_MOUNT2: "always" };

/** Where a program of the system is, undefined where there is none. The person's PATH has no say. */
export function maybeProgramPath(name: string): string | undefined {
  const known = found.get(name) ?? systemFolders.map((folder) => join(folder, name)).find((path) => existsSync(path));
  if (known !== undefined) found.set(name, known);
  return known;
}

/** Where a program of the system is that cages are not made without. */
export function programPath(name: string): string {
  const known = maybeProgramPath(name);
  if (known !== undefined) return known;
  throw new Fault("cage-unavailable", { retry: "never", message: `${name} is not installed on this machine` });
}

export type Outcome = { readonly status: number | null; readonly output: string };

const outputCharsMax = 4000;

/** Runs a program to its end. */
export function runProgram(
  name: string,
  args: readonly string[],
  more: { cwd?: string; stderr?: "ignore" } = {},
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const stdio: StdioOptions = ["ignore", "pipe", more.stderr ?? "pipe"];
    const child = spawn(programPath(name), args, { cwd: more.cwd ?? "/", env: plainEnv, stdio });
    let output = "";
    const hear = (chunk: Buffer): void => {
      if (output.length < outputCharsMax) output += chunk.toString("utf8");
    };
    child.stdout?.on("data", hear);
    child.stderr?.on("data", hear);
    child.on("error", reject);
    child.on("close", (status) => resolve({ status, output: output.trim() }));
  });
}

/** Runs a program that has to succeed. */
export async function mustRun(
  code: string,
  name: string,
  args: readonly string[],
  more: { cwd?: string } = {},
): Promise<void> {
  const { status, output } = await runProgram(name, args, more);
  if (status === 0) return;
  throw new Fault(code, { retry: "never", message: `${name} failed: ${output.slice(0, 1000) || `status ${status}`}` });
}
