// A daemon whose keepers were started by a later release, as after somebody went back to an earlier one: it says so, touches
// nothing, and what runs there goes on.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { namesIn, readRecord } from "../../src/node/keepers/keeper-pool.ts";
import { homePaths } from "../../src/protocol/home.ts";
import { keeperRecordName } from "../../src/protocol/keeper/keeper-command.ts";
import { outerHost } from "../../src/protocol/keeper/outer-host.ts";
import { AgentRig, portOf } from "../support/agent-rig.ts";
import { noCages } from "../support/keeper-rig.ts";

const server = `
require("http").createServer((asked, answer) => answer.end(String(process.pid)))
  .listen(Number(process.env.PORT), "127.0.0.1");
`;
const template = `
template: shop
services:
  web: { command: node web.js, ports: [http], health: { http: /, interval: 500ms, timeout: 500ms }, restart: { delay: 10ms } }
`;

describe.skipIf(noCages)("keepers of a later release", () => {
  const rig = AgentRig.forAll({ "web.js": server });

  /** Has the keepers of agents say that they speak this protocol. */
  async function speak(protocol: number): Promise<void> {
    const folder = join(homePaths(rig.daemon.home).node, "keepers");
    for (const name of namesIn(folder)) {
      const file = join(folder, name, keeperRecordName);
      if ((readRecord(join(folder, name))?.agent ?? null) === null) continue;
      const record = JSON.parse(readFileSync(file, "utf8")) as object;
      // In its place: the record has to stay its keeper's own file.
      writeFileSync(file, JSON.stringify({ ...record, protocol }));
    }
  }

  test("[EN54] are named and left alone; when that release is back, their runs and services go on where they are", async () => {
    const agent = await rig.up(template);
    const port = portOf(agent, "web");
    const ask = async (): Promise<string> => (await fetch(`http://${outerHost}:${port}/`)).text();
    const first = await ask();
    const steps = [
      { run: "echo begun; sleep 2; echo ran >> ran.txt" },
      { write: { path: "after.txt", content: "after\n" } },
    ];
    const script = JSON.stringify({ task: "work", steps });
    const { run } = await rig.call("run.submit", { project: "shop", script });
    for await (const event of rig.client.events({ after: 0 })) if (event.type === "call.started") break;
    await rig.restartDaemon(() => speak(2));
    const why = /process \d+\) was started by a later release of Signalbox, .*Start that release again/;
    await expect(rig.exec(agent, "true")).rejects.toMatchObject({
      code: "keeper-other-release",
      message: expect.stringMatching(why) as string,
    });
    const told = async (): Promise<unknown> => (await rig.call("inbox", {})).items.find((item) => item.run === run);
    await expect.poll(told).toMatchObject({ kind: "warning", what: expect.stringMatching(why) as string });
    expect(await ask()).toBe(first);
    await rig.restartDaemon(() => speak(1));
    expect((await rig.client.waitForRun(run)).state).toBe("done");
    await expect.poll(() => [rig.sample.read("ran.txt"), rig.sample.read("after.txt")]).toEqual(["ran\n", "after\n"]);
    expect(await rig.exec(agent, "echo there")).toContain("there");
    expect((await rig.get(agent)).services).toMatchObject([{ state: "up", life: 1 }]);
    expect(await ask()).toBe(first);
  });
});
