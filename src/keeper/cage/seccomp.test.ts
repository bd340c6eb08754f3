import { describe, expect, test } from "vitest";
import { seccompProgram } from "./seccomp.ts";
import { type Arch, auditArch, judgedCalls, refusedCalls } from "./syscalls.ts";

const [allow, kill] = [0x7fff0000, 0x80000000];
const refused = (errno: number): number => 0x00050000 | errno;

/** Runs the filter as the kernel would. */
function judge(arch: Arch, call: number, args: readonly bigint[] = [], as = auditArch[arch]): number {
  const program = seccompProgram(arch) ?? Buffer.alloc(0);
  const data = Buffer.alloc(64);
  data.writeUInt32LE(call >>> 0, 0);
  data.writeUInt32LE(as >>> 0, 4);
  args.forEach((arg, index) => data.writeBigUInt64LE(BigInt.asUintN(64, arg), 16 + 8 * index));
  let held = 0;
  for (let at = 0; at * 8 < program.length; at++) {
    const [code, then, otherwise] = [
      program.readUInt16LE(at * 8),
      program.readUInt8(at * 8 + 2),
      program.readUInt8(at * 8 + 3),
    ];
    const value = program.readUInt32LE(at * 8 + 4);
    if (code === 0x06) return value;
    if (code === 0x20) held = data.readUInt32LE(value);
    else if (code === 0x15) at += held === value ? then : otherwise;
    else if (code === 0x35) at += held >= value ? then : otherwise;
    else if (code === 0x45) at += (held & value) !== 0 ? then : otherwise;
    else throw new Error(`an unknown step ${code}`);
  }
  throw new Error("the filter has no end");
}

describe.each(["x64", "arm64"] as const)("the filter for %s", (arch) => {
  test("refuses every call on the list, and allows all others", () => {
    const numbers = new Set(Object.values(refusedCalls).flatMap((each) => each[arch] ?? []));
    const judged = new Set(Object.values(judgedCalls).map((each) => each[arch]));
    for (let call = 0; call < 600; call++) {
      if (judged.has(call)) continue;
      expect(judge(arch, call), `call ${call}`).toBe(numbers.has(call) ? refused(1) : allow);
    }
  });

  test("looks at arguments where they matter", () => {
    const { clone, clone3, ioctl, socket, unshare } = judgedCalls;
    expect(judge(arch, clone3[arch])).toBe(refused(38));
    expect(judge(arch, clone[arch], [0x11n])).toBe(allow);
    expect(judge(arch, clone[arch], [0x3d0f00n])).toBe(allow);
    for (const flag of [0x20000n, 0x2000000n, 0x4000000n, 0x8000000n, 0x10000000n, 0x20000000n, 0x40000000n]) {
      expect(judge(arch, clone[arch], [flag | 0x11n])).toBe(refused(1));
      expect(judge(arch, unshare[arch], [flag])).toBe(refused(1));
    }
    expect(judge(arch, unshare[arch], [0x400n])).toBe(allow);
    expect(judge(arch, ioctl[arch], [0n, 0x5401n])).toBe(allow);
    for (const request of [0x5412n, 0x541cn, 0xffffffff00005412n]) {
      expect(judge(arch, ioctl[arch], [0n, request])).toBe(refused(1));
    }
    for (const family of [1n, 2n, 10n, 16n]) expect(judge(arch, socket[arch], [family])).toBe(allow);
    for (const family of [0n, 17n, 29n, 38n, 40n]) expect(judge(arch, socket[arch], [family])).toBe(refused(97));
  });

  test("ends what speaks another convention", () => {
    for (const other of [0x40000003, 0x40000028, auditArch[arch === "x64" ? "arm64" : "x64"]]) {
      expect(judge(arch, 0, [], other)).toBe(kill);
    }
    expect(judge("x64", 0x40000000)).toBe(refused(1));
  });
});

test("there is none for a processor that we have no numbers for", () => {
  expect(seccompProgram("riscv64")).toBeUndefined();
});
