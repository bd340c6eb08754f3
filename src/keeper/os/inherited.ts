// Handles that whoever started us happened to have open. Commands would inherit them from us and reach, through them,
// what lies outside their cage.

import { closeSync, readdirSync, readFileSync } from "node:fs";

const closeOnExec = 0o2000000;

/** Closes what a child of ours would inherit, but for the first three. */
export function closeInherited(): void {
  for (const name of readdirSync("/proc/self/fd")) {
    const fd = Number(name);
    if (fd > 2 && isInheritable(fd)) closeSync(fd);
  }
}

function isInheritable(fd: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, "utf8"))?.[1] ?? "0";
    return (Number.parseInt(flags, 8) & closeOnExec) === 0;
  } catch {
    // It was the handle of the list itself.
    return false;
  }
}
