// The files that the checkers look at. They are read once and handed over as data, so that each checker is a plain
// function and can itself be tested on files that were never written.

import fs from "node:fs";
import path from "node:path";

export interface SourceFile {
  /** From the root of the repository, with forward slashes: `src/core/lease/unit.ts`. */
  path: string;
  text: string;
}

/** What a checker found: where, what, why it matters, and what to do instead. */
export interface Finding {
  path: string;
  line: number;
  message: string;
}

export const root = path.dirname(path.dirname(import.meta.dirname));

/** Reads all files under the folders whose names match, in a fixed order. Folders that do not exist have no files. */
export function readSources(folders: readonly string[], name = /\.(tsx?|mts|mjs|js)$/): SourceFile[] {
  return folders
    .flatMap(listFiles)
    .filter((file) => name.test(file))
    .toSorted()
    .map((file) => ({ path: file, text: fs.readFileSync(path.join(root, file), "utf8") }));
}

/** A test file, or a contract: a suite of tests that several test files run. */
export function isTest(file: string): boolean {
  return /\.(test|contract)\.tsx?$/.test(file);
}

/** For the message of a failed test: one finding to a line, in the form that editors make clickable. */
export function toReport(findings: readonly Finding[]): string {
  return findings.map(({ path: file, line, message }) => `${file}:${line}: ${message}`).join("\n");
}

export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) line += 1;
  return line;
}

function listFiles(folder: string): string[] {
  const stat = fs.statSync(path.join(root, folder), { throwIfNoEntry: false });
  if (stat === undefined) return [];
  if (!stat.isDirectory()) return [folder];
  return fs
    .readdirSync(path.join(root, folder))
    .filter((name) => name !== "node_modules" && name !== "dist")
    .flatMap((name) => listFiles(`${folder}/${name}`));
}
