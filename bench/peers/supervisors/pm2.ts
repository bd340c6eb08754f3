// PM2's own daemon, asked by its own library over its socket, without the command line in between.

import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { startPrivately } from "../private-process.ts";
import type { Program } from "../programs.ts";
import { Herald } from "./herald.ts";
import { endAll, Folk, mortalCount, type Supervisor } from "./supervisor.ts";

type Client = { call(method: string, data: unknown, done: (error: unknown, answer: unknown) => void): void };
type Axon = { readonly socket: (kind: "req") => { connect(file: string): void; close(): void } };
type Rpc = { readonly Client: new (socket: ReturnType<Axon["socket"]>) => Client };
type Started = readonly { readonly pm2_env: { readonly pm_id: number } }[];

/** `program.file` is its package.json: it is a library and a daemon more than a program. */
export async function startPm2(program: Program, parent: string, count: number): Promise<Supervisor> {
  const folder = fs.mkdtempSync(path.join(parent, "pm2-"));
  for (const each of ["logs", "pids", "modules"]) fs.mkdirSync(path.join(folder, each));
  const folk = new Folk();
  const file = path.join(folder, "herald");
  const herald = Herald.make(file);
  const rpcFile = path.join(folder, "rpc.sock");
  const process_ = await startPrivately({
    file: process.execPath,
    args: [path.join(path.dirname(program.file), "lib", "Daemon.js")],
    env: { ...program.env, PM2_HOME: folder },
    cwd: folder,
    isReady: () => Promise.resolve(fs.existsSync(rpcFile)),
  });
  // The parts of it that speak over its socket.
  const partOf = createRequire(program.file);
  const modules = path.join(path.dirname(program.file), "modules");
  const socket = (partOf(path.join(modules, "pm2-axon")) as Axon).socket("req");
  const client = new (partOf(path.join(modules, "pm2-axon-rpc")) as Rpc).Client(socket);
  socket.connect(rpcFile);
  const ask = (method: string, data: unknown): Promise<unknown> =>
    new Promise((resolve, reject) => {
      client.call(method, data, (error, answer) =>
        error ? reject(new Error(`PM2: ${JSON.stringify(error)}`)) : resolve(answer),
      );
    });
  const prepare = async (kind: "crowd" | "mortal", instances: number): Promise<number[]> => {
    const args = ["-c", folk.line(kind, file)];
    const order = { ...orderOf(folder, kind), args, instances };
    const started = (await ask("prepare", order)) as Started;
    return started.map(({ pm2_env: { pm_id: id } }) => id);
  };
  await prepare("mortal", mortalCount);
  const ids = await prepare("crowd", count);
  await herald.until(mortalCount + count);
  const each = async (method: string): Promise<void> => {
    await Promise.all(ids.map((id) => ask(method, id)));
  };
  const halt = async (): Promise<void> => {
    await each("stopProcessId");
    await folk.gone();
  };
  await halt();
  return {
    ...{ herald, halt, ...folk.above(() => [process_.pid]) },
    start: () => each("startProcessId"),
    mortals: () => folk.find("mortal"),
    stop: async () => {
      socket.close();
      await process_.stop();
      endAll([...folk.find("crowd"), ...folk.find("mortal")]);
      herald.close();
    },
  };
}

/** What its command line would make of an application that says nothing special. */
function orderOf(folder: string, name: string): Record<string, unknown> {
  return {
    ...{ name, namespace: "default", pm_exec_path: "/bin/sh", exec_interpreter: "none", exec_mode: "fork_mode" },
    ...{ pm_cwd: folder, pm_pid_path: path.join(folder, "pids", `${name}.pid`), node_args: [], env: {} },
    pm_out_log_path: path.join(folder, "logs", `${name}-out.log`),
    pm_err_log_path: path.join(folder, "logs", `${name}-err.log`),
    ...{ autorestart: true, autostart: true, vizion: false, watch: false, merge_logs: false, treekill: true },
    ...{ kill_timeout: 1600, km_link: false, automation: false, pmx: false, max_restarts: 100_000 },
  };
}
