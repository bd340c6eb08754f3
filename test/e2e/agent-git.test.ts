// What git says inside of agents whose workspaces others' landings move: nobody is shown them as changes of their own.

import { beforeAll, describe, expect, test } from "vitest";
import { isOver } from "../../src/core/run/run-states.ts";
import type { AgentView } from "../../src/protocol/wire/agent.ts";
import type { Run } from "../../src/protocol/wire/run.ts";
import { AgentRig } from "../support/agent-rig.ts";
import { noCages } from "../support/keeper-rig.ts";

const template = `
template: shop
services:
  web: { command: sleep 1000 }
`;

const write = (path: string, text: string): string => `- write: { path: ${path}, content: "${text}" }`;
const shell = (line: string): string => `- run: ${JSON.stringify(line)}`;
const script = (...steps: readonly string[]): string => `task: work in the shop\nsteps:\n${steps.join("\n")}\n`;

describe.skipIf(noCages)("git inside of agents", () => {
  const rig = AgentRig.forAll({ "app.js": "old", "page.html": "old" });
  let agent: AgentView;

  beforeAll(async () => {
    agent = await rig.up(template);
  });

  const submit = async (text: string, more: object = {}): Promise<string> =>
    (await rig.call("run.submit", { project: "shop", script: text, ...more })).run;

  async function inState(run: string, state: Run["state"]): Promise<void> {
    for (;;) {
      const answer = await rig.call("run.wait", { run, states: [state], waitMs: 20_000 });
      if (answer.reached) return;
      if (isOver(answer.run.state)) throw new Error(`${run} is ${answer.run.state}: ${answer.run.because}`);
    }
  }

  test("[LD63, AG82] a living agent whose files were refreshed has the new commit, and its own changes alone", async () => {
    await rig.exec(agent, "echo mine > page.html; echo staged > staged.txt; git add staged.txt");
    rig.sample.write({ "app.js": "new", "added.txt": "new" });
    const commit = rig.sample.commit("the next");
    await rig.call("agent.refresh", { agent: agent.id });
    const look = "git log --format=%s -1; git rev-parse HEAD signalbox/base; git status --porcelain";
    expect(await rig.exec(agent, look)).toBe(`the next\n${commit}\n${commit}\n M page.html\nA  staged.txt\n`);
    // Nothing old comes back.
    expect(await rig.exec(agent, "git checkout -q app.js; git stash -q; cat app.js added.txt; git stash pop -q")).toBe(
      "newnew",
    );
    expect(
      await rig.exec(agent, "git diff --name-only signalbox/base; git checkout -q page.html; git rm -qf staged.txt"),
    ).toBe("page.html\nstaged.txt\n");
  });

  test("[LD63, AG44, AG49] a run in an agent begins where its files are, whatever the one before has committed", async () => {
    const commits =
      "echo more > page.html; git add -A; git commit -qm mine; git checkout -qb theirs; echo x > x; git add x";
    const first = await submit(script(shell(commits)), { agent: agent.name });
    await inState(first, "done");
    await expect.poll(() => rig.get(agent)).toMatchObject({ run: null });
    const isClean = 'test -z "$(git status --porcelain)"';
    const stands = 'test "$(git rev-parse HEAD main)" = "$(git rev-parse signalbox/base signalbox/base)"';
    const found = 'test "$(git log -1 --format=%s signalbox/left)" = mine';
    const hasLanded = "git log -1 --format=%b | grep -q Signalbox-Run";
    const next = await submit(script(shell(`${isClean} && ${stands} && ${found} && ${hasLanded}`)), {
      agent: agent.name,
    });
    await inState(next, "done");
  });

  test("[LD63, LD7] a run whose grant brings others' work sees just its own, and what it commits stays its own", async () => {
    const look = 'test "$(git log -1 --format=%s; git status --porcelain)" = "$(printf "%s\\n" "by hand" " M app.js")"';
    const run = await submit(
      script(
        shell("git status"),
        "- ask: go on?",
        write("app.js", "mine"),
        shell(look),
        shell("git commit -qam mine"),
        "- ask: again?",
        write("more.js", "mine"),
        shell(
          'test "$(git log -1 --format=%s; git diff --name-only signalbox/base)" = "$(printf "%s\\n" mine app.js)"',
        ),
      ),
    );
    await inState(run, "awaiting-input");
    rig.sample.write({ "page.html": "by hand" });
    rig.sample.commit("by hand");
    // A run that begins brings it to mainline.
    await inState(await submit(script(shell("true"))), "done");
    await rig.call("run.answer", { run, text: "yes" });
    await rig.client.waitForRun(run, { states: ["awaiting-input"] });
    rig.sample.write({ "page.html": "again" });
    rig.sample.commit("again by hand");
    await inState(await submit(script(shell("true"))), "done");
    await rig.call("run.answer", { run, text: "yes" });
    await inState(run, "done");
    await expect.poll(() => rig.sample.read("app.js")).toBe("mine");
  });
});
