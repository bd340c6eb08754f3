import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { connectLines, type Client } from "../../src/client/client.ts";
import { homePaths, type DaemonInfo } from "../../src/protocol/home.ts";
import { startPrivately } from "./private-process.ts";

export type Daemon = {
  readonly connect: () => Client;
  readonly url: string;
  readonly token: string;
  /** A project to claim in. */
  readonly project: string;
  /** A folder that its keepers, and nobody else, have in their command lines. */
  readonly keepers: string;
  readonly pid: number;
  readonly cpuMs: () => number;
  readonly stop: () => Promise<void>;
};

/** Our daemon, with a home and a project that exist for this bench alone, and with more in its environment if need be. */
export async function startDaemonProcess(parent: string, env: NodeJS.ProcessEnv = {}): Promise<Daemon> {
  const home = fs.mkdtempSync(path.join(parent, "home-"));
  const root = fs.mkdtempSync(path.join(parent, "project-"));
  const paths = homePaths(home);
  const process_ = await startPrivately({
    file: process.execPath,
    args: [path.join(import.meta.dirname, "daemon-process.ts"), home],
    cwd: parent,
    env: { ...process.env, ...env },
    isReady: () => Promise.resolve(fs.existsSync(paths.daemon)),
  });
  const connect = (): Client => connectLines({ open: () => net.connect(paths.socket), where: paths.socket });
  const client = connect();
  const { project } = await client.call("project.add", { root });
  const keepers = path.join(paths.node, "keepers");
  client.close();
  const { url } = JSON.parse(fs.readFileSync(paths.daemon, "utf8")) as DaemonInfo;
  const token = fs.readFileSync(paths.token, "utf8").trim();
  return { connect, url, token, project, keepers, pid: process_.pid, cpuMs: process_.cpuMs, stop: process_.stop };
}
