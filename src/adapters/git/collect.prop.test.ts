// Random people who write, name, forget and write again, while somebody collects all the time: whatever is named, or was
// written a moment ago, is there.

import { existsSync, utimesSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { MainlineRig } from "../../../test/support/git/mainline-rig.ts";
import { search } from "../../../test/support/search.ts";

// Few contents, so that they come again; what costs a process comes seldom.
const does = ["write", "write", "write", "name", "forget", "forget", "land", "collect", "collect", "restart"] as const;
const step = fc.record({ do: fc.constantFrom(...does), which: fc.nat(2) });
const ageMs = 3_600_000;

class World {
  readonly #named = new Set<string>();
  readonly #fresh = new Set<string>();
  readonly #landed = new Set<string>();
  readonly #written = new Set<string>();
  readonly #under: Promise<unknown>[] = [];
  #rig: MainlineRig;
  collected = 0;

  constructor(rig: MainlineRig) {
    this.#rig = rig;
  }

  /** Writing and naming take their time, and a collection may come between the two. */
  async do({ do: what, which }: { readonly do: string; readonly which: number }): Promise<void> {
    const { mainline } = this.#rig;
    switch (what) {
      case "write":
        this.#fresh.add(await this.#write(which));
        return;
      case "name":
        for (const blob of this.#fresh) this.#named.add(blob);
        this.#fresh.clear();
        return;
      case "forget":
        // So much time does not pass while somebody collects.
        await Promise.all(this.#under.splice(0));
        for (const blob of [...this.#named].slice(0, 2)) this.#named.delete(blob);
        this.#growOld();
        return;
      case "land": {
        const text = `landed ${which}`;
        await this.#rig.land({ [`f${which}`]: text });
        this.#landed.add(await mainline.writeBlob(Buffer.from(text)));
        return;
      }
      case "collect":
        this.#under.push(this.#collect());
        return;
      default:
        await this.settle();
        this.#rig = await this.#rig.reopen();
    }
  }

  async settle(): Promise<void> {
    await Promise.all(this.#under.splice(0));
    // Reading throws where there is nothing.
    for (const blob of [...this.#named, ...this.#fresh, ...this.#landed]) await this.#rig.mainline.readBlob(blob);
  }

  async #collect(): Promise<void> {
    const kept = (): Promise<{ commits: string[]; blobs: string[] }> =>
      Promise.resolve({ commits: [], blobs: [...this.#named] });
    const { objects } = await this.#rig.mainline.collect({ kept, youngMs: ageMs / 2, dryRun: false });
    this.collected += objects;
  }

  async #write(which: number): Promise<string> {
    const blob = await this.#rig.mainline.writeBlob(Buffer.from(`content ${which}`));
    this.#written.add(blob);
    return blob;
  }

  /** Time passes for everything but what was written a moment ago. */
  #growOld(): void {
    const old = new Date(Date.now() - ageMs);
    for (const blob of this.#written) {
      const file = path.join(this.#rig.repository, "objects", blob.slice(0, 2), blob.slice(2));
      if (!this.#fresh.has(blob) && existsSync(file)) utimesSync(file, old, old);
    }
  }
}

/** Whatever came before, in the end there is something that nobody needs. */
const leftOver = ["write", "name", "forget", "collect"].map((what) => ({ do: what, which: 99 }));

test("[LD44] nothing that is named, fresh or landed is ever collected", { timeout: 600_000 }, async () => {
  let collected = 0;
  const property = fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40, size: "max" }), async (steps) => {
    const world = new World(await MainlineRig.withRepository());
    for (const each of [...steps, ...leftOver]) await world.do(each);
    await world.settle();
    collected += world.collected;
  });
  await fc.assert(property, search(8));
  expect(collected).toBeGreaterThan(0);
});

test("[LD44] what is written again is new, also for a daemon that knows nothing of it", async () => {
  const rig = await MainlineRig.withRepository();
  const blob = await rig.mainline.writeBlob(Buffer.from("again"));
  const file = path.join(rig.repository, "objects", blob.slice(0, 2), blob.slice(2));
  const old = new Date(Date.now() - ageMs);
  utimesSync(file, old, old);
  await rig.mainline.writeBlob(Buffer.from("again"));
  const { mainline } = await rig.reopen();
  const nothing = (): Promise<{ commits: string[]; blobs: string[] }> => Promise.resolve({ commits: [], blobs: [] });
  const order = { kept: nothing, youngMs: ageMs / 2, dryRun: false };
  expect(await mainline.collect(order)).toMatchObject({ objects: 0 });
  utimesSync(file, old, old);
  expect(await mainline.collect(order)).toMatchObject({ objects: 1 });
});
