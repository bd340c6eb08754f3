import { expect, test } from "vitest";
import { CoreWorld } from "../../../test/support/core-world.ts";
import { fromPlain, toPlain } from "../snapshot.ts";

test("[PF15] a person says what a preset means to a runner, says it anew, and takes it back", () => {
  const world = new CoreWorld();
  const set = { type: "preset.set", runner: "codex", preset: "cheap" } as const;
  expect(world.no({ ...set, model: null })).toMatchObject({ code: "not-found", kind: "preset" });
  world.ok({ ...set, model: "one" });
  world.ok({ ...set, model: "two" });
  world.ok({ ...set, model: "two" });
  expect(world.last).toEqual([]);
  world.ok({ ...set, preset: "smart", model: "three" });
  expect(world.state.presets.get("codex")).toEqual({ cheap: "two", smart: "three" });
  expect(fromPlain(toPlain(world.state)).presets).toEqual(world.state.presets);
  world.ok({ ...set, model: null });
  world.ok({ ...set, preset: "smart", model: null });
  expect(world.state.presets.size).toBe(0);
});
