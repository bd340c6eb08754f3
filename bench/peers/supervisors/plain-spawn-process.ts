// Spawns what it is told to, and spawns it again when it ends. It is a process of its own because spawning takes the longer
// the more memory a process has.

import { spawn } from "node:child_process";

export type SpawnOrder = { readonly line: string; readonly count: number; readonly again: boolean };

process.on("message", ({ line, count, again }: SpawnOrder) => {
  for (let at = 0; at < count; at++) begin(line, again);
});
process.once("disconnect", () => process.exit());
process.send?.("ready");

function begin(line: string, again: boolean): void {
  const child = spawn("/bin/sh", ["-c", line], { stdio: "ignore" });
  child.once("exit", () => {
    if (again && process.connected) begin(line, again);
  });
}
