// What services of a living agent said, together and in the order of time, also when their lives are over.

import { describe, expect, test } from "vitest";
import type { OutputOf } from "../../src/protocol/operations.ts";
import { AgentRig } from "../support/agent-rig.ts";
import { noCages } from "../support/keeper-rig.ts";

/** Who says little within a fifth of a second has one time for it, so the first one takes longer than that to go on. */
const template = `
template: spoken
services:
  one: { command: 'echo one begins; while [ ! -e go ]; do sleep 0.02; done; sleep 0.3; echo one goes on; exec sleep 1000', health: { log: begins } }
  two: { command: 'echo two begins; exec sleep 1000', health: { log: begins }, depends_on: [one] }
`;

describe.skipIf(noCages)("what services said together", () => {
  const rig = AgentRig.forAll({ ".gitignore": "/go\n" });

  test("[SV14, SV15] stands in the order of time, also of lives that are over and after a restart of the daemon", async () => {
    const { id } = await rig.up(template);
    const logs = (more: object = {}): Promise<OutputOf<"agent.logs">> =>
      rig.call("agent.logs", { agent: id, lives: "all", ...more });
    const texts = async (more: object = {}): Promise<string[]> => (await logs(more)).lines.map(({ text }) => text);
    await rig.exec(id, "touch go");
    const spoken = ["one begins", "two begins", "one goes on"];
    await expect.poll(() => texts()).toEqual(spoken);
    const { lines, untimed } = await logs();
    expect(untimed).toEqual([]);
    const [first, second, third] = lines.map(({ atMs }) => atMs ?? 0);
    expect([first, second, third]).toEqual([first, second, third].toSorted((a = 0, b = 0) => a - b));
    expect(await texts({ sinceMs: third })).toEqual(["one goes on"]);
    await rig.restartDaemon();
    await rig.call("service.restart", { agent: id, service: "one" });
    await rig.running(id);
    await expect.poll(() => texts()).toEqual([...spoken, "one begins", "one goes on"]);
    expect((await logs()).lines.slice(0, 3)).toEqual(lines);
    expect(await texts({ services: ["one"], lives: "previous" })).toEqual(["one begins", "one goes on"]);
  });
});
