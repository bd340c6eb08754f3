import fs from "node:fs";
import path from "node:path";
import { startPrivately } from "../private-process.ts";
import type { Program } from "../programs.ts";
import { Herald } from "./herald.ts";
import { Folk, mortalCount, type Supervisor } from "./supervisor.ts";

const lookEveryMs = 20;

/** One folder for each process. It is told what to do by a letter into a pipe, as its own `sv` does it. */
export async function startRunit(program: Program, parent: string, count: number): Promise<Supervisor> {
  const folder = fs.mkdtempSync(path.join(parent, "runit-"));
  const services = path.join(folder, "services");
  const folk = new Folk();
  const file = path.join(folder, "herald");
  const herald = Herald.make(file);
  const make = (kind: "crowd" | "mortal", at: number): string => {
    const service = path.join(services, `${kind}-${at}`);
    fs.mkdirSync(service, { recursive: true });
    fs.writeFileSync(path.join(service, "run"), `#!/bin/sh\n${folk.line(kind, file)}\n`, { mode: 0o755 });
    // It is not to be started at once.
    if (kind === "crowd") fs.writeFileSync(path.join(service, "down"), "");
    return service;
  };
  for (let at = 0; at < mortalCount; at++) make("mortal", at);
  const controls = Array.from({ length: count }, (_, at) => path.join(make("crowd", at), "supervise", "control"));
  const process_ = await startPrivately({
    ...{ file: program.file, args: ["-P", services], env: program.env, cwd: folder, signal: "SIGHUP" },
    isReady: () => Promise.resolve(controls.every((control) => fs.existsSync(control))),
  });
  await herald.until(mortalCount);
  const say = async (letter: string): Promise<void> => {
    for (const control of controls) fs.writeFileSync(control, letter);
  };
  return {
    ...{ herald, ...folk.above(() => [process_.pid]) },
    start: () => say("u"),
    halt: async () => {
      await say("d");
      await folk.gone();
      // One that is taken down has said so when it can be taken up again.
      const isDown = (control: string): boolean =>
        fs.readFileSync(path.join(path.dirname(control), "stat"), "utf8").trim() === "down";
      while (!controls.every(isDown)) await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
    },
    mortals: () => folk.find("mortal"),
    stop: async () => {
      await process_.stop();
      herald.close();
    },
  };
}
