// The variables of a service as a file inside its agent, for a service that reads them anew when it is told to. What is secret is
// not in it. Beside it stands what the service was last told of: so a daemon that was killed in between tells it again.

import { randomUUID } from "node:crypto";
import { Fault } from "../../base/fault.ts";
import type { CommandEnd } from "../../protocol/keeper/keeper-wire.ts";
import type { KeeperLine } from "../workspace/keepers.ts";

/** As the service sees it. */
export function envFileOf(agent: string, service: string): string {
  return `/tmp/signalbox-env-${agent}-${service}`;
}

/** As shells and most readers of such files take it. */
export function envTextOf(env: Readonly<Record<string, string>>): string {
  const names = Object.keys(env).toSorted();
  return names.map((name) => `${name}='${(env[name] ?? "").replaceAll("'", String.raw`'\''`)}'\n`).join("");
}

const timeoutMs = 20_000;
const inputBytes = 64 * 1024;
const differs = 10;
/** What is said goes into this file, which is the old one or the new one, and never a part of either. */
const writeTo = (file: string): string => `cat > "${file}.new" && mv -f "${file}.new" "${file}" || exit 1`;
/** By what each is told; nothing but what the smallest of images have is used. */
const scripts = {
  /** Before it begins: it knows all of it. */
  begin: `umask 077; ${writeTo("$1")}; cat "$1" > "$1.told"`,
  place: `umask 077; ${writeTo("$1")}; [ "$(cat "$1")" = "$(cat "$1.told" 2>/dev/null)" ] || exit ${differs}`,
  /** What is said, and not what is in the file: that may be newer, and nobody has told of it yet. */
  told: `umask 077; ${writeTo("$1.told")}`,
} as const;

export type EnvFile = {
  /** As what the service runs. */
  readonly call: string;
  readonly file: string;
  readonly text: string;
  /** Where the service has a system of its own, the file is on that. */
  readonly system?: string;
};

/** Answers whether the service knows what is in the file now. */
export async function putEnv(
  keeper: KeeperLine,
  how: keyof typeof scripts,
  { call, file, text, system }: EnvFile,
): Promise<boolean> {
  const own = `${call}-env-${randomUUID()}`;
  const argv = ["/bin/sh", "-c", scripts[how], "sh", file];
  try {
    const where = system === undefined ? {} : { system };
    await keeper.request({ op: "start", call: own, argv, cwd: null, env: {}, timeoutMs, stdin: true, ...where });
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += inputBytes) {
      const base64 = bytes.subarray(at, at + inputBytes).toString("base64");
      await keeper.request({ op: "input", call: own, base64, end: false, wait: true });
    }
    await keeper.request({ op: "input", call: own, base64: "", end: true });
    const { exit, why, tail } = (await keeper.request({ op: "wait", call: own })) as CommandEnd;
    if (exit === 0) return true;
    if (exit === differs) return false;
    // Whoever could not begin is tried again as its rule says, and not behind its back.
    const retry = how === "begin" ? "never" : "later";
    throw new Fault("env-file-failed", { retry, message: `${file} could not be written: ${tail.trim() || why}` });
  } finally {
    // Whatever became of it: whoever tries again takes another call.
    await keeper.request({ op: "stop", call: own, graceMs: 0 }).catch(() => undefined);
    await keeper.request({ op: "forget", call: own }).catch(() => undefined);
  }
}
