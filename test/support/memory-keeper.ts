// A keeper without a process: an agent's files as a map over the layers of one commit. Commands are functions. It can be
// told to die, and then answers nothing until there is another one in its place.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { IgnoreRules } from "../../src/base/ignore-rules.ts";
import { Fault } from "../../src/base/fault.ts";
import { blobOf, entryOf, type Entry } from "../../src/core/landing/entry.ts";
import type { KeeperLine } from "../../src/node/workspace/keepers.ts";
import type { Mainline } from "../../src/ports/mainline.ts";
import type { CommandEnd, KeeperOp, PlaceAnswer, PlaceChange } from "../../src/protocol/keeper/keeper-wire.ts";

export class MemoryKeeper implements KeeperLine {
  /** What stands in the workspace, by path. */
  readonly entries: Map<string, string>;
  /** Files that have too much in them to be looked into, with how much. */
  readonly oversized = new Map<string, number>();
  /** What was asked for, in order. */
  readonly asked: KeeperOp["op"][] = [];
  /** Happens before each request; what it throws is the answer. */
  before: (op: KeeperOp) => void = () => undefined;
  /** What commands do, by their first word. */
  readonly programs = new Map<string, () => number>();
  readonly #beneath: ReadonlyMap<string, string>;
  readonly #bytes: Map<string, Uint8Array>;
  readonly #placed = new Map<string, PlaceAnswer>();
  readonly #ends = new Map<string, CommandEnd>();

  private constructor(beneath: ReadonlyMap<string, string>, bytes: Map<string, Uint8Array>) {
    this.entries = new Map(beneath);
    this.#beneath = beneath;
    this.#bytes = bytes;
  }

  /** A workspace that was just made of a commit. */
  static async of(mainline: Mainline, commit: string): Promise<MemoryKeeper> {
    const beneath = await mainline.listTree(commit);
    const bytes = new Map<string, Uint8Array>();
    for (const entry of beneath.values()) bytes.set(blobOf(entry), await mainline.readBlob(blobOf(entry)));
    return new MemoryKeeper(beneath, bytes);
  }

  /** Writes behind everybody's back, as a command would; null takes away. */
  write(path: string, content: string | Uint8Array | null, mode = "100644"): void {
    if (content === null) this.entries.delete(path);
    else this.entries.set(path, entryOf(mode, this.#keep(Buffer.from(content))));
  }

  text(path: string): string | undefined {
    return this.bytes(path)?.toString("utf8");
  }

  bytes(path: string): Buffer | undefined {
    const entry = this.entries.get(path);
    return entry === undefined ? undefined : Buffer.from(this.#bytes.get(blobOf(entry)) ?? []);
  }

  async request(op: KeeperOp): Promise<unknown> {
    await Promise.resolve();
    this.before(op);
    this.asked.push(op.op);
    switch (op.op) {
      case "read":
        return this.#read(op.path);
      case "place":
        return {
          ...this.#place(op.tag, op.changes, op.evenOversized === true),
          ...(op.ignored === undefined ? {} : { ignored: this.#ignored(op.ignored.paths) }),
        };
      case "placed":
        return { placed: this.#placed.get(op.tag)?.placed ?? null };
      case "ignored":
        return { ignored: this.#ignored(op.paths) };
      case "scan":
        return { paths: this.#scan(op.tracked ?? []), oversized: this.#sizesOf([...this.oversized.keys()]) };
      case "keep":
        return this.#copy(op.paths, op.outbox);
      case "start":
        return this.#start(op.call, op.argv);
      case "wait":
        return this.#ends.get(op.call);
      case "output":
        return { base64: "", offset: 0, totalBytes: 0, ended: true };
      case "cage":
        return {};
      case "stop":
        return { stopped: 0 };
      case "forget":
        this.#placed.delete(op.call);
        this.#ends.delete(op.call);
        return {};
      default:
        throw new Error(`nobody asks a keeper in memory for ${op.op}`);
    }
  }

  close(): void {
    // There is nothing to let go of.
  }

  #ignored(paths: readonly string[]): string[] {
    const rules = IgnoreRules.forRoot(this.text(".gitignore") ?? "");
    return paths.filter((path) => rules.ignores(path, false));
  }

  #refuseOversized(path: string): void {
    if (this.oversized.has(path)) throw new Fault("too-large", { retry: "never", message: `${path} is too large` });
  }

  #read(path: string): unknown {
    this.#refuseOversized(path);
    const entry = this.entries.get(path) ?? null;
    const bytes = this.bytes(path);
    return {
      entry,
      size: bytes?.length ?? 0,
      bytes: bytes === undefined ? null : { base64: bytes.toString("base64") },
    };
  }

  #place(tag: string, changes: readonly PlaceChange[], evenOversized: boolean): PlaceAnswer {
    const known = this.#placed.get(tag);
    if (known !== undefined) return known;
    for (const { path } of changes) {
      if (!evenOversized) this.#refuseOversized(path);
      this.oversized.delete(path);
    }
    const isWrong = ({ path, expect, to }: PlaceChange): boolean =>
      expect !== undefined && this.#at(path) !== expect && this.#at(path) !== to;
    if (changes.some(isWrong)) throw new Fault("changed", { retry: "never", message: "not as expected any more" });
    const placed = changes.map(({ path, to, bytes }) => {
      const before = this.#at(path);
      if (bytes !== undefined)
        this.#keep("base64" in bytes ? Buffer.from(bytes.base64, "base64") : readFileSync(bytes.file));
      if (to === null) this.entries.delete(path);
      else this.entries.set(path, to);
      return { path, before, entry: to };
    });
    this.#placed.set(tag, { placed });
    return { placed };
  }

  #scan(tracked: readonly string[]): { path: string; entry: Entry; size: number }[] {
    const names = [...new Set([...this.entries.keys(), ...this.#beneath.keys()])].toSorted();
    const differing = names.filter(
      (path) => this.entries.get(path) !== this.#beneath.get(path) && !this.oversized.has(path),
    );
    const known = new Set(tracked.flatMap(pathAndFolders));
    const isScratch = new Set(this.#ignored(differing.filter((path) => !this.#beneath.has(path) && !known.has(path))));
    return differing.filter((path) => !isScratch.has(path)).map((path) => ({ path, entry: this.#at(path), size: 0 }));
  }

  async #copy(paths: readonly string[], outbox: string): Promise<unknown> {
    for (const path of paths) {
      const [entry, bytes] = [this.#at(path), this.bytes(path)];
      if (entry !== null && bytes !== undefined) await writeFile(join(outbox, blobOf(entry)), bytes);
    }
    const [large, small] = [
      paths.filter((path) => this.oversized.has(path)),
      paths.filter((path) => !this.oversized.has(path)),
    ];
    return {
      paths: small.map((path) => ({ path, entry: this.#at(path), size: this.bytes(path)?.length ?? 0 })),
      oversized: this.#sizesOf(large),
    };
  }

  #sizesOf(paths: readonly string[]): { path: string; size: number }[] {
    return paths.map((path) => ({ path, size: this.oversized.get(path) ?? 0 }));
  }

  #start(call: string, argv: readonly string[]): unknown {
    if (this.#ends.has(call)) return { found: true };
    const exit = this.programs.get(argv[0] ?? "")?.() ?? 127;
    const none = { signal: null, why: "ended", outputBytes: 0, leftOutBytes: 0, tail: "" } as const;
    this.#ends.set(call, { exit, ...none });
    return { found: false };
  }

  #at(path: string): Entry {
    return this.entries.get(path) ?? null;
  }

  #keep(bytes: Uint8Array): string {
    const blob = createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
    this.#bytes.set(blob, bytes);
    return blob;
  }
}

function pathAndFolders(path: string): string[] {
  return path.split("/").map((_, at, names) => names.slice(0, at + 1).join("/"));
}
