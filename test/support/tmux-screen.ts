// What another terminal makes of the same bytes: tmux, which shares no code with ours.

import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeTempFolder } from "./temp-folder.ts";

export const hasTmux = spawnSync("tmux", ["-V"]).status === 0;

/** The lines that tmux shows after these bytes, without what is empty at their ends. */
export function tmuxLines(
  bytes: Uint8Array,
  { cols, rows }: { readonly cols: number; readonly rows: number },
): string[] {
  const folder = makeTempFolder();
  const file = join(folder, "bytes");
  writeFileSync(file, bytes);
  const env = { ...process.env, TMUX: "", LC_ALL: "C.UTF-8", TERM: "xterm-256color" };
  const tmux = (...args: string[]): string =>
    execFileSync("tmux", ["-u", "-f", "/dev/null", "-S", join(folder, "socket"), ...args], { env, encoding: "utf8" });
  const script = `stty raw -echo; cat ${file}; tmux -S ${join(folder, "socket")} wait-for -S drawn; exec sleep 1000`;
  try {
    tmux("new-session", "-d", "-x", String(cols), "-y", String(rows), script, ";", "set", "-g", "status", "off");
    tmux("wait-for", "drawn");
    // What was written before the word was given has been read by then, but perhaps not all of it drawn.
    for (let last = "", now = tmux("capture-pane", "-p"); ; last = now, now = tmux("capture-pane", "-p"))
      if (now === last)
        return now
          .split("\n")
          .slice(0, rows)
          .map((line) => line.trimEnd());
  } finally {
    tmux("kill-server");
  }
}
