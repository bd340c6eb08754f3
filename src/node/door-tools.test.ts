// Tools at the door, on real files and commands.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Door, DoorAnswer, Runner } from "../ports/runner.ts";
import { NodeRig } from "../../test/support/node-rig.ts";

type Body = (door: Door, rig: NodeRig) => Promise<void>;

/** A run whose runner does what the test says, and then finishes. */
async function drive(files: Readonly<Record<string, string>>, body: Body): Promise<{ rig: NodeRig; run: string }> {
  const opened = Promise.withResolvers<NodeRig>();
  const runner: Runner = {
    name: "test",
    drive: async (_job, door) => {
      await body(door, await opened.promise);
      await door.finish(true, "");
    },
  };
  const rig = await NodeRig.open({ runners: [runner] });
  opened.resolve(rig);
  const run = await rig.submit(await rig.project({}, { files }), "say: nothing", { runner: "test" });
  expect(await rig.ended(run)).toBe("done");
  return { rig, run };
}

function textOf(answer: DoorAnswer): string {
  return answer.ok ? answer.text : `${answer.code}: ${answer.message}`;
}

const sh = (line: string): { argv: string[] } => ({ argv: ["/bin/sh", "-c", line] });

describe("files", () => {
  test("[LD13, LD14, EN20, EN22] are read, found, changed, moved and deleted, each with its hash", async () => {
    const files = { "a.txt": "1\n2\n3\n", "d/x": "needle\n", "d/sub/y": "y\n", "gone.txt": "" };
    const { rig } = await drive(files, async (door) => {
      const part = await door.read("a.txt", { from: 2, count: 1 });
      expect(part).toMatchObject({ text: "2\n", note: expect.stringContaining("lines 2 to 2 of 3, hash ") as unknown });
      const hash = part.ok ? (/hash (\w+)/.exec(part.note ?? "")?.[1] ?? "") : "";
      expect(textOf(await door.list("", 1))).toBe("a.txt  6 bytes\nd/\ngone.txt  0 bytes");
      expect(textOf(await door.search({ text: "need", regex: false, under: "" }))).toBe("d/x:1: needle");
      expect(textOf(await door.change({ do: "write", path: "a.txt", content: "4\n", seen: "none" }))).toMatch(
        /^changed: .*hash is [0-9a-f]{12}/,
      );
      expect(await door.change({ do: "write", path: "a.txt", content: "4\n", seen: hash })).toMatchObject({ ok: true });
      expect(textOf(await door.change({ do: "move", path: "d", to: "e" }))).toMatch(
        /^moved d\/x to e\/x \(\w+\)\nmoved d\/sub\/y to e\/sub\/y \(\w+\)$/,
      );
      const patch = await door.patch([
        { do: "delete", path: "gone.txt" },
        { do: "edit", path: "a.txt", find: "5", replace: "6" },
      ]);
      expect(patch).toMatchObject({ ok: false, code: "no-match" });
      expect(await door.read("gone.txt")).toMatchObject({ ok: true });
      expect(await door.change({ do: "delete", path: "e/sub" })).toMatchObject({ ok: true });
      expect(await door.change({ do: "delete", path: ".git/config" })).toMatchObject({ code: "policy-denied" });
      expect(await door.change({ do: "move", path: "a.txt", to: "../out" })).toMatchObject({ code: "bad-unit" });
    });
    expect(await rig.files()).toEqual(["a.txt", "e/x", "gone.txt"]);
    expect(await rig.file("a.txt")).toBe("4\n");
    await rig.close();
  });

  test("[LD13] are replaced by a model only as it has seen them last, whoever has changed them since", async () => {
    const { rig } = await drive({ "a.txt": "1\n" }, async (door) => {
      const write = async (content: string): Promise<string> =>
        textOf(await door.change({ do: "write", path: "a.txt", content, careful: "seen" }));
      expect(await write("2\n")).toMatch(/^not-read: a.txt is there .* you have not read it; nothing was changed/);
      await door.read("a.txt");
      expect(await write("2\n")).toMatch(/^wrote a.txt/);
      expect(await write("3\n")).toMatch(/^wrote a.txt/);
      await door.run(sh("echo 4 >> a.txt"));
      expect(await write("5\n")).toMatch(/^changed: a.txt is not as you saw it/);
    });
    expect(await rig.file("a.txt")).toBe("3\n4\n");
    await rig.close();
  });

  test("[LD62] a link is no file: it is said to what it leads, and it is written by that name or deleted first", async () => {
    const { rig } = await drive({ "docs/real.md": "text\n" }, async (door) => {
      await door.run(sh("ln -s docs/real.md README.md; ln -s ../../out docs/out; ln -s docs d"));
      expect(await door.read("README.md")).toMatchObject({
        text: "README.md is a link to docs/real.md: that is docs/real.md in the project",
        note: expect.stringMatching(/^README.md, a link, hash /) as unknown,
      });
      expect(textOf(await door.read("docs/out"))).toBe(
        "docs/out is a link to ../../out: which is no name in the project",
      );
      const write = async (content: string): Promise<string> =>
        textOf(await door.change({ do: "write", path: "README.md", content, careful: "seen" }));
      expect(await write("x")).toBe(
        "is-link: README.md is a link to docs/real.md: that is docs/real.md in the project; nothing was changed",
      );
      const edit = { do: "edit", path: "README.md", find: "text", replace: "x" } as const;
      expect(await door.change(edit)).toMatchObject({ ok: false, code: "is-link" });
      expect(await door.change({ do: "delete", path: "README.md", careful: "seen" })).toMatchObject({ ok: true });
      expect(await write("mine\n")).toMatch(/^wrote README.md/);
      for (const path of ["docs/out", "d"]) await door.change({ do: "delete", path });
    });
    expect([await rig.file("README.md"), await rig.file("docs/real.md")]).toEqual(["mine\n", "text\n"]);
    await rig.close();
  });

  test("[LD14] both ends of a move are claimed at once; what a policy forbids of one file it forbids of its folder", async () => {
    const rules = { deniedPaths: ["**/secret"] };
    const policy = { name: "no-secret", priority: 0, enabled: true, scope: {}, rules };
    const { rig } = await drive({ "d/x": "x", "d/secret": "s" }, async (door, each) => {
      await each.ok({ type: "policy.set", policy });
      expect(await door.change({ do: "delete", path: "d" })).toMatchObject({ ok: false, code: "policy-denied" });
      expect(await door.change({ do: "move", path: "d/x", to: "e/x" })).toMatchObject({ ok: true });
    });
    const granted = rig.log.flatMap((event) => (event.type === "lease.granted" ? [event.units] : []));
    expect(granted).toContainEqual(["file:d/x", "file:e/x"]);
    expect(await rig.files()).toEqual(["d/secret", "e/x"]);
    await rig.close();
  });
});

describe("limits of a policy", () => {
  test("[SC22] hold what a run starts, and what is tried of it at its landing", async () => {
    const rig = await NodeRig.open();
    const rules = { maxOpenFiles: 64, maxProcesses: 100 };
    await rig.ok({ type: "policy.set", policy: { name: "small", priority: 0, enabled: true, scope: {}, rules } });
    const landingTest = ["/bin/sh", "-c", "test $(ulimit -n) = 64"];
    const project = await rig.project({}, { landingTest });
    const run = await rig.submit(project, 'run: "test $(ulimit -n) = 64"\nwrite: { path: a, content: a }');
    expect(await rig.ended(run)).toBe("done");
    expect(rig.log.find((event) => event.type === "run.landed")).toMatchObject({ tested: "passed" });
    await rig.close();
  });
});

describe("a policy at landing", () => {
  const policy = (rules: object) => ({ name: "strict", priority: 0, enabled: true, scope: {}, rules });

  test("[LD55] keeps out what a command changed beneath a folder that its run holds", async () => {
    const { rig, run } = await drive({ "d/x": "x", "d/secret": "s" }, async (door, each) => {
      await each.ok({ type: "policy.set", policy: policy({ deniedPaths: ["**/secret"] }) });
      await door.claim(["dir:d"]);
      await door.run(sh("echo y > d/x; echo t > d/secret"));
    });
    expect([await rig.file("d/x"), await rig.file("d/secret")]).toEqual(["y\n", "s"]);
    expect(await rig.trash(run)).toEqual({ "d/secret": "t\n" });
    await rig.close();
  });

  test.each([
    ["the name", { deniedPaths: ["**/*.bin"] }, /^policy strict does not let a.bin land \(deniedPaths\)/],
    [
      "the size",
      { maxFileBytes: 3 },
      /^policy strict does not let a.bin \(4 bytes of at most 3\) land \(maxFileBytes\)/,
    ],
    ["what is no text", { deniedBinary: true }, /^policy strict does not let a.bin \(no text\) land \(deniedBinary\)/],
    [
      "what is no text and nobody saw",
      { approvalRequired: true, autoApprove: ["**"], autoApproveBinary: false },
      /^a.bin is no text, so policy strict wants a person/,
    ],
    [
      "what is large and nobody saw",
      { approvalRequired: true, autoApprove: ["**"], autoApproveMaxBytes: 3 },
      /^a.bin has more than 3 bytes, so policy strict wants a person/,
    ],
  ])("[LD55, SC12] that was said after the work was done still judges %s", async (_, rules, because) => {
    const rig = await NodeRig.open();
    const project = await rig.project({}, { files: { keep: "" } });
    const run = await rig.submit(project, "run: \"printf 'a\\\\0b\\\\n' > a.bin\"\nask: go on?");
    await rig.untilState(run, "awaiting-input");
    await rig.ok({ type: "policy.set", policy: policy(rules) });
    await rig.ok({ type: "run.answer", run, text: "yes" });
    await rig.untilState(run, "review");
    expect(rig.run(run).because).toMatch(because);
    expect(await rig.files()).toEqual(["keep"]);
    await rig.terminate(run);
    await rig.ended(run);
    await rig.close();
  });
});

describe("commands", () => {
  test("[EN24] have a folder, a time-out, and output that is shortened for the reader and kept whole", async () => {
    const { rig, run } = await drive({ "sub/a": "" }, async (door) => {
      expect(await door.run({ ...sh("pwd; ls"), cwd: "sub" })).toMatchObject({
        text: expect.stringMatching(/sub\na\n$/) as unknown,
      });
      const late = await door.run({ ...sh("echo early; sleep 60"), timeoutMs: 300 });
      expect(late).toMatchObject({ ok: false, code: "timed-out", text: "early\n" });
      const long = textOf(await door.run(sh("seq 1 20000")));
      expect(long).toMatch(/^1\n2\n/);
      expect(long).toMatch(/\[… \d+ bytes left out; all of it: artifact output-2 …\]/);
      expect(long).toMatch(/\n20000\n$/);
      expect(long.length).toBeLessThan(14_000);
    });
    const kept = readFileSync(join(rig.ground.folder, "calls", run, "2/output"), "utf8");
    expect(kept.split("\n")).toHaveLength(20_001);
    await rig.close();
  });

  test("[EN24] keep what they said whole, far beyond what anybody reads at once", async () => {
    const { rig } = await drive({}, async (door) => {
      const answer = textOf(await door.run(sh("seq 1 1500000")));
      expect(answer).toContain(`[… ${10_888_896 - 12_288} bytes left out; all of it: artifact output-0 …]`);
      const end = await door.artifact("output-0", 10_888_888);
      expect(end).toMatchObject({ text: "1500000\n", note: expect.stringContaining(" of 10888896") as unknown });
    });
    await rig.close();
  });

  test("[EN30] go on in the background under a name, are read, written to and stopped; what they write is swept", async () => {
    const { rig } = await drive({ "a.txt": "a" }, async (door, each) => {
      const ready = each.pipe();
      expect(
        textOf(
          await door.start("echo", sh(`while read line; do echo "$line" | tee -a log; echo > ${ready.path}; done`)),
        ),
      ).toBe("started echo");
      expect(await door.start("echo", sh("true"))).toMatchObject({ ok: false, code: "already-there" });
      expect(await door.input("echo", "hello\n", false)).toMatchObject({ ok: true });
      await ready.heard();
      // What it has said is on its way to its keeper for a moment.
      await expect
        .poll(() => door.output("echo", 2))
        .toMatchObject({
          text: "llo\n",
          note: expect.stringMatching(/^still running; bytes 2 to 6 of 6/) as unknown,
        });
      expect(await door.output("nobody", 0)).toMatchObject({ ok: false, code: "no-command" });
      expect(textOf(await door.stop("echo"))).toBe("echo was stopped");
      expect(await door.input("echo", "late\n", false)).toMatchObject({ ok: false, code: "not-running" });
      expect(await door.publish("log.txt", "log")).toMatchObject({ ok: true });
      await door.start("writer", sh(`echo w > written; echo > ${ready.path}; sleep 60`));
      await ready.heard();
    });
    expect(await rig.files()).toEqual(["a.txt", "log", "written"]);
    expect(await rig.file("log")).toBe("hello\n");
    await rig.close();
  });
});
