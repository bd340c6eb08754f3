// Looks for text in the files of the workspace. It runs beside the keeper's own thread and can be ended there at any
// moment: a pattern may take for ever, and the keeper must not.

import { closeSync, readFileSync, readSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import type { SearchAnswer } from "../../protocol/keeper/keeper-wire.ts";
import { IgnoreRules } from "../../base/ignore-rules.ts";
import { entriesIn, openIn, standingIn } from "./tree.ts";

export type SearchOrder = {
  /** An open folder of the keeper: threads share them. */
  readonly folder: number;
  /** The names on the way to it. */
  readonly names: readonly string[];
  /** What the ignore files on that way say, the folder's own last. */
  readonly ignored: readonly string[];
  readonly text: string;
  readonly regex: boolean;
  readonly limit: number;
  readonly timeMs: number;
};

export type SearchReply = { readonly answer: SearchAnswer } | { readonly bad: string };

const fileBytesMax = 2 * 1024 * 1024;
const lineCharsMax = 400;
const ownNames = new Set([".git", ".signalbox-stage"]);

parentPort?.on("message", (order: SearchOrder) => {
  parentPort?.postMessage("begun", []);
  let reply: SearchReply;
  try {
    reply = { answer: search(order) };
  } catch (error) {
    reply = { bad: error instanceof Error ? error.message : String(error) };
  }
  parentPort?.postMessage(reply, []);
});

function search(order: SearchOrder): SearchAnswer {
  const pattern = order.regex ? new RegExp(order.text, "u") : undefined;
  const matches: { path: string; line: number; text: string }[] = [];
  const untilMs = performance.now() + order.timeMs;
  let [files, more] = [0, false];

  const visit = (folder: number, prefix: string, rules: IgnoreRules): void => {
    for (const entry of entriesIn(folder)) {
      if (matches.length >= order.limit || performance.now() > untilMs) more = true;
      if (more) return;
      const path = prefix + entry.name;
      if (ownNames.has(entry.name) || rules.ignores(entry.name, entry.isDirectory())) continue;
      if (entry.isDirectory()) {
        const below = openIn(folder, entry.name);
        if (below === undefined) continue;
        visit(below, `${path}/`, rules.within(entry.name, ignoreText(below)));
        closeSync(below);
      } else if (entry.isFile()) {
        const text = readTextIn(folder, entry.name);
        files++;
        if (text === undefined || (pattern === undefined && !text.includes(order.text))) continue;
        more ||= collect(text, path);
      }
    }
  };

  /** True when there were more than wanted. */
  const collect = (text: string, path: string): boolean => {
    let line = 0;
    for (const each of text.split("\n")) {
      line++;
      if (pattern === undefined ? !each.includes(order.text) : !pattern.test(each)) continue;
      if (matches.length >= order.limit) return true;
      matches.push({ path, line, text: each.slice(0, lineCharsMax) });
    }
    return false;
  };

  const { names, ignored } = order;
  const rules = names.reduce(
    (above, name, at) => above.within(name, ignored[at + 1] ?? ""),
    IgnoreRules.forRoot(ignored[0] ?? ""),
  );
  visit(order.folder, names.map((name) => `${name}/`).join(""), rules);
  return { matches, more, files };
}

function ignoreText(folder: number): string {
  return readTextIn(folder, ".gitignore") ?? "";
}

/** The text of a file; undefined for what is large or no text. */
function readTextIn(folder: number, name: string): string | undefined {
  const standing = standingIn(folder, name);
  if (standing.kind !== "file") return undefined;
  try {
    if (standing.stat.size > fileBytesMax) return undefined;
    const start = Buffer.alloc(Math.min(8192, Number(standing.stat.size)));
    readSync(standing.fd, start, 0, start.length, 0);
    return start.includes(0) ? undefined : readFileSync(standing.fd, "utf8");
  } finally {
    closeSync(standing.fd);
  }
}
