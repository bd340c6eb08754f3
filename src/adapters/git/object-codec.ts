// Git's objects as bytes: how they are named, and how trees and commits are written.

import { createHash } from "node:crypto";
import { Fault } from "../../base/fault.ts";
import type { CommitOrder } from "../../ports/mainline.ts";

export type ObjectFormat = "sha1" | "sha256";
export type ObjectType = "blob" | "tree" | "commit";
/** A tree's own entries by name; folders are among them, with the mode `40000`. */
export type Tree = ReadonlyMap<string, TreeItem>;
export type TreeItem = { readonly mode: string; readonly id: string };

export const folderMode = "40000";

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export function encodeObject(type: ObjectType, body: Uint8Array): Buffer {
  return Buffer.concat([encodeHead(type, body.byteLength), body]);
}

/** What comes before the bytes of an object, and is part of its name. */
export function encodeHead(type: ObjectType, size: number): Buffer {
  return Buffer.from(`${type} ${size}\0`);
}

export function nameOf(format: ObjectFormat, type: ObjectType, body: Uint8Array): string {
  return createHash(format).update(encodeHead(type, body.byteLength)).update(body).digest("hex");
}

export function isObjectName(name: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(name);
}

/** Reads a tree. What could lead outside of a checkout, or cannot be a text, makes the whole tree unfit. */
export function parseTree(format: ObjectFormat, id: string, body: Buffer): Tree {
  const idBytes = format === "sha1" ? 20 : 32;
  const items = new Map<string, TreeItem>();
  for (let at = 0; at < body.byteLength;) {
    const space = body.indexOf(0x20, at);
    const end = body.indexOf(0, space + 1);
    if (space < 0 || end < 0 || end + 1 + idBytes > body.byteLength) throw unfitTree(`the tree ${id} is damaged`);
    const name = toName(body.subarray(space + 1, end), id);
    if (items.has(name)) throw unfitTree(`the tree ${id} has ${JSON.stringify(name)} twice`);
    const mode = toMode(body.toString("latin1", at, space));
    items.set(name, { mode, id: body.toString("hex", end + 1, end + 1 + idBytes) });
    at = end + 1 + idBytes;
  }
  return items;
}

export function encodeTree(tree: Tree): Buffer {
  // Git sorts by bytes, and a folder as if its name ended in a slash.
  const lines = [...tree].map(([name, { mode, id }]) => ({
    key: Buffer.from(mode === folderMode ? `${name}/` : name),
    bytes: Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, "hex")]),
  }));
  lines.sort((a, b) => Buffer.compare(a.key, b.key));
  return Buffer.concat(lines.map(({ bytes }) => bytes));
}

export function encodeCommit(tree: string, order: Omit<CommitOrder, "changes">): Buffer {
  const seconds = Math.floor(order.author.atMs / 1000);
  const author = `${clean(order.author.name) || "unknown"} <${clean(order.author.email)}> ${seconds} +0000`;
  const message = order.message.replaceAll("\0", "");
  return Buffer.from(
    [
      `tree ${tree}`,
      ...order.parents.map((parent) => `parent ${parent}`),
      `author ${author}`,
      // Nothing here but the order decides the commit's name, so making the same one twice makes one.
      `committer Signalbox <signalbox@localhost> ${seconds} +0000`,
      "",
      message.endsWith("\n") ? message : `${message}\n`,
    ].join("\n"),
  );
}

export function treeOfCommit(id: string, body: Buffer): string {
  const match = /^tree ([0-9a-f]{40,64})\n/.exec(body.toString("latin1", 0, 80));
  if (match?.[1] === undefined) throw unfitTree(`the commit ${id} is damaged`);
  return match[1];
}

/** Whether a name may be part of a path: not one that git keeps for itself, and none that means another folder. */
export function isFitName(name: string): boolean {
  return name !== "" && name !== "." && name !== ".." && name.toLowerCase() !== ".git" && !/[/\0]/.test(name);
}

export function isFitPath(path: string): boolean {
  return path.isWellFormed() && path.split("/").every(isFitName);
}

export function unfitTree(message: string): Fault {
  return new Fault("unfit-tree", { retry: "never", message });
}

function toName(bytes: Uint8Array, id: string): string {
  let name: string;
  try {
    name = utf8.decode(bytes);
  } catch (cause) {
    const shown = JSON.stringify(Buffer.from(bytes).toString("latin1"));
    throw new Fault("unfit-tree", {
      retry: "never",
      message: `the tree ${id} has the name ${shown}, which is not UTF-8`,
      cause,
    });
  }
  if (!isFitName(name)) throw unfitTree(`the tree ${id} has the name ${JSON.stringify(name)}`);
  return name;
}

/** Old tools wrote other modes for the same things; a checkout by git treats them as these. */
function toMode(mode: string): string {
  const kind = Number.parseInt(mode, 8) & 0o170000;
  if (kind === 0o040000) return folderMode;
  if (kind === 0o120000) return "120000";
  if (kind === 0o160000) return "160000";
  return Number.parseInt(mode, 8) & 0o100 ? "100755" : "100644";
}

function clean(text: string): string {
  return text.replaceAll(/[<>\p{Cc}]/gu, "").trim();
}
