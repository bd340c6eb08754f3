// The systems that agents find in their cages where a person chose an image: found, or made once, and kept while somebody
// needs them. What an agent began with it keeps, whatever its image's name means by then.

import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { canonical } from "../../base/canonical.ts";
import { Fault } from "../../base/fault.ts";
import type { ImageChoice } from "../../core/project/image.ts";
import type { Mainline } from "../../ports/mainline.ts";
import type { ImageOrder } from "../../protocol/keeper/keeper-wire.ts";
import { swapDurably } from "../../os/durable-file.ts";
import { readContext } from "./build-context.ts";
import { readPin, writePin } from "./image-pin.ts";
import { type FoundImage, type HowStarted, ImageRoots, type KeptImage, type RootsOptions } from "./image-roots.ts";
import { type Env, type ImageFacts, ImageTool } from "./image-tool.ts";

export type ImagesOptions = RootsOptions & {
  readonly env: Env;
  readonly wallMs: () => number;
  /** What containers of this home are labelled with. */
  readonly label: string;
  /** The files that remember what agents have got. */
  readonly pins: () => Promise<readonly string[]>;
};

export type LeftContainer = { readonly id: string; readonly tool: string; readonly remove: () => Promise<void> };

/** An image as the system of one service. */
export type ServiceImage = ImageOrder & HowStarted & { readonly id: string; readonly workdir: string };

export type ListedImage = KeptImage & { readonly inUse: boolean };

/** Where an agent's Dockerfile is read, and the file that remembers what it got. */
export type ImageUse = { readonly mainline: Mainline; readonly commit: string; readonly pin: string };

const nothingStarted: HowStarted = { entrypoint: [], command: [], volumes: [] };
const unusedMsMax = 14 * 24 * 60 * 60_000;
const bytesMax = 20 * 1024 ** 3;
const architectures: Readonly<Record<string, string>> = { x64: "amd64", arm64: "arm64" };

export class Images {
  readonly #options: ImagesOptions;
  readonly #roots: ImageRoots;
  readonly #closing = new AbortController();
  #tool: ImageTool | undefined;
  /** How many have asked for a system, and how many were answered: whoever is between may have nothing written down. */
  #asked = 0;
  #served = 0;
  /** One at a time for each choice: who comes second gets what the first has made. */
  readonly #making = new Map<string, Promise<string>>();

  constructor(options: ImagesOptions) {
    this.#options = options;
    this.#roots = new ImageRoots(options);
  }

  /** The system for an agent. Making one takes as long as pulling or building does. */
  async systemFor(choice: ImageChoice, use: ImageUse): Promise<ImageOrder> {
    return (await this.#asking(() => this.#find(choice, use))).system;
  }

  /** The same for one service, with what starts there by itself and which folders are to stay. */
  async serviceFor(choice: ImageChoice, use: ImageUse): Promise<ServiceImage> {
    const { id, system, workdir, started = nothingStarted } = await this.#asking(() => this.#find(choice, use));
    return { id, ...system, workdir, ...started };
  }

  async #asking(find: () => Promise<FoundImage>): Promise<FoundImage> {
    this.#asked++;
    const made = await find().finally(() => this.#served++);
    await this.prune({ all: false });
    return made;
  }

  async #find(choice: ImageChoice, use: ImageUse): Promise<FoundImage> {
    const pin = await readPin(use.pin);
    if (pin !== undefined && canonical(pin.choice) === canonical(choice)) {
      const known = await this.#roots.find(pin.id, this.#options.wallMs());
      if (known !== undefined) return known;
    }
    const id = "name" in choice ? await this.#named(choice.name) : await this.#built(choice.dockerfile, use);
    await writePin(use.pin, { choice, id });
    const made = await this.#roots.find(id, this.#options.wallMs());
    if (made !== undefined) return made;
    throw new Fault("image-failed", { retry: "later", message: `the files of the image ${id} are gone again` });
  }

  /** The system that an agent has begun with; undefined is the machine's own. */
  async systemAgain(use: ImageUse): Promise<ImageOrder | undefined> {
    const pin = await readPin(use.pin);
    return pin === undefined ? undefined : this.systemFor(pin.choice, use);
  }

  /** What is kept here, the longest unused first. */
  async list(): Promise<ListedImage[]> {
    const held = new Set((await Promise.all((await this.#options.pins()).map(readPin))).map((pin) => pin?.id));
    return (await this.#roots.list()).map((image) => ({ ...image, inUse: held.has(image.id) }));
  }

  /**
   * Takes away what no agent needs: at once with `all`, else what is long unused or more than there should be. With `dryRun`
   * it only says what that is.
   */
  async prune({ all, dryRun = false }: { readonly all: boolean; readonly dryRun?: boolean }): Promise<ListedImage[]> {
    const asked = this.#asked;
    const kept = await this.list();
    let bytes = kept.reduce((sum, image) => sum + image.bytes, 0);
    const gone: ListedImage[] = [];
    for (const image of kept) {
      const isOld = this.#options.wallMs() - image.usedAtMs > unusedMsMax;
      // Whoever has asked meanwhile may not have been among those who need one.
      const isQuiet = this.#asked === asked && this.#served === asked;
      if (image.inUse || !isQuiet || !(all || isOld || bytes > bytesMax)) continue;
      if (!dryRun) await this.#roots.remove(image.id);
      bytes -= image.bytes;
      gone.push(image);
    }
    return gone;
  }

  /** Takes away what a daemon that died had begun. */
  sweep(): Promise<void> {
    return this.#roots.sweep();
  }

  /** Containers that a daemon of this home has left. Where no image was ever used there are none. */
  async leftContainers(): Promise<LeftContainer[]> {
    if (this.#making.size > 0 || !existsSync(this.#options.folder)) return [];
    const tool = this.#tool ?? (await ImageTool.find(this.#options.env));
    if (!(tool instanceof ImageTool)) return [];
    const ids = await tool.labelled(this.#options.label);
    return ids.map((id) => ({ id, tool: tool.name, remove: () => tool.remove(id) }));
  }

  close(): void {
    this.#closing.abort();
  }

  #named(name: string): Promise<string> {
    return this.#once(name, async (tool) => {
      const here = await tool.look(name);
      if (here === undefined) await tool.pull(name, this.#closing.signal);
      return this.#keep(tool, name, here ?? (await tool.look(name)));
    });
  }

  async #built(dockerfile: string, { mainline, commit }: ImageUse): Promise<string> {
    const context = await readContext(mainline, commit, dockerfile);
    const mark = join(this.#options.folder, "builds", createHash("sha256").update(context.key).digest("hex"));
    return this.#once(mark, async (tool) => {
      const before = await readFile(mark, "utf8").catch(() => "");
      if ((await this.#roots.find(before, this.#options.wallMs()))?.started !== undefined) return before;
      // In a folder of our own: what a daemon that died has left there is known to be ours.
      await mkdir(this.#options.folder, { recursive: true, mode: 0o711 });
      const folder = await mkdtemp(join(this.#options.folder, "context-"));
      try {
        await context.write(folder);
        const image = await tool.build(folder, dockerfile, this.#options.folder, this.#closing.signal);
        const id = await this.#keep(tool, dockerfile, await tool.look(image));
        await swapDurably(mark, id);
        return id;
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    });
  }

  #once(key: string, make: (tool: ImageTool) => Promise<string>): Promise<string> {
    const known = this.#making.get(key);
    if (known !== undefined) return known;
    const making = this.#findTool().then(make);
    this.#making.set(key, making);
    const forget = (): void => void this.#making.delete(key);
    making.then(forget, forget);
    return making;
  }

  async #findTool(): Promise<ImageTool> {
    const found = this.#tool ?? (await ImageTool.find(this.#options.env));
    if (found instanceof ImageTool) return (this.#tool = found);
    const message = `neither podman nor docker works on this machine (${found.missing}); install podman, or go without an image`;
    throw new Fault("images-unavailable", { retry: "never", message });
  }

  async #keep(tool: ImageTool, name: string, facts: ImageFacts | undefined): Promise<string> {
    if (facts === undefined)
      throw new Fault("image-failed", { retry: "never", message: `${tool.name} has lost ${name} again` });
    mustFit(name, facts);
    await mkdir(this.#options.folder, { recursive: true, mode: 0o711 });
    if ((await this.#roots.find(facts.id, this.#options.wallMs())) === undefined) {
      await this.#roots.put(facts, name, (archive) =>
        tool.export(facts.id, archive, this.#options.label, this.#closing.signal),
      );
    }
    await this.#roots.complete(facts);
    return facts.id;
  }
}

function mustFit(name: string, { os, architecture }: ImageFacts): void {
  const wanted = architectures[process.arch] ?? process.arch;
  if (os === "linux" && architecture === wanted) return;
  const message = `the image ${name} is for ${os} on ${architecture}, and this machine is linux on ${wanted}; use one that is for it`;
  throw new Fault("image-unfit", { retry: "never", message });
}
