// A keeper that waits goes once through what its agent will want first: a file is placed, looked for and read, in a folder of
// its own that is gone afterwards. Code that has never run is compiled while it runs, which took as long as the work itself.

import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeDisposableGit } from "./cage/disposable-git.ts";
import { blobName } from "./files/entry.ts";
import { Workspace } from "./files/workspace.ts";

export async function rehearse(folder: string): Promise<void> {
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
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}
