// The promises of docs/spec/engine.md about files and commands, as the keeper keeps them.

import { createHash } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { expectFault } from "../../test/support/expect-fault.ts";
import { KeeperRig, noCages, whos } from "../../test/support/keeper-rig.ts";
import { startStranger } from "../../test/support/processes.ts";
import type { PlaceChange } from "../protocol/keeper/keeper-wire.ts";

const blob = (text: string): string =>
  createHash("sha1")
    .update(`blob ${Buffer.byteLength(text)}\0${text}`)
    .digest("hex");

function toChange(path: string, text: string, mode = "100644"): PlaceChange {
  return { path, to: `${mode}:${blob(text)}`, bytes: { base64: Buffer.from(text).toString("base64") } };
}

describe.skipIf(noCages).each(whos)("files, as %s", (who) => {
  test("[EN20] a file is replaced whole, by a rename: whoever has the old one open keeps it", async () => {
    const rig = await KeeperRig.open(who, { files: { a: "old\n" } });
    const said = await rig.begin(
      "exec 3< a; echo open > is-open; until [ -e go ]; do sleep 0.01; done; cat <&3; cat a",
    );
    await expect.poll(async () => (await rig.client.read("is-open")).entry).not.toBe(null);
    await rig.client.place("t", [toChange("a", "new\n", "100755"), toChange("go", "")]);
    expect(await rig.client.wait(said)).toMatchObject({ exit: 0, tail: "old\nnew\n" });
    expect((await rig.client.read("a")).entry).toMatch(/^100755:/);
  });

  test("[EN21] links on the way and at the end are not followed, and a second name of a file outside stays as it is", async () => {
    const rig = await KeeperRig.start(who, { clone: true, order: { caged: false } });
    const outside = rig.path("outside");
    mkdirSync(outside, { mode: 0o777 });
    writeFileSync(join(outside, "secret"), "secret", { mode: 0o666 });
    await rig.client.open(rig.order);
    const root = rig.path("clone");
    symlinkSync(outside, join(root, "way"));
    symlinkSync(join(outside, "secret"), join(root, "end"));
    linkSync(join(outside, "secret"), join(root, "second"));
    expect(await rig.client.read("way/secret")).toMatchObject({ entry: null, bytes: null });
    await expectFault(rig.client.place("t1", [toChange("way/new", "x")]), "in-the-way");
    // The link itself is what stands there: its target is its content, and it is what gets replaced.
    expect((await rig.client.read("end")).entry).toMatch(/^120000:/);
    await rig.client.place("t2", [toChange("end", "mine"), toChange("second", "mine")]);
    expect(readFileSync(join(outside, "secret"), "utf8")).toBe("secret");
    expect(readFileSync(join(root, "second"), "utf8")).toBe("mine");
    for (const path of ["../outside/secret", "/etc/passwd", "a/../../outside/secret", "a//b", ""])
      await expectFault(rig.client.read(path), "bad-request");
  });
});

describe.skipIf(noCages).each(whos)("commands, as %s", (who) => {
  test("[EN24] the status is the one that the command had, and no command is a word of the shell", async () => {
    const rig = await KeeperRig.open(who);
    const ends = async (...argv: string[]): Promise<unknown> => {
      const call = `c${argv.join("").replaceAll(/\W/g, "_")}`;
      await rig.client.start({ call, argv, cwd: null, env: {}, timeoutMs: 30_000 });
      return (await rig.client.wait(call)).exit;
    };
    expect(await ends("/bin/sh", "-c", "exit 3")).toBe(3);
    expect(await ends("true")).toBe(0);
    expect(await ends("/bin/sh", "-c", "kill -KILL $$")).toBe(137);
    expect(await ends("/bin/sh", "-c", "kill -TERM $$")).toBe(143);
    for (const word of [["exit", "0"], ["eval", "true"], ["if"], [":"], ["no-such-program"]])
      expect([word, await ends(...word)]).toEqual([word, 127]);
    const odd = ["-n", "two words", "", 'it\'s "so"', "$HOME `id` *", "a\nb", "\\n\\0", "ünï 🚂", ";false"];
    const argv = ["/usr/bin/printf", "<%s>", ...odd];
    await rig.client.start({ call: "odd", argv, cwd: null, env: {}, timeoutMs: 30_000 });
    expect((await rig.client.wait("odd")).tail).toBe(odd.map((each) => `<${each}>`).join(""));
  });

  test("[EN24] of very much output the beginning and the end are kept, and how much is left out", async () => {
    const rig = await KeeperRig.open(who, { order: { landBytesMax: 64 * 1024 * 1024 } });
    const end = await rig.run("echo begin; head -c 100000000 /dev/zero | tr '\\0' x; echo; echo end");
    expect(end).toMatchObject({
      exit: 0,
      outputBytes: 100_000_011,
      tail: expect.stringMatching(/x\nend\n$/) as string,
    });
    expect(end.leftOutBytes).toBeGreaterThan(20_000_000);
    const first = await rig.client.output("call-1", { offset: 0, limit: 6 });
    expect(Buffer.from(first.base64, "base64").toString()).toBe("begin\n");
    // From the middle one gets what comes after it.
    const { offset, totalBytes } = await rig.client.output("call-1", { offset: 70_000_000, limit: 6 });
    expect({ isLater: offset > 70_000_000, totalBytes }).toEqual({ isLater: true, totalBytes: 100_000_011 });
  });

  test("[EN25] a call is its name: the same one again is the same command, for whoever asks and whenever", async () => {
    const rig = await KeeperRig.open(who);
    const order = { call: "once", argv: ["/bin/sh", "-c", "echo started >> count; exit 4"], cwd: null, env: {} };
    const started = await Promise.all([1, 2, 3].map(() => rig.client.start({ ...order, timeoutMs: null })));
    expect(started.filter(({ found }) => !found)).toHaveLength(1);
    expect(await rig.client.wait("once")).toMatchObject({ exit: 4 });
    expect(await rig.client.start({ ...order, argv: ["true"], timeoutMs: null })).toEqual({ found: true });
    await rig.killKeeper();
    await rig.replace();
    await rig.client.open(rig.order);
    expect(await rig.client.start({ ...order, timeoutMs: null })).toEqual({ found: true });
    expect(await rig.client.wait("once")).toMatchObject({ exit: 4 });
    expect(await rig.said("cat count")).toBe("started");
    await expectFault(rig.client.wait("never"), "unknown-call");
  });

  test("[EN26, EN28] ending asks first, gives time, then kills, whatever it has become; a stranger of the same name lives", async () => {
    const rig = await KeeperRig.open(who);
    const stranger = await startStranger(["sleep", "8123"]);
    const polite = await rig.begin(
      "trap 'echo tidy > tidied; exit 3' TERM; echo > p; while :; do sleep 8123 & wait $!; done",
    );
    const deaf = await rig.begin("trap '' TERM; (setsid sleep 8123 &); echo > d; while :; do sleep 8123; done");
    for (const path of ["p", "d"]) await expect.poll(async () => (await rig.client.read(path)).entry).not.toBe(null);
    await Promise.all([rig.client.stop(polite, 2000), rig.client.stop(deaf, 300)]);
    expect(await rig.client.wait(polite)).toMatchObject({ exit: 3, why: "stopped" });
    expect(await rig.client.wait(deaf)).toMatchObject({ exit: 137, why: "stopped" });
    expect(await rig.said("cat tidied; ps -e -o args= | grep -c '[s]leep 8123'")).toBe("tidy\n0");
    expect(stranger.exitCode ?? stranger.signalCode).toBe(null);
    const forced = await rig.begin("trap 'echo > late' TERM; echo > f; while :; do sleep 8123 & wait $!; done");
    await expect.poll(async () => (await rig.client.read("f")).entry).not.toBe(null);
    await rig.client.stop(forced, 0);
    expect((await rig.client.read("late")).entry).toBe(null);
  });
});
