import { describe, expect, test } from "vitest";
import { CoreWorld, toBegin } from "../../../test/support/core-world.ts";

const about = { provider: "anthropic", model: "plain", credential: "store:K", inputTokens: 1, outputTokens: 1 };
const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };

function atWork(): { world: CoreWorld; run: string } {
  const world = new CoreWorld();
  world.project();
  const settings = { runner: "claude", maxTurns: 2, fallbacks: ["codex"] };
  world.ok({ type: "profile.set", profile: { name: "own", settings }, ensure: false });
  return { world, run: world.started({ profile: "own", runner: "claude" }) };
}

let keys = 0;
const asking = (run: string, turn = true) =>
  ({ type: "model.request", run, key: String(++keys), ...about, turn }) as const;

function ask(world: CoreWorld, run: string, turn = true): string {
  const answer = world.ok(asking(run, turn));
  return answer.of === "id" ? answer.id : "";
}

function answer(world: CoreWorld, request: string, status: number | null = 200): void {
  const came = { model: null, extent: "whole", status, artifact: null } as const;
  world.ok({ type: "model.answer", request, ...usage, ...came });
}

describe("the turns of an assistant", () => {
  test("[PF14] are as many as its profile says, with those that are under way; one more is refused, and fails it", () => {
    const { world, run } = atWork();
    answer(world, ask(world, run));
    const open = ask(world, run);
    expect(world.no(asking(run))).toEqual({ code: "turns-spent", run, policy: "profile own", limit: 2 });
    expect(world.lastOf("model.refused")).toMatchObject([{ run, code: "turns-spent", what: "maxTurns" }]);
    answer(world, open);
    world.no(asking(run));
    expect(world.last).toEqual([]);
    const failure = { class: "auth", runner: "claude", life: 1, retryAfterMs: null, said: "" } as const;
    const family = world.run(run).family;
    world.ok({ type: "run.finish", run, family, ok: false, message: "claude: auth: 403", failure });
    expect(world.run(run)).toMatchObject({ state: "failed", failure: "max-turns", runner: "claude" });
    expect(world.run(run).because).toContain("as often as its profile own lets it");
  });

  test("[PF14] are none where no tools are offered, or where its maker turned the request down", () => {
    const { world, run } = atWork();
    for (const status of [429, 529, null]) answer(world, ask(world, run), status);
    for (let count = 0; count < 3; count++) answer(world, ask(world, run, false));
    for (let count = 0; count < 2; count++) answer(world, ask(world, run));
    expect(world.no(asking(run))).toMatchObject({ code: "turns-spent" });
    ask(world, run, false);
  });

  test("[PF14] are also what looks like none, from the fourth in a row on", () => {
    const { world, run } = atWork();
    const isTurn = (): boolean => world.lastOf("model.requested")[0]?.turn === true;
    const asideIsTurn = (): boolean => {
      const request = ask(world, run, false);
      const counts = isTurn();
      answer(world, request);
      return counts;
    };
    expect([1, 2, 3].map(() => asideIsTurn())).toEqual([false, false, false]);
    // What is turned down is neither, so that it cannot be used to begin anew.
    answer(world, ask(world, run), 400);
    expect([asideIsTurn(), world.run(run).turns]).toEqual([true, 1]);
    for (let count = 0; count < 3; count++) ask(world, run, false);
    ask(world, run, false);
    expect(isTurn()).toBe(true);
    expect(world.no(asking(run, false))).toMatchObject({ code: "turns-spent" });
    world.ok({ type: "run.steer", run, message: "go on", interrupt: false });
    expect(world.run(run)).toMatchObject({ turns: 0, asides: 0 });
  });

  test("[PF14] begin anew with what a person says, and with every result that is sent back", () => {
    const { world, run } = atWork();
    for (let count = 0; count < 2; count++) answer(world, ask(world, run));
    world.no(asking(run));
    world.ok({ type: "run.steer", run, message: "go on", interrupt: false });
    for (let count = 0; count < 2; count++) answer(world, ask(world, run));
    expect(world.run(run)).toMatchObject({ turns: 2, modelRefused: null });
    world.policy("look", { approvalRequired: true });
    world.write(run, "a");
    world.finish(run);
    world.ok({ type: "run.return", run, message: "shorter" });
    for (let count = 0; count < 2; count++) answer(world, ask(world, run));
    expect(world.run(run)).toMatchObject({ state: "running", turns: 2, modelRefused: null });
  });

  test("[PF14, RN35] are counted on when it is told that it goes round in circles, and anew when a person says something", () => {
    const { world, run } = atWork();
    world.policy("strict", { stuckAfterRepeats: 2 });
    world.ok({ type: "run.hear", run, life: 1, upTo: 1, told: 0, owes: 1, items: [] }, `agent:${run}`);
    answer(world, ask(world, run));
    for (let time = 0; time < 2; time++) {
      world.ok({ ...toBegin(world.state, run, "read", []), print: "same" }, `agent:${run}`);
      world.finishCall(run);
    }
    expect(world.run(run)).toMatchObject({ turns: 1, messages: [expect.stringContaining("same read")] });
    world.ok({ type: "run.steer", run, message: "try this", interrupt: false });
    expect(world.run(run).turns).toBe(0);
  });
});
