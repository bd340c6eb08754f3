import { chmod, chown, rm } from "node:fs/promises";
import type { Server } from "node:net";

/** Listens on a socket that one user alone may connect to. Where that cannot be, nobody listens afterwards. */
export async function listenAt(
  server: Server,
  socket: string,
  owner?: { readonly uid: number; readonly gid: number },
): Promise<void> {
  await rm(socket, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(socket, () => {
      server.off("error", reject);
      resolve();
    });
  });
  try {
    await chmod(socket, 0o600);
    if (owner !== undefined) await chown(socket, owner.uid, owner.gid);
  } catch (error) {
    await new Promise<void>((resolve) => void server.close(() => resolve()));
    throw error;
  }
}
