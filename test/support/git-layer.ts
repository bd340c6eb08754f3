// A commit for tests, with its objects where a keeper borrows them. Made in a repository of the test's own.

import { execFileSync } from "node:child_process";
import { cpSync } from "node:fs";
import { giveTo, type KeeperRig } from "./keeper-rig.ts";

export function makeCommit(rig: KeeperRig, layer: string, objects: string): { commit: string; objects: string } {
  const env = {
    ...{ PATH: process.env["PATH"] ?? "", HOME: rig.base, GIT_CONFIG_NOSYSTEM: "1", GIT_DIR: rig.path("git") },
    ...{ GIT_WORK_TREE: rig.path(layer), GIT_AUTHOR_NAME: "t", GIT_AUTHOR_EMAIL: "t@t", GIT_COMMITTER_NAME: "t" },
    GIT_COMMITTER_EMAIL: "t@t",
  };
  const git = (...args: string[]): string => execFileSync("git", args, { env, cwd: rig.path(layer), encoding: "utf8" });
  git("init", "-q");
  git("config", "safe.directory", "*");
  git("add", "-A");
  git("commit", "-qm", "first");
  cpSync(rig.path("git", "objects"), rig.path(objects), { recursive: true });
  giveTo(rig.who, rig.base);
  return { commit: git("rev-parse", "HEAD").trim(), objects: rig.path(objects) };
}
