// Numbers of processes that are given out again at once: whoever has the number of one of ours is not signalled for it. It is
// forced in a pid namespace of its own, where the next number can be said.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { parseArgs } from "node:util";

export async function pidReuse(args: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({ args: [...args], options: { rounds: { type: "string", default: "200" } } });
  console.log(`pid-reuse: ${values.rounds} numbers, each given to a stranger`);
  const inside = [process.execPath, join(import.meta.dirname, "pid-reuse-inside.ts"), values.rounds];
  const own = ["--user", "--map-root-user", "--pid", "--fork", "--kill-child", "--mount-proc"];
  const child = spawn("unshare", [...own, ...inside], { stdio: "inherit" });
  const [code] = (await once(child, "close")) as [number | null];
  return code === 0;
}
