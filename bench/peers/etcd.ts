import fs from "node:fs";
import path from "node:path";
import { EtcdClient } from "./etcd-client.ts";
import { freePort } from "./free-port.ts";
import { startPrivately } from "./private-process.ts";
import type { Program } from "./programs.ts";

export type Etcd = {
  readonly connect: () => Promise<EtcdClient>;
  readonly cpuMs: () => number;
  readonly stop: () => Promise<void>;
};

/** One etcd with its own data and ports. It syncs its log before it answers, as it always does. */
export async function startEtcd(program: Program, parent: string): Promise<Etcd> {
  const folder = fs.mkdtempSync(path.join(parent, "etcd-"));
  const [port, peerPort] = [await freePort(), await freePort()];
  const clientUrl = `http://127.0.0.1:${port}`;
  const peerUrl = `http://127.0.0.1:${peerPort}`;
  const process_ = await startPrivately({
    file: program.file,
    env: program.env,
    args: [
      ...["--data-dir", path.join(folder, "data"), "--name", "bench", "--log-level", "error"],
      ...["--listen-client-urls", clientUrl, "--advertise-client-urls", clientUrl],
      ...["--listen-peer-urls", peerUrl, "--initial-advertise-peer-urls", peerUrl],
      ...["--initial-cluster", `bench=${peerUrl}`, "--snapshot-count", "1000000"],
    ],
    cwd: folder,
    isReady: () => answers(port),
  });
  return { connect: () => EtcdClient.connect(port), cpuMs: process_.cpuMs, stop: process_.stop };
}

async function answers(port: number): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(500) });
    return (await response.text()).includes("true");
  } catch {
    return false;
  }
}
