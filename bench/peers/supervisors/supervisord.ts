import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { startPrivately } from "../private-process.ts";
import type { Program } from "../programs.ts";
import { Herald } from "./herald.ts";
import { Folk, mortalCount, type Supervisor } from "./supervisor.ts";

/** Asked over its socket. What it starts counts as started at once, and is started again at once. */
export async function startSupervisord(program: Program, parent: string, count: number): Promise<Supervisor> {
  const folder = fs.mkdtempSync(path.join(parent, "supervisord-"));
  const folk = new Folk();
  const file = path.join(folder, "herald");
  const herald = Herald.make(file);
  const socketPath = path.join(folder, "s");
  const config = path.join(folder, "conf");
  const of = (kind: "crowd" | "mortal", copies: number): string => `[program:${kind}]
command=/bin/sh -c "${folk.line(kind, file)}"
process_name=%%(process_num)03d
numprocs=${copies}
autostart=${kind === "mortal"}
autorestart=true
startsecs=0
stopsignal=KILL
`;
  fs.writeFileSync(
    config,
    `[unix_http_server]
file=${socketPath}
[supervisord]
nodaemon=true
silent=true
logfile=${folder}/log
pidfile=${folder}/pid
childlogdir=${folder}
[rpcinterface:supervisor]
supervisor.rpcinterface_factory = supervisor.rpcinterface:make_main_rpcinterface
${of("mortal", mortalCount)}${of("crowd", count)}`.replaceAll("%%", "%"),
  );
  const ask = (method: string, group: string, wait: boolean): Promise<void> =>
    call(socketPath, `supervisor.${method}`, [`<string>${group}</string>`, `<boolean>${Number(wait)}</boolean>`]);
  const process_ = await startPrivately({
    ...{ file: program.file, args: ["-c", config], env: program.env, cwd: folder },
    isReady: () => Promise.resolve(fs.existsSync(socketPath)),
  });
  await herald.until(mortalCount);
  return {
    ...{ herald, ...folk.above(() => [process_.pid]) },
    start: () => ask("startProcessGroup", "crowd", false),
    halt: async () => {
      await ask("stopProcessGroup", "crowd", true);
      await folk.gone();
    },
    mortals: () => folk.find("mortal"),
    stop: async () => {
      herald.close();
      await process_.stop();
    },
  };
}

async function call(socketPath: string, method: string, values: readonly string[]): Promise<void> {
  const params = values.map((value) => `<param><value>${value}</value></param>`).join("");
  const body = `<?xml version="1.0"?><methodCall><methodName>${method}</methodName><params>${params}</params></methodCall>`;
  const answer = await new Promise<string>((resolve, reject) => {
    const headers = { "content-type": "text/xml", "content-length": Buffer.byteLength(body) };
    const request = http.request({ socketPath, method: "POST", path: "/RPC2", headers }, (response) => {
      let text = "";
      response.on("data", (chunk: Buffer) => (text += chunk.toString()));
      response.on("end", () => resolve(text));
    });
    request.on("error", reject);
    request.end(body);
  });
  if (answer.includes("<fault>")) throw new Error(`supervisord: ${answer.replaceAll(/<[^>]+>|\s+/g, " ")}`);
}
