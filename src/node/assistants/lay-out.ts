// Puts an assistant's own files where it looks for them, with the agent's own hands.

import { Fault } from "../../base/fault.ts";
import type { CommandEnd } from "../../protocol/keeper/keeper-wire.ts";
import type { KeeperLine } from "../workspace/keepers.ts";

const script = 'umask 077 && mkdir -p "$(dirname "$0")" && cat > "$0"';

/** What makes the home of a program that is given no file. */
const nothing = { path: ".signalbox", text: "" } as const;

/** Under the call's name and a number; what was laid out before is laid out again. Its home is there afterwards in any case. */
export async function layOut(
  keeper: KeeperLine,
  call: string,
  home: string,
  files: readonly { readonly path: string; readonly text: string }[],
): Promise<void> {
  for (const [at, { path, text }] of (files.length === 0 ? [nothing] : files).entries()) {
    const name = `${call}-${at}`;
    const argv = ["/bin/sh", "-c", script, `${home}/${path}`];
    const order = { call: name, argv, cwd: "/", env: {}, timeoutMs: 30_000, stdin: true, onMachine: true };
    await keeper.request({ op: "start", ...order });
    await keeper.request({ op: "input", call: name, base64: Buffer.from(text).toString("base64"), end: true });
    const end = (await keeper.request({ op: "wait", call: name })) as CommandEnd;
    await keeper.request({ op: "forget", call: name });
    if (end.exit !== 0)
      throw new Fault("keeper-failed", { retry: "later", message: `${path} could not be laid out: ${end.tail}` });
  }
}

/** Whether there is a home of the program's own in the cage. */
export async function isLaidOut(keeper: KeeperLine, call: string, home: string): Promise<boolean> {
  const argv = ["/bin/sh", "-c", 'test -d "$0"', home];
  await keeper.request({ op: "start", call, argv, cwd: "/", env: {}, timeoutMs: 30_000 });
  const end = (await keeper.request({ op: "wait", call })) as CommandEnd;
  await keeper.request({ op: "forget", call });
  return end.exit === 0;
}
