// What runs have changed, over real sockets: looked at, approved whole or in part, on its way to mainline, set aside.

import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { Fault } from "../../src/base/fault.ts";
import { limits } from "../../src/protocol/limits.ts";
import type { LiveOrder } from "../../src/node/tool-host/live-output.ts";
import { toSubmit } from "../support/engine-rig.ts";
import { askTool } from "../support/faces/ask-tool.ts";
import { FaceNode } from "../support/faces/face-node.ts";
import { type FaceWorld, inFaceWorld, openFaceWorld } from "../support/faces/face-world.ts";

const script = "task: change something\nsteps:\n  - say: hello\n";
const lines = Array.from({ length: 20 }, (_, at) => `line ${at}\n`);
const before = lines.join("");
const after = before.replace("line 2\n", "LINE 2\n").replace("line 15\n", "LINE 15\n");

type Stage = { readonly world: FaceWorld; readonly node: FaceNode; readonly run: string };

/** A run in review that changed `a.txt` in two places, added `new.txt` and removed `old.txt`. */
async function inReview(act: (stage: Stage) => Promise<void>): Promise<void> {
  await inFaceWorld(async (world) => {
    const node = new FaceNode(world);
    await world.http.call("project.add", { root: world.folder, name: "demo" });
    await world.http.call("policy.set", { name: "ask", rules: { approvalRequired: true } });
    await node.commit({ "a.txt": before, "old.txt": "old\n" });
    const { run } = await world.http.call("run.submit", { project: "demo", script });
    await node.start(run);
    await node.write(run, { "a.txt": after, "new.txt": "new\n", "old.txt": null });
    await node.finish(run);
    await act({ world, node, run });
    expect(world.defects).toEqual([]);
  });
}

async function textAt(world: FaceWorld, path: string): Promise<string | null> {
  const entry = (await world.mainline.entriesAt(await world.mainline.head(), [path])).get(path) ?? null;
  return entry === null ? null : new TextDecoder().decode(await world.mainline.readBlob(entry.split(":")[1] ?? ""));
}

describe("run.diff", () => {
  test("shows each path against its base, with hunks by number", () =>
    inReview(async ({ world, run }) => {
      const { changes, of, base, seen } = await world.http.call("run.diff", { run });
      expect([of, base, seen]).toEqual([
        "workspace",
        await world.mainline.head(),
        expect.stringMatching(/^[0-9a-f]{16}$/),
      ]);
      expect(changes).toMatchObject([
        {
          path: "a.txt",
          status: "changed",
          held: true,
          hunks: [
            { id: "1", from: 3 },
            { id: "2", from: 16 },
          ],
        },
        { path: "new.txt", status: "added", held: true, hunks: [{ id: "1", added: ["new\n"] }] },
        { path: "old.txt", status: "deleted", held: true, hunks: [{ id: "1", removed: ["old\n"] }] },
      ]);
      expect(changes[0]?.patch).toContain("-line 2\n+LINE 2\n");
    }));

  test("[LD19] does not show what others have landed since", () =>
    inReview(async ({ world, node, run }) => {
      await node.commit({ "theirs.txt": "theirs\n" });
      const { changes } = await world.http.call("run.diff", { run });
      expect(changes.map(({ path }) => path)).toEqual(["a.txt", "new.txt", "old.txt"]);
    }));

  test("shows one call alone, from what was there before it", () =>
    inReview(async ({ world, node, run }) => {
      await world.http.call("run.return", { run, message: "more" });
      await node.write(run, { "new.txt": "newer\n" });
      const { changes, of } = await world.lines.call("run.diff", { run, step: 3 });
      expect(of).toBe("step");
      expect(changes).toMatchObject([
        { path: "new.txt", status: "changed", hunks: [{ removed: ["new\n"], added: ["newer\n"] }] },
      ]);
      await expect(world.lines.call("run.diff", { run, step: 4 })).rejects.toMatchObject({ code: "not-found" });
    }));

  test("of a run that landed in parts it shows all of them", () =>
    inReview(async ({ world, node, run }) => {
      await world.http.call("run.approve", { run, hunks: { "a.txt": ["1"] } });
      await node.land(run);
      await world.http.call("run.approve", { run });
      await node.land(run);
      const { changes, of } = await world.http.call("run.diff", { run });
      expect(of).toBe("landed");
      expect(changes.map(({ path, hunks }) => [path, hunks.length])).toEqual([
        ["a.txt", 2],
        ["new.txt", 1],
        ["old.txt", 1],
      ]);
    }));

  test("of a run that was rejected it shows what was set aside", () =>
    inReview(async ({ world, run }) => {
      await world.http.call("run.reject", { run, message: "no" });
      await world.submit({ type: "run.stopped", run, works: [] });
      const { changes, of } = await world.http.call("run.diff", { run });
      expect([of, changes.length]).toEqual(["trash", 3]);
    }));

  test("names what is not text or too large, and lets neither be approved in part", () =>
    inReview(async ({ world, node, run }) => {
      await world.http.call("run.return", { run, message: "more" });
      const large = "x".repeat(limits.diffFileBytesMax + 1);
      await node.write(run, { "image.bin": Uint8Array.of(0, 255, 1), "large.txt": large });
      await node.finish(run);
      const { changes } = await world.http.call("run.diff", { run });
      const found = changes.filter(({ path }) => path === "image.bin" || path === "large.txt");
      expect(found).toMatchObject([
        { path: "image.bin", binary: true, tooLarge: false, hunks: [] },
        { path: "large.txt", binary: false, tooLarge: true, hunks: [], patch: "" },
      ]);
      for (const path of ["image.bin", "large.txt"]) {
        const part = world.http.call("run.approve", { run, hunks: { [path]: ["1"] } });
        await expect(part).rejects.toMatchObject({ code: "not-found", data: { kind: "hunk", id: `${path}:1` } });
      }
    }));
});

test("run.diff marks what others obey, says how large each side is, and has the other side of a conflict", () =>
  inReview(async ({ world, node, run }) => {
    await world.http.call("run.return", { run, message: "more" });
    await node.write(run, { ".npmrc": "registry=x\n" });
    await node.finish(run);
    const { seen } = await world.http.call("run.diff", { run });
    await node.commit({ "a.txt": before.replace("line 2\n", "line two\n") });
    await world.http.call("run.approve", { run, seen });
    await node.conflict(run, "a.txt");
    const { changes } = await world.http.call("run.diff", { run });
    expect(changes.map(({ path, guarded, bytes }) => [path, guarded, bytes])).toEqual([
      [".npmrc", true, { base: null, work: 11 }],
      ["a.txt", false, { base: before.length, work: after.length }],
      ["new.txt", false, { base: null, work: 4 }],
      ["old.txt", false, { base: 4, work: null }],
    ]);
    expect(changes.map(({ theirs }) => theirs?.patch.includes("-line 2\n+line two\n") ?? null)).toEqual([
      null,
      true,
      null,
      null,
    ]);
  }));

describe("run.output", () => {
  test("reads what a command said, from anywhere in it", () =>
    inReview(async ({ world, node, run }) => {
      await world.http.call("run.return", { run, message: "more" });
      const step = await node.command(run, "one\ntwo\n");
      const text = async (offset: number): Promise<string> => {
        const { base64, size } = await world.http.call("run.output", { run, step, offset });
        expect(size).toBe(8);
        return Buffer.from(base64, "base64").toString();
      };
      expect([await text(0), await text(4), await text(-4), await text(99)]).toEqual([
        "one\ntwo\n",
        "two\n",
        "two\n",
        "",
      ]);
    }));

  test("[RN50] says of what went that it was there and was kept long enough, and show says when", () =>
    inReview(async ({ world, node, run }) => {
      await world.http.call("run.return", { run, message: "more" });
      const step = await node.command(run, "one\n");
      await world.http.call("run.kill", { run });
      await world.submit({ type: "run.stopped", run, works: [] });
      expect((await world.http.call("run.get", { run })).run.outputsGone).toBeNull();
      await world.submit({ type: "outputs.forget", run, because: "age", files: 1, bytes: 4 });
      rmSync(join(world.outputs, run), { recursive: true });
      for (const face of [world.http, world.lines]) {
        await expect(face.call("run.output", { run, step })).rejects.toMatchObject({
          code: "output-gone",
          message: expect.stringContaining("it was kept long enough") as string,
        });
        await expect(face.call("run.artifact", { run, name: "output-7" })).rejects.toMatchObject({
          code: "output-gone",
        });
        await expect(face.call("run.artifact", { run, name: "notes.md" })).rejects.toMatchObject({ code: "not-found" });
        await expect(face.call("run.output", { run, step: 99 })).rejects.toMatchObject({ code: "not-found" });
      }
      const { outputsGone } = (await world.http.call("run.get", { run })).run;
      expect(outputsGone).toEqual({ atMs: expect.any(Number) as number, because: "age" });
    }));

  test("[RN38] of a command that is under way it answers what there is so far, and waits for more if asked", async () => {
    const orders: LiveOrder[] = [];
    const world = await openFaceWorld({
      live: async (order) => {
        orders.push(order);
        return order.offset === 0 ? { bytes: Buffer.from("so far"), offset: 0, size: 6 } : null;
      },
    });
    onTestFinished(() => world.close());
    const node = new FaceNode(world);
    const { project } = await world.http.call("project.add", { root: world.folder, name: "shop" });
    const outcome = await world.submit(toSubmit(project));
    const run = outcome.ok && outcome.value.of === "id" ? outcome.value.id : "";
    await node.start(run);
    const begun = { run, family: node.familyOf(run), call: 0, tool: "run", units: [], bytes: 0 } as const;
    await world.submit({ type: "call.begin", ...begun, other: null, print: "p" });
    const base64 = Buffer.from("so far").toString("base64");
    const wish = { run, step: 0, waitMs: 20 };
    expect(await world.http.call("run.output", wish)).toEqual({ base64, offset: 0, size: 6, live: true });
    expect(await world.lines.call("run.output", { ...wish, offset: 6 })).toMatchObject({ base64: "", live: true });
    expect(orders.map(({ call, offset }) => [call, offset])).toEqual([
      [0, 0],
      [0, 6],
    ]);
    await expect(world.http.call("run.output", { run, step: 1 })).rejects.toMatchObject({ code: "not-found" });
  });

  test.each([
    ["a call that ran no command", { step: 0 }, "not-found"],
    ["a call that never was", { step: 99 }, "not-found"],
    ["an acceptance command that was never tried", {}, "not-found"],
    ["a run that is none", { run: "r_zzz" }, "not-found"],
    ["half a byte", { offset: 0.5 }, "bad-input"],
    ["more than an answer may have", { limit: limits.outputBytesMax + 1 }, "bad-input"],
  ])("refuses %s", (_, more, code) =>
    inReview(async ({ world, run }) => {
      await expect(world.http.call("run.output", { run, ...more })).rejects.toMatchObject({ code });
      await expect(world.lines.call("run.output", { run, ...more })).rejects.toMatchObject({ code });
    }),
  );
});

test("run.list finds runs by what people know of them", () =>
  inReview(async ({ world, run }) => {
    const listed = async (filter: { find?: string; runner?: string }): Promise<string[]> =>
      (await world.http.call("run.list", filter)).runs.map(({ id }) => id);
    expect(await listed({ find: "CHANGE some" })).toEqual([run]);
    expect(await listed({ find: "new.txt" })).toEqual([run]);
    expect(await listed({ find: "nothing like it" })).toEqual([]);
    expect(await listed({ runner: "script" })).toEqual([run]);
    expect(await listed({ runner: "claude" })).toEqual([]);
    await expect(world.http.call("run.list", { find: "a\nb" })).rejects.toMatchObject({ code: "bad-input" });
  }));

describe("run.approve", () => {
  test("[LD23] of some files lands these; the rest stays in review with its leases", () =>
    inReview(async ({ world, node, run }) => {
      await world.http.call("run.approve", { run, files: ["new.txt"] });
      expect(await world.http.call("landing.list", {})).toMatchObject({
        landings: [{ run, paths: ["new.txt"], approvedBy: "person:test" }],
      });
      await node.land(run);
      const { run: left } = await world.http.call("run.get", { run });
      expect(left).toMatchObject({
        state: "review",
        changes: ["a.txt", "old.txt"],
        because: "not all of it was approved",
      });
      expect(left.holds.toSorted()).toEqual(["file:a.txt", "file:old.txt"]);
      expect([await textAt(world, "new.txt"), await textAt(world, "old.txt")]).toEqual(["new\n", "old\n"]);
    }));

  test("[LD23] of some hunks lands their base with these", () =>
    inReview(async ({ world, node, run }) => {
      await world.lines.call("run.approve", { run, hunks: { "a.txt": ["2"], "old.txt": ["1"] }, files: ["new.txt"] });
      await node.land(run);
      expect(await textAt(world, "a.txt")).toBe(before.replace("line 15\n", "LINE 15\n"));
      expect(await textAt(world, "old.txt")).toBeNull();
      const { changes } = await world.http.call("run.diff", { run });
      expect(changes).toMatchObject([{ path: "a.txt", hunks: [{ id: "1", removed: ["line 2\n"] }] }]);
    }));

  test.each([
    ["a file it did not change", { files: ["nowhere.txt"] }, "not-found"],
    ["a hunk that is not there", { hunks: { "a.txt": ["1", "3"] } }, "not-found"],
    ["a file named twice", { files: ["a.txt"], hunks: { "a.txt": ["1"] } }, "changed"],
    ["no file at all", { files: [] }, "bad-input"],
    ["no hunk at all", { hunks: { "a.txt": [] } }, "bad-input"],
    ["hunks of nothing", { hunks: {} }, "incomplete"],
    ["a name that run.diff never gives", { seen: "latest" }, "bad-input"],
    ["a field that is none", { hunk: "1" }, "bad-input"],
  ])("refuses %s, and nothing lands", (_, more, code) =>
    inReview(async ({ world, run }) => {
      const refused = { code };
      await expect(world.http.call("run.approve", { run, ...more })).rejects.toMatchObject(refused);
      await expect(world.lines.call("run.approve", { run, ...more })).rejects.toMatchObject(refused);
      expect((await world.http.call("run.get", { run })).run.state).toBe("review");
    }),
  );

  test("[LD22] refuses what is not what was looked at any more", () =>
    inReview(async ({ world, node, run }) => {
      const { seen } = await world.http.call("run.diff", { run });
      await world.http.call("run.return", { run, message: "more" });
      await node.write(run, { "new.txt": "something else\n" });
      await node.finish(run);
      for (const part of [{}, { files: ["new.txt"] }, { hunks: { "a.txt": ["1"] } }]) {
        const stale = world.http.call("run.approve", { run, seen, ...part });
        await expect(stale).rejects.toMatchObject({
          code: "changed",
          message: expect.stringContaining("Look again") as string,
        });
      }
      const again = await world.http.call("run.diff", { run });
      expect(again.seen).not.toBe(seen);
      await world.http.call("run.approve", { run, seen: again.seen });
      expect((await world.http.call("run.get", { run })).run.state).toBe("landing");
    }));

  test("is for runs in review, and says so whatever was named", () =>
    inReview(async ({ world, run }) => {
      await world.http.call("run.approve", { run });
      for (const part of [{}, { files: ["nowhere.txt"] }, { hunks: { "a.txt": ["9"] } }])
        await expect(world.http.call("run.approve", { run, ...part })).rejects.toMatchObject({ code: "wrong-state" });
      const nobody = world.http.call("run.approve", { run: "r_zzz", files: ["a.txt"] });
      await expect(nobody).rejects.toMatchObject({ code: "not-found", data: { kind: "run" } });
    }));
});

describe("landing.list", () => {
  test("has the next one first, and can be asked for one project", () =>
    inReview(async ({ world, node, run }) => {
      const { run: second } = await world.http.call("run.submit", { project: "demo", script });
      await node.start(second);
      await node.write(second, { "b.txt": "b\n" });
      await node.finish(second);
      await world.http.call("run.approve", { run: second });
      await world.http.call("run.approve", { run });
      const { landings } = await world.lines.call("landing.list", { project: "demo" });
      expect(landings.map((each) => each.run)).toEqual([second, run]);
      // As it was between the two.
      const { events } = await world.http.call("events.read", { run, types: ["run.approved"] });
      const at = (events[0]?.seq ?? 1) - 1;
      const then = await world.http.call("landing.list", { at });
      expect(then.landings.map((each) => each.run)).toEqual([second]);
      await expect(world.http.call("landing.list", { project: "nobody" })).rejects.toMatchObject({ code: "not-found" });
    }));
});

test("project.blame names the run that landed a line, and nobody for what was committed by hand", () =>
  inReview(async ({ world, node, run }) => {
    await world.http.call("run.approve", { run });
    await node.land(run);
    await node.commit({ "hand.txt": "by hand\n" });
    const ask = { project: "demo", path: "new.txt" };
    const blamed = await world.http.call("project.blame", ask);
    expect(blamed).toMatchObject({
      commit: await world.mainline.head(),
      lines: [{ line: 1, text: "new", run, title: "land" }],
    });
    expect(await world.lines.call("project.blame", ask)).toEqual(blamed);
    const byHand = await world.http.call("project.blame", { ...ask, path: "hand.txt" });
    expect(byHand.lines).toMatchObject([{ text: "by hand", run: null, author: "Eva" }]);
    await expect(world.http.call("project.blame", { ...ask, path: "old.txt" })).rejects.toMatchObject({
      code: "not-found",
    });
    await expect(world.http.call("project.blame", { project: "demo" } as never)).rejects.toMatchObject({
      code: "bad-input",
    });
  }));

test("project.history has each change of a file with its diff and its run, also of one that is gone", () =>
  inReview(async ({ world, node, run }) => {
    await world.http.call("run.approve", { run });
    await node.land(run);
    await node.commit({ "new.txt": "by hand\n" });
    const ask = { project: "demo", path: "new.txt" };
    const past = await world.http.call("project.history", ask);
    expect(past).toMatchObject({ commit: await world.mainline.head(), more: false });
    expect(past.changes).toMatchObject([
      { status: "changed", run: null, author: "Eva", hunks: [{ removed: ["new\n"], added: ["by hand\n"] }] },
      { status: "added", run, title: "land", tooLarge: false, binary: false },
    ]);
    expect(past.changes[0]?.patch).toContain("+by hand");
    expect(await world.lines.call("project.history", ask)).toEqual(past);
    const [newest, first] = past.changes;
    expect(await world.http.call("project.history", { ...ask, limit: 1 })).toMatchObject({
      changes: [newest],
      more: true,
    });
    expect(await world.http.call("project.history", { ...ask, limit: 1, skip: 1 })).toMatchObject({
      changes: [first],
      more: false,
    });
    // Past its beginning there is nothing, which is no mistake; of a file that never was there is nothing to ask for.
    expect((await world.http.call("project.history", { ...ask, skip: 2 })).changes).toEqual([]);
    const gone = await world.http.call("project.history", { ...ask, path: "old.txt" });
    expect(gone.changes[0]).toMatchObject({ status: "deleted", run });
    for (const [wrong, code] of [
      [{ ...ask, path: "nowhere.txt" }, "not-found"],
      [{ ...ask, project: "nobody" }, "not-found"],
      [{ ...ask, limit: 101 }, "bad-input"],
      [{ project: "demo" }, "bad-input"],
    ] as const)
      await expect(world.http.call("project.history", wrong as never)).rejects.toMatchObject({ code });
  }));

describe("the trash", () => {
  async function rejected({ world, run }: Stage): Promise<Record<string, string>> {
    await world.http.call("run.reject", { run, message: "no" });
    await world.submit({ type: "run.stopped", run, works: [] });
    const { items } = await world.http.call("trash.list", { project: "demo", run });
    return Object.fromEntries(items.map(({ path, id }) => [path, id]));
  }

  test("has everything that did not land, with its bytes, until somebody purges it", () =>
    inReview(async (stage) => {
      const { world } = stage;
      const ids = await rejected(stage);
      expect(Object.keys(ids).toSorted()).toEqual(["a.txt", "new.txt", "old.txt"]);
      const { item, base64 } = await world.http.call("trash.get", { id: ids["a.txt"] ?? "" });
      expect(item).toMatchObject({ path: "a.txt", projectName: "demo", run: stage.run });
      expect(Buffer.from(base64 ?? "", "base64").toString()).toBe(after);
      expect(await world.lines.call("trash.get", { id: ids["old.txt"] ?? "" })).toMatchObject({ base64: null });
      await world.http.call("trash.purge", { ids: [ids["a.txt"] ?? ""] });
      const gone = { code: "not-found", data: { kind: "trash", id: ids["a.txt"] } };
      await expect(world.http.call("trash.get", { id: ids["a.txt"] ?? "" })).rejects.toMatchObject(gone);
      // One unknown id, and nothing goes.
      await expect(world.http.call("trash.purge", { ids: Object.values(ids) })).rejects.toMatchObject(gone);
      expect((await world.http.call("trash.list", {})).items).toHaveLength(2);
    }));

  test("[LD44] what is purged goes with the next collection, also out of the record; the rest stays", () =>
    inReview(async (stage) => {
      const { world, run } = stage;
      const ids = await rejected(stage);
      expect(await world.http.call("gc", {})).toMatchObject({ collected: [{ name: "demo", objects: 0 }] });
      await world.http.call("trash.purge", { ids: [ids["a.txt"] ?? ""] });
      expect((await world.http.call("disk", {})).projects).toMatchObject([
        { name: "demo", trashItems: 2, trashBytes: 4 },
      ]);
      expect((await world.http.call("run.diff", { run, step: 0 })).changes).toHaveLength(1);
      const would = await world.lines.call("gc", { project: "demo", dryRun: true });
      expect(would).toMatchObject({ collected: [{ objects: 1, bytes: after.length }] });
      expect(await world.http.call("gc", {})).toEqual({ ...would, blobs: { objects: 0, bytes: 0 } });
      await expect(world.http.call("run.diff", { run, step: 0 })).rejects.toMatchObject({ code: "purged" });
      const { base64 } = await world.http.call("trash.get", { id: ids["new.txt"] ?? "" });
      expect(Buffer.from(base64 ?? "", "base64").toString()).toBe("new\n");
      await world.http.call("trash.purge", { ids: [ids["new.txt"] ?? ""] });
      await world.http.call("run.remove", { run });
      expect(await world.http.call("gc", {})).toMatchObject({ collected: [{ objects: 1 }] });
      await expect(world.http.call("gc", { project: "nobody" })).rejects.toMatchObject({ code: "not-found" });
    }));

  test.each([
    ["gc", { project: 1 }],
    ["gc", { dryRun: "no" }],
    ["disk", { project: "demo" }],
    ["trash.get", { id: "r_1" }],
    ["trash.get", { id: "x_1.x" }],
    ["trash.purge", { ids: [] }],
    ["trash.purge", { ids: ["../x"] }],
    ["trash.list", { run: "x_1" }],
    ["run.diff", { run: "r_1", step: -1 }],
    ["landing.list", { all: true }],
  ] as const)("%s %j is malformed", (name, input) =>
    inFaceWorld(async (world) => {
      for (const face of ["http", "lines"] as const)
        await expect(world[face].call(name, input as never)).rejects.toMatchObject({ code: "bad-input" });
    }),
  );
});

test("agents may look, and may neither approve nor purge", () =>
  inReview(async ({ world, run }) => {
    const tool = (name: string, given: object): Promise<string> => askTool(world, name, given);
    expect(await tool("run_diff", { run })).toContain("+LINE 15");
    expect(await tool("landing_list", {})).toContain("landings");
    expect(await tool("trash_list", {})).toContain("items");
    expect(await tool("disk", {})).toContain("freeBytes");
    for (const name of ["run_approve", "run_reject", "run_return", "trash_purge", "gc"])
      expect(await tool(name, { run, ids: ["x_1"] })).toMatch(/error/);
    expect((await world.http.call("run.get", { run })).run.state).toBe("review");
  }));

test("a folder whose history cannot be taken in is nobody's project afterwards", () => {
  const taken = new Set<string>();
  const projects = {
    take: (root: string) => Promise.resolve(void taken.add(root)),
    giveBack: (root: string) => Promise.resolve(void taken.delete(root)),
  };
  const fault = new Fault("not-a-repository", { retry: "never", message: "it is broken" });
  const mainlines = { adopt: () => Promise.reject(fault), of: () => Promise.reject(fault) };
  return inFaceWorld(
    async (world) => {
      await expect(world.http.call("project.add", { root: world.folder })).rejects.toMatchObject({
        code: "not-a-repository",
      });
      expect(taken.size).toBe(0);
      expect((await world.http.call("project.list", {})).projects).toEqual([]);
      expect(world.defects).toEqual([]);
    },
    { mainlines, projects },
  );
});
