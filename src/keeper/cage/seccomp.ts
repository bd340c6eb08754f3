// The filter that every command runs under, as the kernel's own small programs: what changes the machine or reaches around
// the walls is refused with EPERM, and everything that ordinary work needs is left alone. Debuggers may trace: whom they
// reach is inside as well.

import { type Arch, auditArch, judgedCalls, refusedCalls } from "./syscalls.ts";

const [eperm, enosys, eafnosupport] = [1, 38, 97];
const allow = 0x7fff0000;
const killProcess = 0x80000000;

/** Every namespace that a process can make, and those that only `unshare` takes. */
const namespaceFlags = 0x7e020000;
const timeNamespaceFlag = 0x80;
/** These put words into the mouth of whoever sits at a terminal. */
const terminalRequests = [0x5412, 0x541c];
/** Unix, IPv4, IPv6 and netlink. Others, such as vsock, do not know of network namespaces and lead outside. */
const socketFamilies = [1, 2, 10, 16];
/** On x64, numbers from here on are of another calling convention with the same name. */
const x32Bit = 0x40000000;

// In `struct seccomp_data`.
const [atNumber, atArch] = [0, 4];
const atArgument = (index: number): number => 16 + 8 * index;

/** The filter as bytes for `bwrap --seccomp`, undefined for a processor that we have no numbers for. */
export function seccompProgram(arch: string): Buffer | undefined {
  if (arch !== "x64" && arch !== "arm64") return undefined;
  const steps = [
    load(atArch),
    // What is not meant for this processor runs under other numbers, so no number can be judged.
    ifEqual(auditArch[arch], 1, 0),
    finish(killProcess),
    load(atNumber),
    ...(arch === "x64" ? [ifAtLeast(x32Bit, 0, 1), finish(refuseWith(eperm))] : []),
    ...Object.values(refusedCalls).flatMap((numbers) => refuse(numbers[arch])),
    // Its flags are out of a filter's sight; told that there is no such call, programs use `clone`.
    ...judge(arch, "clone3", [finish(refuseWith(enosys))]),
    ...judge(arch, "clone", refuseFlags(namespaceFlags)),
    ...judge(arch, "unshare", refuseFlags(namespaceFlags | timeNamespaceFlag)),
    // Only the lower half counts, as for the kernel: a set bit above it would get past a longer comparison.
    ...judge(arch, "ioctl", [load(atArgument(1)), ...terminalRequests.flatMap((request) => refuse(request))]),
    ...judge(arch, "socket", onlyFamilies()),
    finish(allow),
  ];
  return Buffer.concat(steps);
}

function refuse(value: number | null): Buffer[] {
  return value === null ? [] : [ifEqual(value, 0, 1), finish(refuseWith(eperm))];
}

function refuseFlags(flags: number): Buffer[] {
  return [load(atArgument(0)), ifSet(flags, 0, 1), finish(refuseWith(eperm))];
}

function onlyFamilies(): Buffer[] {
  const known = socketFamilies.map((family, index) => ifEqual(family, socketFamilies.length - index, 0));
  return [load(atArgument(0)), ...known, finish(refuseWith(eafnosupport))];
}

/** Judges one call; whatever is not refused in there is allowed. */
function judge(arch: Arch, call: keyof typeof judgedCalls, steps: readonly Buffer[]): Buffer[] {
  return [ifEqual(judgedCalls[call][arch], 0, steps.length + 1), ...steps, finish(allow)];
}

const load = (offset: number): Buffer => step(0x20, 0, 0, offset);
const finish = (answer: number): Buffer => step(0x06, 0, 0, answer);
// How many steps are left out, when it is so and when it is not.
const ifEqual = (value: number, then: number, otherwise: number): Buffer => step(0x15, then, otherwise, value);
const ifAtLeast = (value: number, then: number, otherwise: number): Buffer => step(0x35, then, otherwise, value);
const ifSet = (bits: number, then: number, otherwise: number): Buffer => step(0x45, then, otherwise, bits);
const refuseWith = (errno: number): number => 0x00050000 | errno;

function step(code: number, then: number, otherwise: number, value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(then, 2);
  bytes.writeUInt8(otherwise, 3);
  bytes.writeUInt32LE(value >>> 0, 4);
  return bytes;
}
