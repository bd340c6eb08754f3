// Systems of services that have an image of their own. Unlike the agent's image such a system can be written to, as programs in
// images expect: what they change is laid over the image, in memory, and goes with the keeper; what shall stay is in folders of
// its own. Everything that is mounted inside is mounted here, once, while nobody lives on it: were it mounted anew for each
// command, a link that the service planted meanwhile would lead the mount elsewhere.

import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { canonical } from "../../base/canonical.ts";
import { Fault } from "../../base/fault.ts";
import type { CageOrder, SystemOrder } from "../../protocol/keeper/keeper-wire.ts";
import { mustRun, runProgram } from "../os/run-program.ts";
import { cageUser } from "./cage-etc.ts";
import type { CageParts } from "./cage-parts.ts";
import { cageObjects } from "./disposable-git.ts";
import { mountImage, wayOf } from "./image-system.ts";
import { makePlace, type Shown, wayInto } from "./mount-points.ts";
import { assertPlain, type View } from "./view.ts";

/** A folder at the top: whoever can write in `/run` could put another one in its place. */
const helpers = "/.signalbox";
/** Of these nothing of the image is shown, or nothing that may be written. */
const kept = ["proc", "dev", "sys", helpers.slice(1)];
/** What a service may write beside its own folders. It is memory. */
const bytesMax = 512 * 1024 ** 2;

type System = { readonly order: SystemOrder; readonly view: View; readonly folder: string };

export class ServiceSystems {
  readonly #order: CageOrder;
  readonly #workspace: string;
  readonly #parts: CageParts;
  readonly #known = new Map<string, System>();
  #count = 0;
  /** One after another: two that make the same would be in each other's way. */
  #making: Promise<unknown> = Promise.resolve();

  constructor(order: CageOrder, workspace: string, parts: CageParts) {
    this.#order = order;
    this.#workspace = workspace;
    this.#parts = parts;
  }

  make(name: string, order: SystemOrder): Promise<void> {
    const turn = this.#making.then(() => this.#make(name, order));
    this.#making = turn.catch(() => undefined);
    return turn;
  }

  of(name: string): System {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    throw new Fault("bad-request", {
      retry: "never",
      message: `there is no system of ${name} here: it was never started`,
    });
  }

  async #make(name: string, order: SystemOrder): Promise<void> {
    const before = this.#known.get(name);
    if (before !== undefined && isSameView(before.order, order)) {
      this.#known.set(name, { ...before, order });
      return;
    }
    this.#assertApart(order);
    const folder = join(this.#parts.systems, String(++this.#count));
    try {
      this.#known.set(name, { order, view: await this.#view(order, folder), folder });
    } catch (error) {
      await runProgram("umount", ["-l", folder]);
      throw error;
    }
    // It is there for whoever still lives on it, and for nobody else.
    if (before !== undefined) await runProgram("umount", ["-l", before.folder]);
  }

  async #view(order: SystemOrder, folder: string): Promise<View> {
    const places = ["/proc", "/dev", "/tmp", "/var/tmp", cageUser.home];
    const { root, lastStep } = await mountImage(order.root, folder, places, { helpers, bytesMax });
    for (const { inside, outside } of order.data) {
      makePlace(root, wayOf(inside), true);
      await begin(outside, join(root, inside));
      await show(root, { source: outside, target: inside, readOnly: false });
    }
    for (const shown of this.#shown(order)) await show(root, shown);
    const tops = readdirSync(root, { withFileTypes: true }).filter(
      (entry) => entry.isDirectory() && !kept.includes(entry.name),
    );
    const mounts = [
      ...["--ro-bind", root, "/", ...tops.flatMap(({ name }) => ["--bind", join(root, name), `/${name}`])],
      ...["--proc", "/proc", "--dev-bind", this.#parts.devices, "/dev"],
    ];
    return { mounts, lastStep };
  }

  /** What is shown inside a folder that the service writes to would be shown wherever a link of it leads. */
  #assertApart(order: SystemOrder): void {
    const { root } = this.#order;
    const top = kept.find((name) => wayInto(`/${name}`, root) !== undefined);
    if (order.workspace && top !== undefined) {
      const why = `${root} lies in /${top}, where nothing is shown to a service with an image of its own`;
      throw new Fault("bad-request", { retry: "never", message: `the workspace cannot be seen there: ${why}` });
    }
    const insides = order.data.map(({ inside }) => inside);
    const others = [...insides, ...this.#shown(order).map(({ target }) => target), ...kept.map((name) => `/${name}`)];
    for (const inside of insides) {
      assertPlain(inside);
      const nested = others.find((other) => wayInto(inside, other) !== undefined);
      const isKept = kept.some((name) => inside === `/${name}` || wayInto(`/${name}`, inside) !== undefined);
      if (nested === undefined && !isKept) continue;
      const why = nested === undefined ? "is not the image's own" : `has ${nested} in it`;
      throw new Fault("bad-request", { retry: "never", message: `${inside} cannot be a folder that stays: it ${why}` });
    }
  }

  /** What of the agent it sees beside its own. */
  #shown({ workspace }: SystemOrder): Shown[] {
    const { root, git, joined } = this.#order;
    const hosts = { source: this.#parts.hosts, target: "/etc/hosts", readOnly: true };
    const own = { source: this.#workspace, target: root, readOnly: false };
    const objects = git === null ? [] : [{ source: git.objects, target: cageObjects, readOnly: true }];
    return [...(joined === undefined ? [] : [hosts]), ...(workspace ? [own, ...objects] : [])];
  }
}

/** What commands are told is said to each when it starts, and where they start. */
function isSameView(
  { env: _, workdir: _at, ...had }: SystemOrder,
  { env: _to, workdir: _now, ...has }: SystemOrder,
): boolean {
  return canonical(had) === canonical(has);
}

/** A folder that is not there yet has what the image has in its place, or nothing of it. */
async function begin(outside: string, inside: string): Promise<void> {
  if (existsSync(outside)) return;
  const fresh = `${outside}.new`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { mode: 0o700 });
  await mustRun("mount-failed", "cp", ["-dR", "--preserve=mode,links", `${inside}/.`, fresh]);
  renameSync(fresh, outside);
}

async function show(root: string, { source, target, readOnly }: Shown): Promise<void> {
  const place = join(root, target);
  if (target === "/etc/hosts") makePlace(root, wayOf(target), false);
  else makePlace(root, wayOf(target), true);
  await mustRun("mount-failed", "mount", ["--rbind", source, place]);
  if (readOnly) await mustRun("mount-failed", "mount", ["-o", "remount,bind,ro", place]);
}
