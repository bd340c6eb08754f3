// A keeper that waits goes once through what its agent will want first: an agent is taken over, a file is placed, looked for and
// read, in a folder of its own that is gone afterwards. Code that has never run is compiled while it runs, which took as long as the
// work itself.

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert } from "../base/assert.ts";
import type { CageOrder, KeeperOp } from "../protocol/keeper/keeper-wire.ts";
import { makeDisposableGit } from "./cage/disposable-git.ts";
import { blobName } from "./files/entry.ts";
import { Workspace } from "./files/workspace.ts";
import type { Keeper } from "./keeper.ts";
import { parseRequest } from "./parse-request.ts";

/** What is asked of a keeper, by way of its words. */
type Understudy = Pick<Keeper, "answer" | "close" | "release">;

/** `begin` makes a keeper that has its things in another folder. Once an agent is there, it is the one to be served, and not this. */
export async function rehearse(
  folder: string,
  begin: (folder: string) => Understudy,
  isWaiting: () => boolean = () => true,
): Promise<void> {
  const own = join(folder, "rehearsal");
  const at = (name: string): string => join(own, name);
  // Not where the keeper's folder has gone: nobody would find it again.
  for (const path of [own, at("files"), at("below"), at("journal")]) mkdirSync(path, { mode: 0o700 });
  try {
    const mounted = { root: at("files"), upper: at("files"), lowers: [at("below")], fresh: false };
    const folders = { journal: at("journal"), loans: at("loans"), manifest: "" };
    const workspace = await Workspace.open(mounted, { kind: "sha1", landBytesMax: 1024 }, folders);
    try {
      const commit = "0".repeat(40);
      const git = { objects: own, commit, branch: "main" };
      makeDisposableGit(workspace.tree, { git, hash: "sha1", agent: "nobody", objects: own });
      const bytes = Buffer.from("as if\n");
      const to = `100644:${blobName("sha1", bytes)}`;
      const change = { path: "file", expect: null, to, bytes: { base64: bytes.toString("base64") } };
      await workspace.place("rehearsal", [change]);
      await workspace.scan();
      await workspace.read("file");
      workspace.ignored(["file"], []);
      workspace.placer.recover();
    } finally {
      await workspace.close();
      workspace.release();
    }
    if (isWaiting()) await takeOver(at("agent"), begin);
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

/** As for an agent that somebody runs without walls: then nothing is mounted, and no process is started. */
async function takeOver(folder: string, begin: (folder: string) => Understudy): Promise<void> {
  const at = (name: string): string => join(folder, name);
  for (const path of [folder, at("files")]) mkdirSync(path, { mode: 0o700 });
  writeFileSync(at("files.copied"), "");
  const cage: CageOrder = {
    ...{ agent: "nobody", root: folder, workspace: { kind: "clone", layers: [], folder: at("files") } },
    ...{ journal: at("journal"), home: at("home"), tmp: at("tmp"), binds: [], env: {}, network: "none" },
    ...{ limits: { memoryBytes: null, processes: null, files: null, fileBytes: null } },
    ...{ caged: false, git: null, filesFirst: true },
  };
  const bytes = Buffer.from("as if\n");
  const to = `100644:${blobName("sha1", bytes)}`;
  const change = { path: "file", expect: null, to, bytes: { base64: bytes.toString("base64") } };
  const keeper = begin(folder);
  const ask = (op: KeeperOp): Promise<unknown> => {
    const request = parseRequest(JSON.stringify({ id: 1, ...op }));
    assert(request !== undefined, "a rehearsed request is one");
    return keeper.answer(request.read());
  };
  try {
    await ask({ op: "open", cage });
    await ask({ op: "scan" });
    await ask({ op: "place", tag: "rehearsal", changes: [change], ignored: { paths: ["file"], tracked: [] } });
    await ask({ op: "forget", call: "rehearsal" });
  } finally {
    await keeper.close(0);
    keeper.release();
  }
}
