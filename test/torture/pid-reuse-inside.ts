// The inner half of `pid-reuse`. It is alone in its namespace, so that the next number is the one that it says.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { endProcesses, signal } from "../../src/keeper/commands/command-processes.ts";
import { signalInside } from "../../src/keeper/cage/holder.ts";
import { lookAt } from "../../src/keeper/os/processes.ts";
import { identify, isAlive, signalProcess } from "../../src/node/supervisor/process-identity.ts";
import { NumberedPlace } from "../support/numbered-place.ts";

const triesMax = 50;
/** Longer than the kernel's tick, in which starts are told apart. */
const livedMs = 20;

const rounds = Number(process.argv[2] ?? 1);
const wrong: string[] = [];
let reused = 0;
for (let round = 0; round < rounds; round++) await tryOne();
const place = await NumberedPlace.open();
for (let round = 0; round < rounds; round++) await tryInside(place);
await place.close();
for (const each of wrong) console.log(`WRONG: ${each}`);
console.log(`${reused} of ${2 * rounds} numbers were given to a stranger, ${wrong.length} wrong`);
process.exitCode = wrong.length === 0 && reused === 2 * rounds ? 0 : 1;

async function tryOne(): Promise<void> {
  const ours = idler();
  const pid = ours.pid ?? 0;
  const identity = identify(pid);
  const seen = lookAt(pid);
  if (identity === undefined || seen === undefined) throw new Error("what was just started is not there");
  await new Promise((resolve) => setTimeout(resolve, livedMs));
  await end(ours);
  const stranger = await startWith(pid);
  if (stranger === undefined) return;
  reused++;
  // As the daemon signals, as a keeper does in a look that is old, and as a later keeper ends what an earlier one left.
  signalProcess(identity, "SIGKILL");
  const belonging = { mark: "nobody's", list: undefined, holder: undefined, close: () => undefined };
  await signal(belonging, "KILL", [seen]);
  await endProcesses({ ...belonging, leader: seen }, 0);
  // A signal that was on its way would have come by now: this one does.
  if (isAlive(identity)) wrong.push(`${pid} is taken for the one that has ended`);
  if (stranger.exitCode !== null || stranger.signalCode !== null || identify(pid) === undefined)
    wrong.push(`the stranger with the number ${pid} was signalled`);
  await end(stranger);
}

/** As a keeper signals in a cage: by the number inside, which it has looked up a while ago. */
async function tryInside(cage: NumberedPlace): Promise<void> {
  const ours = await cage.start();
  if (ours === undefined) throw new Error("nobody could be started inside");
  await new Promise((resolve) => setTimeout(resolve, livedMs));
  await ours.end();
  const stranger = await cage.start(ours.whom.inner);
  if (stranger === undefined) return;
  reused++;
  await signalInside(cage.pid, "KILL", [ours.whom]);
  if (lookAt(stranger.whom.pid)?.startTicks !== stranger.whom.startTicks)
    wrong.push(`the stranger with the number ${ours.whom.inner} inside was signalled`);
  await stranger.end();
}

/** Somebody else with this number; undefined where others were always quicker. */
async function startWith(pid: number): Promise<ChildProcess | undefined> {
  for (let tries = 0; tries < triesMax; tries++) {
    writeFileSync("/proc/sys/kernel/ns_last_pid", String(pid - 1));
    const stranger = idler();
    if (stranger.pid === pid) return stranger;
    await end(stranger);
  }
  return undefined;
}

function idler(): ChildProcess {
  return spawn("sleep", ["1000"], { stdio: "ignore", detached: true });
}

async function end(child: ChildProcess): Promise<void> {
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}
