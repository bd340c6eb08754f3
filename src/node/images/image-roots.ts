// Images as folders, by their ids. A folder is complete or not there, belongs to the agents' user, and is never changed.

import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
  access,
  chown,
  constants,
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  utimes,
  lstat,
} from "node:fs/promises";
import { join, normalize } from "node:path";
import { Fault } from "../../base/fault.ts";
import { asUser } from "../../protocol/keeper/keeper-command.ts";
import type { ImageOrder } from "../../protocol/keeper/keeper-wire.ts";
import { swapDurably, writeDurably } from "../../os/durable-file.ts";
import { isErrno } from "../../os/errno.ts";
import { removeTree } from "../../os/remove-tree.ts";
import { type ImageFacts, outcomeOf } from "./image-tool.ts";

export type RootsOptions = {
  readonly folder: string;
  readonly owner: { readonly uid: number; readonly gid: number };
  /** Whom files are unpacked as; null is ourselves. */
  readonly as: { readonly uid: number; readonly gid: number } | null;
};

export type KeptImage = {
  readonly id: string;
  readonly name: string;
  readonly bytes: number;
  readonly usedAtMs: number;
};

/** How an image is started. Those that an earlier release took in do not say. */
export type HowStarted = Pick<ImageFacts, "entrypoint" | "command" | "volumes">;

type Facts = Pick<ImageFacts, "id" | "env" | "workdir"> & {
  readonly name: string;
  readonly bytes: number;
  readonly started?: HowStarted;
};

export type FoundImage = {
  readonly id: string;
  readonly system: ImageOrder;
  readonly workdir: string;
  readonly started: HowStarted | undefined;
};

const idPattern = /^[0-9a-f]{64}$/;
const linksMax = 40;
// No bit that gives whoever runs a file another's rights, and nothing that its owner could not take away again.
const unpack = `umask 022
tar --extract --file - --directory "$0" --no-same-owner --no-same-permissions --anchored \\
  --exclude 'dev/*' --exclude './dev/*' --exclude 'proc/*' --exclude './proc/*' --exclude 'sys/*' --exclude './sys/*' &&
chmod -R u+rwX,u-s,g-s,go-w "$0" && du -s --block-size=1 "$0"`;

export class ImageRoots {
  readonly #options: RootsOptions;

  constructor(options: RootsOptions) {
    this.#options = options;
  }

  /** The system of an image that is kept here, which is thereby used; undefined where it is not. */
  async find(id: string, wallMs: number): Promise<FoundImage | undefined> {
    const facts = await this.#factsOf(id);
    if (facts === undefined) return undefined;
    await utimes(this.#path(id, "image.json"), wallMs / 1000, wallMs / 1000);
    const { env, workdir, started } = facts;
    const system = { root: this.#path(id, "root"), env: { ...env, SIGNALBOX_IMAGE_WORKDIR: workdir } };
    return { id, system, workdir, started };
  }

  /** Takes an image in. Two at once make the same. */
  async put(image: ImageFacts, name: string, write: (archive: string) => Promise<void>): Promise<void> {
    const { folder, owner } = this.#options;
    const fresh = join(folder, `.new-${randomUUID()}`);
    const [root, archive] = [join(fresh, "root"), join(fresh, "archive.tar")];
    await mkdir(root, { recursive: true, mode: 0o755 });
    await chown(root, owner.uid, owner.gid);
    try {
      await write(archive);
      const bytes = await this.#unpack(archive, root);
      await rm(archive);
      await mustHaveShell(root, name);
      const { id, env, workdir } = image;
      const facts: Facts = { id, name, env, workdir, bytes, started: toStarted(image) };
      await writeDurably(join(fresh, "image.json"), JSON.stringify(facts), "create");
      await rename(fresh, join(folder, image.id)).catch((error: unknown) => {
        if (!isErrno(error, "ENOTEMPTY", "EEXIST")) throw error;
      });
    } finally {
      await removeTree(fresh);
    }
  }

  /** Writes down how an image is started that an earlier release took in. */
  async complete(image: ImageFacts): Promise<void> {
    const facts = await this.#factsOf(image.id);
    if (facts === undefined || facts.started !== undefined) return;
    await swapDurably(this.#path(image.id, "image.json"), JSON.stringify({ ...facts, started: toStarted(image) }));
  }

  /** What is kept, the longest unused first. */
  async list(): Promise<KeptImage[]> {
    const kept: KeptImage[] = [];
    for (const id of await readdir(this.#options.folder).catch((): string[] => [])) {
      const facts = await this.#factsOf(id);
      if (facts === undefined) continue;
      const { mtimeMs } = await stat(this.#path(id, "image.json"));
      kept.push({ id, name: facts.name, bytes: facts.bytes, usedAtMs: Math.round(mtimeMs) });
    }
    return kept.toSorted((a, b) => a.usedAtMs - b.usedAtMs);
  }

  async remove(id: string): Promise<void> {
    // Without its name it is not there; what a power cut leaves of it goes at the next start.
    const aside = join(this.#options.folder, `.old-${randomUUID()}`);
    await rename(join(this.#options.folder, id), aside);
    await removeTree(aside);
  }

  /** Takes away what was begun and not completed, when nobody is at it. */
  async sweep(): Promise<void> {
    for (const name of await readdir(this.#options.folder).catch((): string[] => []))
      if (/^\.(new|old)-/.test(name)) await removeTree(join(this.#options.folder, name));
  }

  async #factsOf(id: string): Promise<Facts | undefined> {
    if (!idPattern.test(id)) return undefined;
    const text = await readFile(this.#path(id, "image.json"), "utf8").catch(() => undefined);
    return text === undefined ? undefined : (JSON.parse(text) as Facts);
  }

  #path(id: string, name: string): string {
    return join(this.#options.folder, id, name);
  }

  /** By the agents' user, who can write nothing there but this one folder. Answers how much of the disk it takes. */
  async #unpack(archive: string, root: string): Promise<number> {
    const { as } = this.#options;
    const seen = ["--ro-bind", "/", "/", "--dev", "/dev", "--bind", root, root];
    const walls = ["bwrap", ...seen, "--unshare-all", "--cap-drop", "ALL", "--die-with-parent"];
    const [program = "", ...args] = asUser(as, [...walls, "--", "sh", "-c", unpack, root]);
    const file = await open(archive, "r");
    try {
      const { status, said, complaint } = await outcomeOf(
        spawn(program, args, { cwd: "/", stdio: [file.fd, "pipe", "pipe"] }),
      );
      if (status === 0) return Number.parseInt(said, 10);
      const message = `the image could not be unpacked: ${complaint.trim()}`;
      throw new Fault("image-failed", { retry: "never", message });
    } finally {
      await file.close();
    }
  }
}

function toStarted({ entrypoint, command, volumes }: ImageFacts): HowStarted {
  return { entrypoint, command, volumes };
}

async function mustHaveShell(root: string, name: string): Promise<void> {
  const shell = await pathInside(root, "bin/sh");
  const isThere =
    shell !== undefined &&
    (await access(shell, constants.X_OK).then(
      () => true,
      () => false,
    ));
  if (isThere) return;
  const message = `the image ${name} has no /bin/sh, and commands are started with it; use an image with a shell, or add one in a Dockerfile`;
  throw new Fault("image-unfit", { retry: "never", message });
}

/** Where a path leads for whoever has this folder as their root; undefined where it leads nowhere. */
async function pathInside(root: string, path: string): Promise<string | undefined> {
  let rest = path.split("/");
  let at = "/";
  for (let links = 0; rest.length > 0;) {
    const [name = "", ...others] = rest;
    rest = others;
    const next = normalize(join(at, name));
    const found = await lstat(join(root, next)).catch(() => undefined);
    if (found === undefined) return undefined;
    if (!found.isSymbolicLink()) at = next;
    else if (++links > linksMax) return undefined;
    else {
      const target = await readlink(join(root, next));
      if (target.startsWith("/")) at = "/";
      rest = [...target.split("/").filter((each) => each !== ""), ...rest];
    }
  }
  return join(root, at);
}
