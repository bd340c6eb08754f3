import { expect, test } from "vitest";
import { CoreWorld } from "../../../test/support/core-world.ts";
import { TestClock } from "../../../test/support/test-clock.ts";
import type { Project } from "../../core/project/project.ts";
import { PublishAgain } from "./publish-again.ts";

const commit = "d".repeat(40);
const not = { why: "the checkout is not clean", how: "git pull" };

class Rig {
  readonly core = new CoreWorld();
  readonly clock = new TestClock();
  readonly looks: number[] = [];
  readonly again = new PublishAgain({
    state: () => this.core.state,
    clock: this.clock,
    look: async () => void this.looks.push(this.clock.monotonicMs()),
    onDefect: (error) => {
      throw error;
    },
  });

  constructor() {
    this.core.project({ commit: "c".repeat(40) });
  }

  get project(): Project {
    return [...this.core.state.projects.values()][0] ?? expect.fail("there is a project");
  }

  publish(outcome: typeof not | null): void {
    const before = this.core.log.length;
    this.core.give({ type: "mainline.publish", project: this.project.id, commit, not: outcome }, "system");
    for (const event of this.core.log.slice(before)) this.again.hear(event);
  }

  /** Lets this much time pass, and everything happen that comes of it. */
  async pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 500) {
      this.clock.advance(500);
      await new Promise(setImmediate);
    }
  }
}

test("[LD51] what is not published is looked at again, less and less often, until it is", async () => {
  const rig = new Rig();
  await rig.pass(60_000);
  expect(rig.looks).toEqual([]);
  rig.publish(not);
  await rig.pass(16_000);
  expect(rig.looks.map((atMs) => atMs - 60_000)).toEqual([1000, 3000, 7000, 15_000]);
  rig.publish(null);
  await rig.pass(600_000);
  expect(rig.looks).toHaveLength(4);
  expect(rig.clock.nextMs).toBeUndefined();
});

test("[LD51] what an earlier daemon could not publish is looked at with the start, and nothing once this one ends", async () => {
  const rig = new Rig();
  rig.project.notPublished = { commit, ...not };
  rig.again.begin();
  await rig.pass(500);
  expect(rig.looks).toHaveLength(1);
  rig.again.close();
  await rig.pass(600_000);
  expect(rig.looks).toHaveLength(1);
  expect(rig.clock.nextMs).toBeUndefined();
});
