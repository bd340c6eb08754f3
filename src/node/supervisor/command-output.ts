// Keeps a command's output short: its beginning and its end, and how much was left out between them. A command may write
// for days; what it writes must not fill the disk, and its end is what tells how it went.

import { open, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isErrno } from "../errno.ts";

/** How much is kept of a long output, and from which length on it is cut. */
export const outputBytes = { head: 262_144, tail: 786_432, cutAt: 4_194_304 } as const;

/**
 * Cuts an output that has grown too long. The command goes on writing: it appends, so it finds the file empty and begins
 * there anew; what it writes in that very moment may be lost with the middle. Answers whether anything was cut.
 */
export async function cutOutput(folder: string): Promise<boolean> {
  const { output, head, tail, left } = namesIn(folder);
  const size = await sizeOf(output);
  if (size <= outputBytes.cutAt) return false;
  const isFirst = (await sizeOf(head)) === 0;
  const dropped = size - outputBytes.tail - (isFirst ? outputBytes.head : 0) + (await sizeOf(tail));
  try {
    if (isFirst) await writeFile(head, await readPart(output, 0, outputBytes.head));
    await writeFile(tail, await readPart(output, size - outputBytes.tail, outputBytes.tail));
    await writeFile(left, String((await readLeft(left)) + dropped));
  } catch (error) {
    // On a full disk it matters more that it stops growing than what it said.
    if (!isErrno(error, "ENOSPC")) throw error;
  }
  await truncate(output, 0);
  return true;
}

/** Puts the parts of an output that was cut together again, with a line that says how much is not there. */
export async function joinOutput(folder: string): Promise<void> {
  const { output, head, tail, left } = namesIn(folder);
  if ((await sizeOf(head)) === 0) return;
  const rest = Buffer.concat([await readOrNothing(tail), await readOrNothing(output)]);
  const kept = rest.subarray(Math.max(0, rest.length - outputBytes.tail));
  const leftOut = (await readLeft(left)) + rest.length - kept.length;
  const note = Buffer.from(`\n[… ${leftOut} bytes left out …]\n`);
  // Into the same file: something that the command left behind may still append to it.
  await writeFile(output, Buffer.concat([await readOrNothing(head), note, kept]));
  for (const part of [head, tail, left]) await rm(part, { force: true });
}

function namesIn(folder: string): Record<"output" | "head" | "tail" | "left", string> {
  const output = join(folder, "output");
  return { output, head: `${output}.head`, tail: `${output}.tail`, left: `${output}.left-out` };
}

async function sizeOf(path: string): Promise<number> {
  const info = await stat(path).catch((error: unknown) => {
    if (!isErrno(error, "ENOENT")) throw error;
    return undefined;
  });
  return info?.size ?? 0;
}

async function readPart(path: string, from: number, length: number): Promise<Buffer> {
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function readOrNothing(path: string): Promise<Buffer> {
  return readFile(path).catch((error: unknown) => {
    if (!isErrno(error, "ENOENT")) throw error;
    return Buffer.alloc(0);
  });
}

async function readLeft(path: string): Promise<number> {
  const count = Number((await readOrNothing(path)).toString());
  return Number.isSafeInteger(count) ? count : 0;
}
