// What the processes of an agent may use together. Where control groups were made for the keeper, each command gets one of
// its own below them: then it is also known what belongs to a command, whatever it calls itself. Else each process is
// limited by itself.

import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { CageLimits, CommandLimits, LimitTier, WholeLimits } from "../../protocol/keeper/keeper-wire.ts";
import { outputRateDefault } from "../commands/output-rate.ts";
import { isErrno } from "../os/errno.ts";
import { readText } from "../os/durable-file.ts";

type Groups =
  | { readonly tier: "cgroup2"; readonly base: string }
  | {
      readonly tier: "cgroup1";
      readonly memory: string;
      readonly pids: string;
      /** Where the machine has it: processors are held by nothing else. */
      readonly cpu: string | undefined;
    };

/** What may come while it is set that whoever uses more than it may goes no further. */
const growthBytes = 4 * 1024 * 1024;
/** How often it is tried whether less is used by then. */
const lowerMs = 2000;

/** In what processors are counted: so much of each of these periods. */
const cpuPeriodUs = 100_000;

export class Limits {
  readonly #groups: Groups | undefined;
  #isPrepared = false;
  /** Processors of the commands that have a limit of their own. */
  readonly #cpus = new Map<string, number>();
  #lowering: NodeJS.Timeout | undefined;
  #limits: CageLimits = { memoryBytes: null, processes: null, files: null, fileBytes: null };

  /** `given` is `2=<path>`, or `memory=<path>`, `pids=<path>` and perhaps `cpu=<path>`: folders that we may write to. */
  constructor(given: readonly string[]) {
    const paths = new Map(given.map((each) => [each.slice(0, each.indexOf("=")), each.slice(each.indexOf("=") + 1)]));
    const [base, memory, pids] = [paths.get("2"), paths.get("memory"), paths.get("pids")];
    if (base !== undefined) this.#groups = { tier: "cgroup2", base };
    else if (memory !== undefined && pids !== undefined)
      this.#groups = { tier: "cgroup1", memory, pids, cpu: paths.get("cpu") };
  }

  /** How many bytes a command may say in a second. */
  get outputRate(): number {
    return this.#limits.outputBytesPerS ?? outputRateDefault;
  }

  get tier(): LimitTier {
    return this.#groups?.tier ?? "prlimit";
  }

  /** Makes the group of all commands, where there is one: that takes longer than setting what it may use. */
  prepare(): void {
    const groups = this.#groups;
    if (this.#isPrepared || groups?.tier !== "cgroup2") return;
    const all = join(groups.base, "commands");
    mkdirSync(all, { recursive: true });
    const controllers = readText(join(groups.base, "cgroup.controllers"))?.split(/\s+/).includes("cpu")
      ? "+memory +pids +cpu"
      : "+memory +pids";
    writeFileSync(join(groups.base, "cgroup.subtree_control"), controllers);
    writeFileSync(join(all, "cgroup.subtree_control"), controllers);
    this.#isPrepared = true;
  }

  /** Sets what all commands together may use. */
  set(limits: CageLimits): void {
    this.#limits = limits;
    const groups = this.#groups;
    if (groups === undefined) return;
    const memory = limits.memoryBytes;
    const processes = limits.processes === null ? "max" : String(limits.processes);
    if (groups.tier === "cgroup2") {
      this.prepare();
      const all = join(groups.base, "commands");
      writeFileSync(join(all, "memory.max"), memory === null ? "max" : String(memory));
      tryWrite(join(all, "memory.swap.max"), memory === null ? "max" : "0");
      tryWrite(join(all, "memory.oom.group"), "0");
      writeFileSync(join(all, "pids.max"), processes);
    } else {
      writeFileSync(join(groups.memory, "memory.limit_in_bytes"), memory === null ? "-1" : String(memory));
      writeFileSync(join(groups.pids, "pids.max"), processes);
    }
    this.#setCpu("", limits.cpu ?? null);
  }

  /** Other limits hold for all commands together from now on, those that run among them. */
  change(limits: WholeLimits): void {
    this.#limits = { ...this.#limits, ...limits };
    const groups = this.#groups;
    if (groups === undefined) return;
    const [folder, pids] =
      groups.tier === "cgroup2"
        ? [join(groups.base, "commands"), join(groups.base, "commands")]
        : [groups.memory, groups.pids];
    this.#lowerMemory(folder);
    writeFileSync(join(pids, "pids.max"), limits.processes === null ? "max" : String(limits.processes));
    this.#setAllCpu(limits.cpu);
  }

  /**
   * Nobody is ended for what was used before: who uses more than it may goes on for as long as it does not grow, and what it gives back
   * it does not get again.
   */
  #lowerMemory(folder: string): void {
    clearTimeout(this.#lowering);
    const { memoryBytes } = this.#limits;
    if (this.#isMemorySet(folder, memoryBytes)) return;
    const used = Number(readText(join(folder, usedFiles[this.tier])) ?? 0);
    this.#isMemorySet(folder, Math.max(used + growthBytes, memoryBytes ?? 0));
    this.#lowering = setTimeout(() => this.#lowerMemory(folder), lowerMs).unref();
  }

  /** False where more is used than that: newer kernels would end somebody for it, older ones refuse it. */
  #isMemorySet(folder: string, memoryBytes: number | null): boolean {
    const text = memoryBytes === null ? "-1" : String(memoryBytes);
    if (this.tier === "cgroup1") return tryWrite(join(folder, "memory.limit_in_bytes"), text);
    if (memoryBytes !== null && !hasRoomFor(folder, memoryBytes)) return false;
    tryWrite(join(folder, "memory.swap.max"), memoryBytes === null ? "max" : "0");
    return tryWrite(join(folder, "memory.max"), memoryBytes === null ? "max" : text);
  }

  /** Older kernels let none below have more than all of them: who has a limit of its own is lowered first, and raised last. */
  #setAllCpu(cpu: number | null): void {
    const setOwn = (): void => {
      for (const [name, own] of this.#cpus) this.#setCpu(name, Math.min(own, cpu ?? Infinity));
    };
    setOwn();
    this.#setCpu("", cpu);
    setOwn();
  }

  /** Sets what one command may use, of what all of them may. Its group is there already. */
  setOne(name: string, { memoryBytes, processes, cpu }: CommandLimits): void {
    const groups = this.#groups;
    if (groups === undefined) return;
    const [memory = ""] = this.#folders(name);
    const pids = this.#folders(name).at(-1) ?? "";
    if (groups.tier === "cgroup2") {
      writeFileSync(join(memory, "memory.max"), memoryBytes === null ? "max" : String(memoryBytes));
      tryWrite(join(memory, "memory.swap.max"), memoryBytes === null ? "max" : "0");
    } else writeFileSync(join(memory, "memory.limit_in_bytes"), memoryBytes === null ? "-1" : String(memoryBytes));
    writeFileSync(join(pids, "pids.max"), processes === null ? "max" : String(processes));
    if (cpu === null) this.#cpus.delete(name);
    else this.#cpus.set(name, cpu);
    this.#setCpu(name, cpu === null ? null : Math.min(cpu, this.#limits.cpu ?? Infinity));
  }

  /**
   * Whether what a command uses now would stay below these limits. Newer kernels take a limit of memory also where it would not,
   * and end somebody for it; older ones refuse it themselves.
   */
  hasRoomIn(name: string, { memoryBytes }: CommandLimits): boolean {
    const [folder = ""] = this.#folders(name);
    return memoryBytes === null || this.tier !== "cgroup2" || hasRoomFor(folder, memoryBytes);
  }

  /** Makes the groups of a command, and answers the files by which a process joins them. */
  join(name: string): string[] {
    return this.#folders(name).map((folder) => {
      mkdirSync(folder, { recursive: true });
      return join(folder, "cgroup.procs");
    });
  }

  /** As words of a shell, to be said before the command starts. Only numbers come in from outside. */
  shellWords(): string {
    const { files, fileBytes, memoryBytes, processes } = this.#limits;
    const words = ["ulimit -c 0"];
    if (files !== null) words.push(`ulimit -n ${whole(files)}`);
    if (fileBytes !== null) words.push(`ulimit -f ${whole(fileBytes / 512)}`);
    if (this.#groups === undefined) {
      // Nobody shares processors out here: at least the daemon and people come before it.
      words.push("{ renice -n 5 -p $$ || renice 5 -p $$; } > /dev/null 2>&1");
      if (memoryBytes !== null) words.push(`ulimit -d ${whole(memoryBytes / 1024)}`);
      // Shells disagree about the letter.
      if (processes !== null)
        words.push(`{ ulimit -u ${whole(processes)} || ulimit -p ${whole(processes)}; } 2>/dev/null`);
    }
    // When the whole machine runs out of memory, an agent's command goes before its keeper.
    words.push("{ echo 500 > /proc/self/oom_score_adj; } 2>/dev/null");
    return words.join("; ");
  }

  /** What has to be said before one command starts, for what no group holds. */
  shellWordsOf({ memoryBytes, processes, files }: CommandLimits): string {
    const words = files === null ? [] : [`ulimit -n ${whole(files)} || exit 126`];
    if (this.#groups === undefined) {
      if (memoryBytes !== null) words.push(`ulimit -d ${whole(memoryBytes / 1024)} || exit 126`);
      if (processes !== null)
        words.push(`{ ulimit -u ${whole(processes)} || ulimit -p ${whole(processes)}; } 2>/dev/null`);
    }
    return words.join("; ");
  }

  /** The file that lists everything that a command started; undefined where nobody counts. */
  listOf(name: string): string | undefined {
    const [folder] = this.#folders(name);
    return folder === undefined ? undefined : join(folder, "cgroup.procs");
  }

  /** From now on the command starts no further process. */
  close(name: string): void {
    const folder = this.#folders(name).at(-1);
    if (folder !== undefined) tryWrite(join(folder, "pids.max"), "0");
  }

  /** How many processes of the command the kernel has ended for want of memory. */
  oomKillsOf(name: string): number {
    const [folder] = this.#folders(name);
    if (folder === undefined) return 0;
    const file = this.tier === "cgroup2" ? "memory.events" : "memory.oom_control";
    return Number(/^oom_kill (\d+)$/m.exec(readText(join(folder, file)) ?? "")?.[1] ?? 0);
  }

  /** Takes the groups of a command away. False while there is somebody in them. */
  remove(name: string): boolean {
    let gone = true;
    for (const folder of this.#folders(name)) {
      try {
        rmdirSync(folder);
      } catch (error) {
        if (!isErrno(error, "ENOENT")) gone = false;
      }
    }
    if (gone) this.#cpus.delete(name);
    return gone;
  }

  #folders(name: string): string[] {
    const groups = this.#groups;
    if (groups === undefined) return [];
    if (groups.tier === "cgroup2") return [join(groups.base, "commands", name)];
    const cpu = groups.cpu === undefined ? [] : [join(groups.cpu, name)];
    return [join(groups.memory, name), ...cpu, join(groups.pids, name)];
  }

  /** An empty name stands for all commands together. */
  #setCpu(name: string, cpu: number | null): void {
    const groups = this.#groups;
    const quota = cpu === null ? undefined : String(Math.round(cpu * cpuPeriodUs));
    if (groups?.tier === "cgroup2")
      tryWrite(join(groups.base, "commands", name, "cpu.max"), `${quota ?? "max"} ${cpuPeriodUs}`);
    else if (groups?.cpu !== undefined) {
      tryWrite(join(groups.cpu, name, "cpu.cfs_period_us"), String(cpuPeriodUs));
      tryWrite(join(groups.cpu, name, "cpu.cfs_quota_us"), quota ?? "-1");
    }
  }
}

const usedFiles = { cgroup2: "memory.current", cgroup1: "memory.usage_in_bytes", prlimit: "" } as const;

/** Whether what is used in a group of the newer kind would stay below that. */
function hasRoomFor(folder: string, memoryBytes: number): boolean {
  const used = Number(readText(join(folder, "memory.current")) ?? 0);
  const stat = readText(join(folder, "memory.stat")) ?? "";
  const sizeOf = (key: string): number => Number(new RegExp(`^${key} (\\d+)$`, "m").exec(stat)?.[1] ?? 0);
  // What was only read from files is given back before anybody is ended.
  const spare = sizeOf("active_file") + sizeOf("inactive_file") + sizeOf("slab_reclaimable");
  return used - spare <= memoryBytes;
}

/** The pids in such a list. */
export function pidsIn(list: string): number[] {
  try {
    return readFileSync(list, "utf8").split("\n").filter(Boolean).map(Number);
  } catch (error) {
    if (isErrno(error, "ENOENT", "ENODEV")) return [];
    throw error;
  }
}

function whole(value: number): number {
  return Math.max(1, Math.floor(value));
}

/** Not every kernel has every file. */
function tryWrite(path: string, text: string): boolean {
  try {
    writeFileSync(path, text);
    return true;
  } catch (error) {
    if (!isErrno(error, "ENOENT", "EACCES", "EPERM", "EINVAL", "EOPNOTSUPP", "ENODEV", "EBUSY")) {
      throw new Error(`${basename(path)} of ${dirname(path)} cannot be set`, { cause: error });
    }
    return false;
  }
}
