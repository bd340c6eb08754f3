import { expect, test } from "vitest";
import { AgentWorld, lone } from "../../../test/support/agent-world.ts";
import type { PolicyRules, PolicyScope } from "../policy/policy.ts";
import { type ViewerRules, viewerRulesOf } from "./viewer-rules.ts";

class ViewedWorld extends AgentWorld {
  readonly agentId = this.running([lone]);

  say(name: string, rules: PolicyRules, scope: PolicyScope = {}, priority = 0): void {
    this.ok({ type: "policy.set", policy: { name, priority, enabled: true, scope, rules } });
  }

  get passing(): ViewerRules {
    return viewerRulesOf(this.state, { agent: this.agentId });
  }
}

const usual = { clipboard: false, titles: true, links: true };

test("[TM10] where no policy says anything, titles and links pass and the clipboard does not", () => {
  const world = new ViewedWorld();
  world.say("other", { maxFiles: 3 });
  expect(world.passing).toEqual(usual);
  expect(viewerRulesOf(world.state, { agent: "a_zz" })).toEqual(usual);
});

test.each([
  ["terminalClipboard", "allow", { clipboard: true }],
  ["terminalTitles", "deny", { titles: false }],
  ["terminalLinks", "deny", { links: false }],
] as const)("[TM10] %s: %s is decided by itself, and only where it is said", (rule, word, changed) => {
  const world = new ViewedWorld();
  world.say("elsewhere", { [rule]: word }, { project: world.project() });
  expect(world.passing).toEqual(usual);
  world.say("here", { [rule]: word }, { project: world.projectId });
  expect(world.passing).toEqual({ ...usual, ...changed });
  world.say("first", { [rule]: word === "allow" ? "deny" : "allow" }, {}, 5);
  expect(world.passing).toEqual(usual);
});

test("[TM10, SC20] a model's policies may forbid, and allow nothing", () => {
  const world = new ViewedWorld();
  world.say("of a model", { terminalClipboard: "allow", terminalTitles: "deny" }, {}, -1);
  expect(world.passing).toEqual({ ...usual, titles: false });
});

test("[TM10] terminals of a run go by the policies of that", () => {
  const world = new ViewedWorld();
  const run = world.started({ runner: "script" });
  world.say("scripts", { terminalLinks: "deny" }, { runner: "script" });
  expect(viewerRulesOf(world.state, { run })).toEqual({ ...usual, links: false });
  expect(world.passing).toEqual(usual);
});
