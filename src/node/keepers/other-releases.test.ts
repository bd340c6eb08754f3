// Keepers that another release of Signalbox has started: real ones, from a copy of the program in which a line says something else.

import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { expectFault } from "../../../test/support/expect-fault.ts";
import { giveTo, KeeperRig, noCages, type Who, whos } from "../../../test/support/keeper-rig.ts";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import type { CommandEnd, HelloAnswer, OutputAnswer } from "../../protocol/keeper/keeper-wire.ts";
import type { KeeperLine } from "../workspace/keepers.ts";
import { KeeperPool } from "./keeper-pool.ts";
import { copyProgram } from "./keeper-program.ts";
import { PooledKeepers } from "./pooled-keepers.ts";

type Change = { readonly file: string; readonly from: string; readonly to: string };

/** An agent whose keeper was started from a changed program; `keepers` are those of a daemon that comes after. */
async function otherKeeper(who: Who, change: Change) {
  const shared = makeTempFolder();
  const source = join(import.meta.dirname, "../..");
  const { main } = await copyProgram({ source, execPath: process.execPath, withNode: false, shared });
  const path = join(dirname(main), "..", change.file);
  const text = readFileSync(path, "utf8");
  expect(text.split(change.from)).toHaveLength(2);
  writeFileSync(path, text.replace(change.from, change.to));
  giveTo(who, shared);
  const rig = await KeeperRig.start(who);
  const pool = new KeeperPool({ ...rig.poolOptions, main });
  const before = new PooledKeepers(pool);
  onTestFinished(() => new PooledKeepers(pool).end(rig.order.agent, 0));
  return { line: await before.open(rig.order), order: rig.order, keepers: new PooledKeepers(rig.pool), pool: rig.pool };
}

const begin = (line: KeeperLine, call: string, script: string): Promise<unknown> =>
  line.request({
    op: "start",
    call,
    argv: ["/bin/sh", "-c", script],
    cwd: null,
    env: {},
    timeoutMs: null,
    stdin: true,
  });

const type = (line: KeeperLine, call: string, text: string): Promise<unknown> =>
  line.request({ op: "input", call, base64: Buffer.from(text).toString("base64"), end: false, wait: true });

const hello = async (line: KeeperLine): Promise<HelloAnswer> =>
  (await line.request({ op: "hello", protocol: 1 })) as HelloAnswer;

async function said(line: KeeperLine, call: string, offset: number): Promise<string> {
  const answer = (await line.request({ op: "output", call, offset, limit: 1000, wait: true })) as OutputAnswer;
  return Buffer.from(answer.base64, "base64").toString();
}

const echo = 'while read line; do echo "$line"; [ "$line" = bye ] && exit 7; done';

describe.skipIf(noCages).each(whos)("keepers of other releases, as %s", (who) => {
  test("[EN54] what an earlier one keeps goes on, and of what it does not know it says so", async () => {
    const from = "  quota: {},\n";
    const { line, keepers, order } = await otherKeeper(who, { file: "keeper/parse-request.ts", from, to: "" });
    await begin(line, "c", echo);
    await type(line, "c", "before\n");
    expect(await said(line, "c", 0)).toBe("before\n");
    const { pid } = await hello(line);
    line.close();
    const next = await keepers.open(order);
    await expectFault(next.request({ op: "quota", diskBytes: 1 }), "bad-request", 'there is no request "quota"');
    await type(next, "c", "after\n");
    expect(await said(next, "c", "before\n".length)).toBe("after\n");
    await type(next, "c", "bye\n");
    expect((await next.request({ op: "wait", call: "c" })) as CommandEnd).toMatchObject({ exit: 7, why: "ended" });
    expect((await hello(next)).pid).toBe(pid);
  });

  test.each([
    { protocol: 2, age: "a later" },
    { protocol: 0, age: "an earlier" },
  ])(
    "[EN54] one that speaks protocol $protocol is left as it is, and what it keeps goes on",
    async ({ protocol, age }) => {
      const change = { from: "keeperProtocol = 1;", to: `keeperProtocol = ${protocol};` };
      const { line, keepers, order, pool } = await otherKeeper(who, {
        file: "protocol/keeper/keeper-wire.ts",
        ...change,
      });
      await begin(line, "c", echo);
      const { pid } = await hello(line);
      const why = `the keeper of ${order.agent} (process ${pid}) was started by ${age} release of Signalbox, and this one does not speak its protocol ${protocol}`;
      await expectFault(keepers.open(order), "keeper-other-release", why);
      await expectFault(keepers.open(order), "keeper-other-release", `end process ${pid}`);
      pool.tidy();
      expect(pool.find()).toMatchObject([{ agent: order.agent, alive: true, protocol }]);
      // The release that started it goes on with it.
      await type(line, "c", "still\n");
      expect(await said(line, "c", 0)).toBe("still\n");
      // Whoever removes its agent ends it all the same.
      await keepers.end(order.agent, 0);
      expect(pool.find()).toEqual([]);
    },
  );
});
