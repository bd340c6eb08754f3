import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { expectFault } from "../../test/support/expect-fault.ts";
import { KeeperRig, noCages, whos } from "../../test/support/keeper-rig.ts";
import { startStranger } from "../../test/support/processes.ts";
import { KeeperPool, waitUntilGone } from "../node/keepers/keeper-pool.ts";
import { environmentOf, listProcesses } from "../node/supervisor/process-identity.ts";
import type { PlaceChange } from "../protocol/keeper/keeper-wire.ts";

const child = join(import.meta.dirname, "../../test/support/keeper-child.ts");

const entry = (text: string): string =>
  `100644:${createHash("sha1").update(`blob ${text.length}\0${text}`).digest("hex")}`;

/** Processes of the machine that carry this in their environment. */
function marked(entryText: string): number {
  return listProcesses().filter(({ pid }) => environmentOf(pid).includes(entryText)).length;
}

describe.skipIf(noCages).each(whos)("losses, as %s", (who) => {
  test("a daemon killed at any moment changes nothing about what was asked for", async () => {
    const rig = await KeeperRig.open(who);
    for (let round = 0; round < 8; round++) {
      const call = `round-${round}`;
      const script = `echo begun; echo ${round} >> runs; sleep 0.1; echo done ${round}`;
      const daemon = spawn(process.execPath, [child, rig.client.folder, call, script], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      // While it asks, when it was answered, and when the command is under way.
      const lines = createInterface({ input: daemon.stdout })[Symbol.asyncIterator]();
      await lines.next();
      if (round % 3 > 0) await lines.next();
      if (round % 3 > 1) await rig.heard(call, "begun");
      daemon.kill("SIGKILL");
      await once(daemon, "exit");
      // The next daemon asks again, and gets what the first would have got.
      await rig.client.start({ call, argv: ["/bin/sh", "-c", script], cwd: null, env: {}, timeoutMs: null });
      expect(await rig.client.wait(call)).toMatchObject({ exit: 0, tail: `begun\ndone ${round}\n` });
    }
    expect(await rig.said("sort -n runs")).toBe([0, 1, 2, 3, 4, 5, 6, 7].join("\n"));
  });

  test("a keeper killed takes its processes along, and how they ended is unknown", async () => {
    const rig = await KeeperRig.open(who);
    await rig.run("echo kept > kept");
    const mark = `LOST=${rig.base}`;
    const argv = ["/bin/sh", "-c", "(setsid sleep 7021 &); sleep 7022 & echo said; wait"];
    await rig.client.start({ call: "lost", argv, cwd: null, env: { LOST: rig.base }, timeoutMs: null });
    await rig.heard("lost", "said");
    // Both of what it left begin beside what it says.
    await expect.poll(() => marked(mark)).toBeGreaterThanOrEqual(3);
    const waiting = rig.client.wait("lost");
    const refused = expectFault(waiting, "keeper-unavailable");
    await rig.killKeeper();
    await refused;
    await expect.poll(() => marked(mark), { timeout: 5000 }).toBe(0);
    await rig.replace();
    expect(await rig.client.open(rig.order)).toMatchObject({ lost: ["lost"] });
    expect(await rig.client.wait("lost")).toMatchObject({ exit: "unknown", why: "lost", tail: "said\n" });
    // It is not run again.
    expect(await rig.client.start({ call: "lost", argv, cwd: null, env: {}, timeoutMs: null })).toEqual({
      found: true,
    });
    expect(await rig.client.wait("call-1")).toMatchObject({ exit: 0, why: "ended" });
    expect(await rig.said("cat kept")).toBe("kept");
  });

  test("a place is whole or did not happen, whenever the keeper is killed", async () => {
    const rig = await KeeperRig.open(who);
    const names = Array.from({ length: 120 }, (_, index) => `dir-${index % 7}/file-${index}`);
    let before = "";
    const outcomes = new Set<string>();
    // Until one was cut off half way, and a few more.
    for (let round = 0; round < 8 || (round < 80 && !outcomes.has("redone")); round++) {
      const text = `text of round ${round}\n`;
      const changes: PlaceChange[] = names.map((path, index) =>
        // Some come and go, so that files are also taken away.
        index % 5 === round % 5 && round > 0
          ? { path, to: null }
          : { path, to: entry(text), bytes: { base64: Buffer.from(text).toString("base64") } },
      );
      const placed = rig.client.place(`tag-${round}`, changes).then(
        () => true,
        () => false,
      );
      // Somewhere else each time: so many other questions are answered meanwhile.
      for (let at = 0; at <= round % 12; at++) await Promise.race([rig.client.hello(), placed]);
      await rig.killKeeper();
      const wasAnswered = await placed;
      await rig.replace();
      const { redone } = await rig.client.open(rig.order);
      const here = await rig.said("cat dir-*/* 2>/dev/null | sort -u");
      const count = Number(await rig.said("ls dir-*/* 2>/dev/null | wc -l"));
      const isNew = here === text.trimEnd();
      expect(isNew || here === before, `${here} is one state`).toBe(true);
      const wanted = changes.filter(({ to }) => to !== null).length;
      expect(!isNew || count === wanted, `${count} of ${wanted} files`).toBe(true);
      expect(isNew || !wasAnswered, "what was answered has happened").toBe(true);
      expect(await rig.said("ls -A .signalbox-stage .git/signalbox-stage 2>/dev/null | wc -l")).toBe("0");
      // Asked again under the same name it is there, and only once.
      const answer = await rig.client.place(`tag-${round}`, changes);
      expect(await rig.client.place(`tag-${round}`, changes)).toEqual(answer);
      expect(await rig.said("cat dir-*/* | sort -u")).toBe(text.trimEnd());
      before = text.trimEnd();
      outcomes.add(redone.length > 0 ? "redone" : isNew ? "done" : "undone");
    }
    expect([...outcomes]).toContain("redone");
  });

  test("without a cage, what a killed keeper left running is ended by the next one", async () => {
    const rig = await KeeperRig.open(who, { order: { caged: false }, clone: true });
    const decoy = await startStranger(["sleep", "7031"]);
    const mark = `FREE=${rig.base}`;
    await rig.client.start({
      ...{ call: "free", argv: ["/bin/sh", "-c", "(sleep 7031 &); sleep 7031 & echo there; wait"], cwd: null },
      ...{ env: { FREE: rig.base }, timeoutMs: null },
    });
    await rig.heard("free", "there");
    // Whoever is just becoming another program has no environment for a moment.
    await expect.poll(() => marked(mark)).toBeGreaterThanOrEqual(3);
    await rig.killKeeper();
    await rig.replace();
    expect(await rig.client.open(rig.order)).toMatchObject({ lost: ["free"] });
    expect(marked(mark)).toBe(0);
    expect(decoy.exitCode).toBeNull();
  });

  test("a keeper that nobody opened goes with its daemon; one that has an agent stays", async () => {
    const rig = await KeeperRig.open(who);
    const program = join(import.meta.dirname, "../../test/support/pool-child.ts");
    const daemon = spawn(process.execPath, [program, rig.path("others"), who], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [said] = (await once(daemon.stdout, "data")) as [Buffer];
    const folder = said.toString().trim();
    expect(existsSync(join(folder, "keeper.sock"))).toBe(true);
    expect(await waitUntilGone(folder, 100)).toBe(false);
    daemon.kill("SIGKILL");
    expect(await waitUntilGone(folder, 10_000)).toBe(true);
    expect(await rig.said("echo here")).toBe("here");
    const others = new KeeperPool({ ...rig.poolOptions, folder: rig.path("others") });
    others.discard(folder);
    expect(others.find()).toEqual([]);
    await others.sweep();
  });
});
