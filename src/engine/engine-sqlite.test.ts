import { join } from "node:path";
import { expect, test } from "vitest";
import { SqliteStore } from "../adapters/store/sqlite-store.ts";
import { canonical } from "../base/canonical.ts";
import { toPlain } from "../core/snapshot.ts";
import { toProject } from "../../test/support/core-world.ts";
import { claimOf, NotingLink, toClaim } from "../../test/support/engine-rig.ts";
import { makeTempFolder } from "../../test/support/temp-folder.ts";
import { TestClock } from "../../test/support/test-clock.ts";
import { Engine, type Outcome } from "./engine.ts";

const options = { version: "test", inboxMax: 1000, batchMax: 100, snapshotEvery: 4 };

function give(engine: Engine, input: Parameters<Engine["submit"]>[0]["input"]): Promise<Outcome> {
  return new Promise((resolve) => engine.submit({ actor: "person:eva", input }, resolve));
}

test("[EN11] on a real disk, too, what was answered is there after a restart, and the same key is the same claim", async () => {
  const path = join(makeTempFolder(), "log.db");
  const clock = new TestClock();
  const open = (): Promise<Engine> =>
    Engine.open({ store: SqliteStore.open({ path }), clock, nodes: new NotingLink() }, options);
  const first = await open();
  const added = await give(first, toProject("p"));
  const project = added.ok && added.value.of === "id" ? added.value.id : "";
  const names = Array.from({ length: 50 }, (_, at) => `holder-${at}`);
  const claims = await Promise.all(
    names.map((as) => give(first, toClaim({ project, as, key: as, units: [`file:${as}`] }))),
  );
  const before = toPlain(first.state);
  await first.close();
  const second = await open();
  expect(canonical(toPlain(second.state).claims)).toBe(canonical(before.claims));
  const again = await Promise.all(
    names.map((as) => give(second, toClaim({ project, as, key: as, units: [`file:${as}`] }))),
  );
  expect(again.map((outcome) => claimOf(outcome).claim)).toEqual(claims.map((outcome) => claimOf(outcome).claim));
  await second.close();
});
