import { expect, test } from "vitest";
import { CoreWorld } from "../../../test/support/core-world.ts";
import type { OwnRunner } from "./own-runner.ts";

const mine: OwnRunner = {
  ...{ name: "acp:mine", command: ["my-agent"], format: "anthropic", credential: null, baseUrl: null, auth: null },
  ...{ env: {}, files: [] },
};

test("[PF9] a runner of one's own is set, replaced, and removed once nobody needs it", () => {
  const world = new CoreWorld();
  world.project();
  world.ok({ type: "runner.set", runner: { ...mine, auth: "key" } });
  world.ok({ type: "runner.set", runner: mine });
  expect(world.state.runners.get("acp:mine")).toEqual(mine);
  const remove = { type: "runner.remove", name: "acp:mine" } as const;
  const settings = { runner: "mcp", fallbacks: ["acp:mine"] };
  world.ok({ type: "profile.set", profile: { name: "own", settings }, ensure: false });
  expect(world.no(remove)).toMatchObject({ code: "in-use", by: "the profile own" });
  world.ok({ type: "profile.remove", name: "own" });
  const run = world.started({ runner: "acp:mine" });
  expect(world.no(remove)).toMatchObject({ code: "in-use", by: run });
  world.ok({ type: "run.terminate", select: { by: "run", run }, because: "enough" });
  world.ok(remove);
  expect(world.no(remove)).toMatchObject({ code: "not-found", kind: "runner" });
});
