// What one agent may use where no policy and no template says so: such a share of the machine that it cannot take it from the
// others. Processors need no number: agents share them evenly wherever control groups count them (SC23).

import { totalmem } from "node:os";
import { Fault } from "../../base/fault.ts";
import { spellBytes, sizePattern, toBytes } from "../../protocol/template/size.ts";
import type { CageLimits, WholeLimits } from "../../protocol/keeper/keeper-wire.ts";

export type UsualLimits = {
  /** Null holds nobody. */
  readonly memoryBytes: number | null;
  /** Of what is free on the disk when it begins: null is a half, 0 holds nobody. */
  readonly diskBytes: number | null;
};

type Asked = Partial<WholeLimits & Pick<CageLimits, "diskBytes">> & {
  /** Where `memoryBytes` says nothing: what is usual, and at most this. */
  readonly memoryBytesMost?: number;
};

export const memoryVariable = "SIGNALBOX_AGENT_MEMORY";
export const diskVariable = "SIGNALBOX_AGENT_DISK";

const processes = 4096;
const gib = 1024 ** 3;

export function readUsualLimits(env: Readonly<Record<string, string | undefined>>): UsualLimits {
  const memory = readSize(env, memoryVariable);
  const disk = readSize(env, diskVariable);
  return {
    memoryBytes: memory === "off" ? null : (memory ?? shareOfMemory(machineMemory())),
    diskBytes: disk === "off" ? 0 : (disk ?? null),
  };
}

/** A half; on a small machine more, or nothing could be built there. */
export function shareOfMemory(totalBytes: number): number {
  return Math.floor(Math.max(totalBytes / 2, Math.min(gib, totalBytes * 0.75)));
}

/** The limits of one agent: what was asked for it, and the usual ones where nothing was. */
export function limitsFor(asked: Asked, usual: UsualLimits, freeBytes: number): CageLimits {
  const half = Math.floor(freeBytes / 2);
  // Nobody looks at its folders while the disk has as much free as it cannot have taken.
  const disk =
    usual.diskBytes === null ? { bytes: half, spareBytes: half } : { bytes: usual.diskBytes, spareBytes: null };
  return {
    ...{ ...wholeLimitsFor(asked, usual), fileBytes: null, diskBytes: asked.diskBytes ?? null },
    ...(usual.diskBytes === 0 ? {} : { usualDisk: disk }),
  };
}

/** What everything in it may use together. */
export function wholeLimitsFor(asked: Asked, usual: UsualLimits): WholeLimits {
  const { memoryBytesMost: most } = asked;
  const memoryBytes = most === undefined ? usual.memoryBytes : Math.min(most, usual.memoryBytes ?? Infinity);
  return {
    ...{ memoryBytes: asked.memoryBytes ?? memoryBytes, processes: asked.processes ?? processes },
    ...{ files: asked.files ?? null, cpu: asked.cpu ?? null, outputBytesPerS: asked.outputBytesPerS ?? null },
  };
}

/** For people. */
export function sayLimits({ memoryBytes, diskBytes }: UsualLimits): string {
  const memory = memoryBytes === null ? "as much memory as there is" : `${toMiB(memoryBytes)} of memory`;
  const ofDisk = diskBytes === 0 ? "as much of the disk as there is" : `${toMiB(diskBytes ?? 0)} of the disk`;
  const disk = diskBytes === null ? "a half of what is free on the disk" : ofDisk;
  return `an agent may use ${memory}, ${processes} processes and ${disk} where nothing else is said`;
}

function toMiB(bytes: number): string {
  return spellBytes(bytes < 1024 ** 2 ? bytes : Math.floor(bytes / 1024 ** 2) * 1024 ** 2);
}

/** What the machine has, or what somebody lets us have of it. */
function machineMemory(): number {
  const bound = process.constrainedMemory();
  return bound > 0 ? Math.min(bound, totalmem()) : totalmem();
}

function readSize(env: Readonly<Record<string, string | undefined>>, name: string): number | "off" | undefined {
  const wish = env[name];
  if (wish === undefined || wish === "") return undefined;
  if (wish === "off") return "off";
  const bytes = sizePattern.test(wish) ? toBytes(wish) : 0;
  if (Number.isSafeInteger(bytes) && bytes > 0) return bytes;
  const message = `${name} is "${wish}"; it may be a size such as 4GiB, or off`;
  throw new Fault("bad-setting", { retry: "never", message });
}
