// Ports that agents have and somebody else holds: an agent that is stopped could not have them back. Whose they are is not
// known, so a person decides.

import { readFile } from "node:fs/promises";
import type { Agent } from "../../core/agent/agent-state.ts";
import type { Found } from "./found.ts";

const listening = "0A";

export async function auditPorts(agents: Iterable<Agent>, isKept: (agent: string) => boolean): Promise<Found[]> {
  const idle = [...agents].filter(({ id, ports }) => ports.size > 0 && !isKept(id));
  if (idle.length === 0) return [];
  const held = await listeningPorts();
  return idle.flatMap(({ name, ports }) =>
    [...ports].filter(([, port]) => held.has(port)).map(([key, port]) => toPort({ name, key, port })),
  );
}

function toPort({ name, key, port }: { readonly name: string; readonly key: string; readonly port: number }): Found {
  return {
    kind: "port",
    what: `port ${port}, ${key} of ${name}`,
    sinceMs: null,
    why: `it is reserved for ${name}, nothing of which runs, and somebody listens there`,
    advice: `ss -ltnp 'sport = :${port}' shows who; ${name} gets another port when it is started and finds this one taken`,
    reap: null,
  };
}

/** Ports of this machine that somebody listens on, at whatever address. */
async function listeningPorts(): Promise<ReadonlySet<number>> {
  const ports = new Set<number>();
  for (const file of ["/proc/net/tcp", "/proc/net/tcp6"]) {
    const text = await readFile(file, "utf8").catch(() => "");
    for (const line of text.split("\n").slice(1)) {
      const [, local = "", , state] = line.trim().split(/\s+/);
      if (state === listening) ports.add(Number.parseInt(local.slice(local.lastIndexOf(":") + 1), 16));
    }
  }
  return ports;
}
