import { describe, expect, test } from "vitest";
import { CoreWorld, toBegin } from "../../../test/support/core-world.ts";
import type { PolicyRules } from "../policy/policy.ts";

/** A run that an assistant drives, or a script, under the given rules. */
function made(rules: PolicyRules, isAssistant = true): { world: CoreWorld; run: string; read: () => void } {
  const world = new CoreWorld();
  world.project();
  world.policy("strict", { stuckAfterRepeats: 2, stuckAfterToolErrors: 2, stuckAfterMs: 60_000, ...rules });
  const run = world.started(isAssistant ? { runner: "claude" } : {});
  const heard = { type: "run.hear", run, life: 1, upTo: 1, told: 0, owes: 1, items: [] } as const;
  if (isAssistant) world.ok(heard, `agent:${run}`);
  const read = (): void => {
    world.ok({ ...toBegin(world.state, run, "read", []), print: "same" }, `agent:${run}`);
    if (world.run(run).call?.started === true) world.finishCall(run);
  };
  return { world, run, read };
}

const actsIn = (world: CoreWorld): (string | undefined)[] =>
  world.log.flatMap((event) => (event.type === "run.stuck" ? [event.act] : []));

describe("[RN35] a run that is stuck", () => {
  test("is told by a nudge what others see, once, and stays stuck until it does something else", () => {
    const { world, run, read } = made({});
    for (let time = 0; time < 4; time++) read();
    expect(actsIn(world)).toEqual(["nudge"]);
    expect(world.run(run).messages).toEqual([expect.stringMatching(/^The same read, .* 2 times in a row\. .*else/)]);
    expect(world.run(run)).toMatchObject({ state: "running", stuck: { why: "loop", act: "nudge" } });
    world.write(run, "a");
    expect(world.run(run).stuck).toBeNull();
  });

  test("that is silent is interrupted for a nudge, which is no sign of work", () => {
    const { world, run, read } = made({ onSilent: "nudge", stuckAfterRepeats: 9 });
    // In a call it waits for something that we know of, and so is not hung.
    world.ok({ ...toBegin(world.state, run, "run", []) }, `agent:${run}`);
    world.passWithBeats(60_000);
    const told = world.log.filter((event) => event.type === "run.messaged");
    expect(told).toMatchObject([{ nudge: true, interrupts: true }]);
    expect(world.run(run).stuck).toMatchObject({ why: "silent", act: "nudge" });
    world.passWithBeats(120_000);
    expect(actsIn(world)).toEqual(["nudge"]);
    world.finishCall(run);
    read();
    expect(world.run(run).stuck).toBeNull();
  });

  test("that no assistant drives is no more than told of", () => {
    const { world, run, read } = made({ onLoop: "nudge" }, false);
    read();
    read();
    expect(actsIn(world)).toEqual(["tell"]);
    expect(world.run(run).messages).toEqual([]);
  });

  test.each(["loop", "silent"] as const)("(%s) is paused, and stays in sight until it goes on", (why) => {
    const { world, run, read } = made({ onLoop: "pause", onSilent: "pause" });
    if (why === "loop") for (let time = 0; time < 2; time++) read();
    else {
      world.ok({ ...toBegin(world.state, run, "run", []) }, `agent:${run}`);
      world.passWithBeats(60_000);
    }
    expect(world.run(run)).toMatchObject({ state: "paused", stuck: { why, act: "pause" } });
    expect(world.run(run).because).toMatch(/^stuck: /);
    expect(world.state.table.families.get(world.run(run).family)?.life).toBe("paused");
    world.ok({ type: "run.resume", run });
    expect(world.run(run).state).toBe("running");
    expect([actsIn(world), world.run(run).stuck?.why ?? null]).toEqual([["pause"], why === "loop" ? "loop" : null]);
  });

  test.each(["read", "write", "silence"] as const)("(%s) is ended where a policy wants that", (how) => {
    const { world, run, read } = made({
      ...{ onLoop: "stop", onToolErrors: "stop", onSilent: "stop", deniedPaths: ["x"] },
      ...(how === "write" ? { stuckAfterRepeats: 9 } : {}),
    });
    const write = (): unknown => world.no(toBegin(world.state, run, "write", ["file:x"]), `agent:${run}`);
    const act = { read, write, silence: () => world.passWithBeats(30_000) }[how];
    act();
    act();
    expect(world.run(run).state).toBe("failed");
    expect(world.run(run).because).toMatch(/^stuck: /);
    const ended = world.log.find((event) => event.type === "run.moved" && event.to === "failed");
    expect(ended).toMatchObject({ run, policy: "strict" });
  });

  test("[RN34] is taken up again where it is hung, unless a policy gives it up", () => {
    const { world, run } = made({ onSilent: "nudge" });
    world.passWithBeats(60_000);
    expect(actsIn(world)).toEqual(["tell"]);
    expect(world.run(run)).toMatchObject({ state: "parked", delay: { failure: "hung" } });
    const strict = made({ onSilent: "stop" });
    strict.world.passWithBeats(60_000);
    expect(strict.world.run(strict.run).state).toBe("failed");
  });

  /** Makes the same call that fails, once. */
  const fail = (world: CoreWorld, run: string): void => {
    world.ok({ ...toBegin(world.state, run, "read", []), print: "same" }, `agent:${run}`);
    if (world.run(run).call?.started === true) world.finishCall(run, [], undefined, { ok: false });
  };

  test.each([
    ["a circle that is told hides no calls that fail", { onLoop: "tell", onToolErrors: "stop" }, ["tell", "stop"]],
    [
      "calls that fail hide no circle",
      { onLoop: "stop", onToolErrors: "tell", stuckAfterRepeats: 3 },
      ["tell", "stop"],
    ],
    ["a weaker act is not done after a stronger one", { onLoop: "pause", onToolErrors: "nudge" }, ["pause"]],
    ["nor is one as strong", { onLoop: "nudge", onToolErrors: "nudge" }, ["nudge"]],
  ] as const)("for two reasons: %s", (_, rules, acts) => {
    const { world, run } = made(rules);
    for (let time = 0; time < 3 && world.run(run).state === "running"; time++) fail(world, run);
    expect(actsIn(world)).toEqual(acts);
    expect(world.run(run).state).toBe(
      { stop: "failed", pause: "paused", nudge: "running", tell: "running" }[acts.at(-1) ?? "tell"],
    );
  });
});
