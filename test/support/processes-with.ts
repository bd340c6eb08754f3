import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** Processes with a text in what they were started with, or where they work: ours have a folder of ours there. */
export function processesWith(text: string): number[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  return pids.map(Number).filter((pid) => {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, "utf8") + readFileSync(`/proc/${pid}/environ`, "utf8");
      return words.includes(text) || readlinkSync(`/proc/${pid}/cwd`).startsWith(text);
    } catch {
      // It has ended meanwhile.
      return false;
    }
  });
}
