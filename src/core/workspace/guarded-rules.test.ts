import { expect, test } from "vitest";
import { CoreWorld } from "../../../test/support/core-world.ts";

test("what others execute or obey goes to a person, whatever the policies say", () => {
  const world = new CoreWorld();
  world.project();
  const run = world.started();
  world.write(run, ".github/workflows/ci.yml");
  world.finish(run);
  expect(world.run(run)).toMatchObject({ state: "review", because: expect.stringContaining("ci.yml") as unknown });
});

test.each([".git/config", "sub/.GIT/hooks/pre-commit", ".signalbox-stage"])("nobody may ever write %s", (path) => {
  const world = new CoreWorld();
  world.project();
  const run = world.started();
  expect(world.refused(run, "write", [`file:${path}`])).toMatchObject({ code: "policy-denied", rule: "neverWritable" });
});
