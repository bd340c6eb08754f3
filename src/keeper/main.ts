// The keeper's program: `main.ts FOLDER DAEMON NAMESPACES CACHE [GROUP…]`, started detached by `keeperArgv`. One process per agent, which
// outlives the daemon that started it.

import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type KeeperNamespaces,
  keeperRecordName,
  keeperSocketName,
  type KeeperRecord,
} from "../protocol/keeper/keeper-command.ts";
import { keeperProtocol } from "../protocol/keeper/keeper-wire.ts";
import { Keeper } from "./keeper.ts";
import { serve } from "./keeper-server.ts";
import { isErrno } from "./os/errno.ts";
import { closeInherited } from "./os/inherited.ts";
import { bootId, isSame, lookAt } from "./os/processes.ts";
import { say } from "./os/say.ts";

const lookMs = 1000;
/** Less often once there is an agent: then it is only a question of tidiness. */
const lookAtRecordMs = 2000;
const signalGraceMs = 2000;
const endMsMax = 5000;

const [folder = "", daemon = "", namespaces = "", cache = "", ...groups] = process.argv.slice(2);
process.umask(0o022);
closeInherited();
mkdirSync(folder, { recursive: true, mode: 0o700 });

const ownNamespaces = namespaces === ("own-namespaces" satisfies KeeperNamespaces);
const keeper = new Keeper({ folder, cache, ownNamespaces, groups, onOpen: writeRecord });

// Nobody waits for it yet, so what every agent needs is made at once.
void keeper.warmUp();
const server = await serve(join(folder, keeperSocketName), (request) => keeper.answer(request), leave);
writeRecord(null);
watchDaemon();

process.on("SIGHUP", () => undefined);
// A mistake of ours in one request must not end everything that the agent has under way.
process.on("unhandledRejection", (reason) => say(reason));
for (const signal of ["SIGTERM", "SIGINT"] as const) {
  process.once(signal, () => void keeper.close(signalGraceMs).finally(leave));
}

function writeRecord(agent: string | null): void {
  const startTicks = lookAt(process.pid)?.startTicks ?? "";
  const record: KeeperRecord = {
    protocol: keeperProtocol,
    pid: process.pid,
    startTicks,
    bootId: bootId(),
    agent,
    groups,
  };
  // Whole or not at all, but not synced: after a power cut there is no keeper that it could speak of.
  const path = join(folder, keeperRecordName);
  writeFileSync(`${path}.new`, JSON.stringify(record), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/** A keeper that nobody has opened belongs to the daemon that started it, and goes when that is gone. */
function watchDaemon(): void {
  const [pid = "", startTicks = ""] = daemon.split(":");
  const timer = setInterval(() => {
    if (keeper.isWaiting) {
      if (!isSame({ pid: Number(pid), startTicks })) leave();
      return;
    }
    clearInterval(timer);
    watchRecord();
  }, lookMs);
}

/** Daemons find us by our record. One that was taken away, with its home or without, means that nobody ever will again. */
function watchRecord(): void {
  const timer = setInterval(() => {
    if (isRecorded()) return;
    clearInterval(timer);
    // Where our folders are gone nothing can be written down, and nobody would hear of the end of a command.
    setTimeout(leave, signalGraceMs + endMsMax);
    void keeper.close(signalGraceMs).finally(leave);
  }, lookAtRecordMs);
}

/** Only a record that is surely not there, or somebody else's, is none: a folder that cannot be looked into proves nothing. */
function isRecorded(): boolean {
  try {
    const known = JSON.parse(readFileSync(join(folder, keeperRecordName), "utf8")) as Partial<KeeperRecord>;
    return known.pid === process.pid;
  } catch (error) {
    return !isErrno(error, "ENOENT", "ENOTDIR");
  }
}

function leave(): void {
  server.close();
  // Answers that are on their way get there; open connections do not hold us.
  setTimeout(() => process.exit(0), 50);
}
