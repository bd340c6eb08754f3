// The log of a home before it is opened: that it is there, and that nobody else reads it.

import { chmod, stat } from "node:fs/promises";
import { Fault } from "../base/fault.ts";
import type { HomePaths } from "../protocol/home.ts";

/** A home that was in use has a token; without its log everything that was acknowledged is gone, and that is no new start. */
export async function checkLogIsThere(paths: HomePaths): Promise<void> {
  const sizeOf = async (path: string): Promise<number> => (await stat(path).catch(() => undefined))?.size ?? 0;
  if ((await sizeOf(paths.token)) === 0 || (await sizeOf(paths.log)) > 0) return;
  throw new Fault("log-damaged", {
    retry: "never",
    message: `the home has been in use, but its log ${paths.log} is missing or empty; put a copy of it back, or remove the whole home to begin anew`,
  });
}

/** Whoever may walk through the home still may not read the log. */
export async function keepPrivate(log: string): Promise<void> {
  for (const path of [log, `${log}-wal`, `${log}-shm`]) {
    await chmod(path, 0o600).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    });
  }
}
