import { readdirSync, readFileSync, readlinkSync } from "node:fs";

const patienceMs = 2000;

/**
 * Everything is closed, so this process has nothing to stay for. If something was forgotten nevertheless it is named, and the
 * process ends all the same: whoever ends a daemon waits for that (EN39).
 */
export function endSurely(): void {
  setTimeout(() => {
    const left = process.getActiveResourcesInfo().filter((what) => what !== "Timeout");
    const what = [...left, ...openSockets()].join(", ");
    if (what !== "") console.error(`Everything is closed, and this was left: ${what}. The process ends without it.`);
    process.exit();
  }, patienceMs).unref();
}

/** The sockets with a name that this process still has, where the system tells. */
function openSockets(): string[] {
  try {
    const open = new Set(readdirSync("/proc/self/fd").map(linkOf));
    const lines = readFileSync("/proc/net/unix", "utf8").split("\n").slice(1);
    const known = lines.map((line) => line.trim().split(/\s+/));
    return known.flatMap(([, , , , , , inode, path]) =>
      path !== undefined && open.has(`socket:[${inode}]`) ? path : [],
    );
  } catch {
    return [];
  }
}

function linkOf(name: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${name}`);
  } catch {
    return "";
  }
}
