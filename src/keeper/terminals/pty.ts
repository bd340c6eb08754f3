// The pair of ends that a terminal is. The package's own way to start a program in one cannot hand it the handles that a
// cage needs, so only its native half is used: to open a pair, and to size it.

import { createRequire } from "node:module";

type Native = {
  open(cols: number, rows: number): { readonly master: number; readonly slave: number; readonly pty: string };
  resize(fd: number, cols: number, rows: number): void;
};

type NativeModule = { readonly requireBinary: (name: string) => Native };

const half = createRequire(import.meta.url)("@lydell/node-pty/requireBinary.js") as NativeModule;
const native = half.requireBinary("pty.node");

export type PtyPair = {
  /** Our end. */
  readonly master: number;
  /** The program's end, which keeps the terminal alive until the program has opened it. */
  readonly slave: number;
  /** The program's end by name. */
  readonly path: string;
};

export function openPty(cols: number, rows: number): PtyPair {
  const { master, slave, pty } = native.open(cols, rows);
  return { master, slave, path: pty };
}

export function resizePty(master: number, cols: number, rows: number): void {
  native.resize(master, cols, rows);
}
