// All peers of a run: started when a row first wants one, and ended together.

import fs from "node:fs";
import path from "node:path";
import { AssistantGround } from "./assistant-ground.ts";
import { type BareMcp, startBareMcp } from "./bare-mcp.ts";
import { type Daemon, startDaemonProcess } from "./daemon.ts";
import { type Etcd, startEtcd } from "./etcd.ts";
import { type NaiveBroadcast, startNaiveBroadcast } from "./naive-broadcast.ts";
import { type Postgres, startPostgres } from "./postgres.ts";
import { findProgram, type Program, type ProgramName } from "./programs.ts";
import { type Redis, startRedis } from "./redis.ts";
import { startLivingAgent } from "./supervisors/living-agent.ts";
import { startPlainSpawn } from "./supervisors/plain-spawn.ts";
import { startPm2 } from "./supervisors/pm2.ts";
import { startRunit } from "./supervisors/runit.ts";
import { startSupervisord } from "./supervisors/supervisord.ts";
import type { Supervisor } from "./supervisors/supervisor.ts";
import type { Seat } from "./terminals/seat.ts";
import { sitAtTmux } from "./terminals/tmux.ts";
import { sitAtTtyd } from "./terminals/ttyd.ts";
import { WorkspaceGround } from "./workspace-ground.ts";

type Stoppable = { readonly stop: () => Promise<void> };

export class Peers {
  /** On a real disk and short enough for a socket: /tmp may be memory, and then a sync costs nothing. */
  readonly folder = fs.mkdtempSync(path.join(fs.existsSync("/var/tmp") ? "/var/tmp" : "/tmp", "signalbox-bench-"));
  readonly #started = new Map<string, Promise<Stoppable>>();
  readonly #absent = new Map<string, string>();

  readonly #find: (name: ProgramName) => Program | undefined;

  constructor(options: { readonly find?: (name: ProgramName) => Program | undefined } = {}) {
    this.#find = options.find ?? findProgram;
    // Peers that run as somebody else have to get to their own folders in it.
    fs.chmodSync(this.folder, 0o711);
  }

  daemon(): Promise<Daemon> {
    return this.#once("daemon", () => startDaemonProcess(this.folder));
  }

  /** Where workspaces are made, of a repository with so many files. */
  workspaces(files: number): Promise<WorkspaceGround> {
    return this.#once(`workspaces of ${files} files`, () => WorkspaceGround.open(this.folder, files));
  }

  /** A daemon whose assistants ask a scripted model. */
  assistants(): Promise<AssistantGround> {
    return this.#once("assistants", () => AssistantGround.open(this.folder));
  }

  bareMcp(): Promise<BareMcp> {
    return this.#once("bare MCP server", () => startBareMcp(this.folder));
  }

  naiveBroadcast(): Promise<NaiveBroadcast> {
    return this.#once("naive broadcast", () => startNaiveBroadcast(this.folder));
  }

  redisDurable(): Promise<Redis | undefined> {
    return this.#maybe("Redis with AOF always", "redis-server", (program) => startRedis(program, this.folder, true));
  }

  redisPlain(): Promise<Redis | undefined> {
    return this.#maybe("Redis", "redis-server", (program) => startRedis(program, this.folder, false));
  }

  postgres(): Promise<Postgres | undefined> {
    return this.#maybe("PostgreSQL", "postgres", (program) => startPostgres(program, this.folder));
  }

  etcd(): Promise<Etcd | undefined> {
    return this.#maybe("etcd", "etcd", (program) => startEtcd(program, this.folder));
  }

  /** A daemon that does nothing but supervise, and the agent in which it does. */
  async livingAgent(count: number): Promise<Supervisor> {
    const daemon = await this.#once("a daemon of its own", () => startDaemonProcess(this.folder));
    return this.#once(`an agent of ${count}`, () => startLivingAgent(daemon, count));
  }

  plainSpawn(count: number): Promise<Supervisor> {
    return this.#once("a plain spawn", () => startPlainSpawn(this.folder, count));
  }

  pm2(count: number): Promise<Supervisor | undefined> {
    return this.#maybe("PM2", "pm2", (program) => startPm2(program, this.folder, count));
  }

  supervisord(count: number): Promise<Supervisor | undefined> {
    return this.#maybe("supervisord", "supervisord", (program) => startSupervisord(program, this.folder, count));
  }

  runit(count: number): Promise<Supervisor | undefined> {
    return this.#maybe("runit", "runsvdir", (program) => startRunit(program, this.folder, count));
  }

  /** A window of tmux with a program in it. Whoever asks for it ends it. */
  tmux(argv: readonly string[]): Promise<Seat | undefined> {
    return this.#maybeSeat("tmux", (program) => sitAtTmux(program, this.folder, argv));
  }

  /** A viewer of ttyd with a program in it. Whoever asks for it ends it. */
  ttyd(argv: readonly string[]): Promise<Seat | undefined> {
    return this.#maybeSeat("ttyd", (program) => sitAtTtyd(program, this.folder, argv));
  }

  /** What could not be started, each with the reason. */
  whyAbsent(...names: readonly string[]): string[] {
    return names.flatMap((name) => {
      const reason = this.#absent.get(name);
      return reason === undefined ? [] : [`${name}: ${reason}`];
    });
  }

  async close(): Promise<void> {
    // In the reverse order: some stand on others.
    for (const started of [...this.#started.values()].toReversed())
      await started.then((peer) => peer.stop()).catch(() => undefined);
    this.#started.clear();
    fs.rmSync(this.folder, { recursive: true, force: true });
  }

  #once<T extends Stoppable>(name: string, start: () => Promise<T>): Promise<T> {
    const known = this.#started.get(name) ?? start();
    this.#started.set(name, known);
    return known as Promise<T>;
  }

  async #maybeSeat(name: "tmux" | "ttyd", sit: (program: Program) => Promise<Seat>): Promise<Seat | undefined> {
    const program = this.#find(name);
    if (program === undefined) this.#absent.set(name, missing(name));
    return program === undefined ? undefined : sit(program);
  }

  async #maybe<T extends Stoppable>(
    name: string,
    needs: ProgramName,
    start: (program: Program) => Promise<T>,
  ): Promise<T | undefined> {
    const program = this.#find(needs);
    if (program === undefined) {
      this.#absent.set(name, missing(needs));
      return undefined;
    }
    try {
      return await this.#once(name, () => start(program));
    } catch (error) {
      this.#absent.set(name, error instanceof Error ? error.message : String(error));
      return undefined;
    }
  }
}

function missing(program: ProgramName): string {
  return `${program} is not installed (--fetch gets it)`;
}
