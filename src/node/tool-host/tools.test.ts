import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Fault } from "../../base/fault.ts";
import { FenceGuard, type GuardAnswer } from "../../core/lease/fence-guard.ts";
import { blobOf } from "../../core/landing/entry.ts";
import { parseUnit, type Unit } from "../../core/lease/unit.ts";
import type { Mainline } from "../../ports/mainline.ts";
import type { MemoryKeeper } from "../../../test/support/memory-keeper.ts";
import { MemoryWorkspace, type Files } from "../../../test/support/memory-workspace.ts";
import type { ActResult } from "./act-result.ts";
import type { FencedAct } from "./call-ground.ts";
import { Tools } from "./tools.ts";

const never = new AbortController().signal;
const rule = { foldCase: false, ownProcesses: new Set<string>() };

type Kit = {
  readonly tools: Tools;
  readonly keeper: MemoryKeeper;
  readonly guard: FenceGuard;
  readonly mainline: Mainline;
};

async function kit(files: Files = {}, check?: (act: FencedAct) => GuardAnswer): Promise<Kit> {
  const { workspace, keeper, folder, mainline } = await MemoryWorkspace.with(files);
  const guard = new FenceGuard();
  const byGuard = ({ family, fence, unit }: FencedAct): GuardAnswer =>
    guard.check({ family, fence, unit: unitOf(unit) });
  keeper.programs.set("test", () => {
    keeper.write("tested", "tested");
    return 0;
  });
  const tools = new Tools({
    run: "r_1",
    workspace,
    callsFolder: join(folder, "calls/r_1"),
    check: check ?? byGuard,
    isDerived: () => false,
    isDriven: true,
    known: () => new Map(),
    oversized: () => [],
    conflicts: () => new Map(),
    trashed: () => false,
    processes: () => ({ test: { argv: ["test"] } }),
    env: {},
    services: () => ({}),
    inStep: () => Promise.resolve(),
  });
  return { tools, keeper, guard, mainline };
}

function unitOf(text: string): Unit {
  const unit = parseUnit(text, rule, "");
  if (!unit.ok) throw new Error(text);
  return unit.value;
}

const act = (unit: string, fence = 5, call = 0): FencedAct => ({ call, family: "r_1.1", fence, unit });

function write(tools: Tools, on: FencedAct, content: string): Promise<ActResult> {
  return tools.files.change(on.call, [on], [{ do: "write", path: on.unit.slice("file:".length), content }]);
}

function edit(tools: Tools, on: FencedAct, find: string, replace: string): Promise<ActResult> {
  return tools.files.change(on.call, [on], [{ do: "edit", path: on.unit.slice("file:".length), find, replace }]);
}

describe("a fence", () => {
  test("[EN19] that a newer grant to somebody else has overtaken writes nothing and starts nothing", async () => {
    const { tools, keeper, guard } = await kit();
    guard.granted({ unit: unitOf("file:a"), family: "r_1.1", fence: 5 });
    expect((await write(tools, act("file:a"), "mine")).answer).toMatchObject({ ok: true });
    guard.granted({ unit: unitOf("dir:"), family: "r_2.1", fence: 9 });
    guard.granted({ unit: unitOf("process:test"), family: "r_2.1", fence: 10 });
    const no = { ok: false, code: "stale-fence" };
    expect((await write(tools, act("file:a", 5, 1), "stale")).answer).toMatchObject(no);
    expect((await edit(tools, act("file:a", 5, 2), "mine", "stale")).answer).toMatchObject(no);
    expect((await tools.commands.process(act("process:test", 5, 3), "test", never)).answer).toMatchObject(no);
    expect(keeper.text("a")).toBe("mine");
    expect(keeper.text("tested")).toBeUndefined();
  });

  test("[EN19] of a holder that is over allows nothing", async () => {
    const { tools, keeper, guard } = await kit();
    guard.ended("r_1.1");
    expect((await write(tools, act("file:a"), "late")).answer).toMatchObject({ ok: false, code: "expired" });
    expect(keeper.text("a")).toBeUndefined();
  });

  test.each(["write", "edit"] as const)("[EN19] is looked at in the same breath as the act: %s", async (tool) => {
    const { tools, keeper, guard } = await kit({ a: "old" });
    guard.granted({ unit: unitOf("file:a"), family: "r_1.1", fence: 5 });
    // Somebody else gets it while the file is read.
    keeper.before = ({ op }) => {
      if (op === "read") guard.granted({ unit: unitOf("file:a"), family: "r_2.1", fence: 9 });
    };
    const stale = tool === "write" ? write(tools, act("file:a"), "new") : edit(tools, act("file:a"), "old", "new");
    expect((await stale).answer).toMatchObject({
      ok: false,
      code: "stale-fence",
      message: "file:a is not yours any more",
    });
    expect(keeper.text("a")).toBe("old");
    expect(keeper.asked).toEqual(["read", "placed"]);
  });

  test("[EN19] stops a process that was about to start, and the same call may start it later", async () => {
    const answers: GuardAnswer[] = ["stale-fence", "ok"];
    const { tools, keeper } = await kit({}, () => answers.shift() ?? "stale-fence");
    expect((await tools.commands.process(act("process:test"), "test", never)).answer).toMatchObject({
      code: "stale-fence",
    });
    expect(keeper.text("tested")).toBeUndefined();
    expect((await tools.commands.process(act("process:test"), "test", never)).answer).toMatchObject({
      ok: true,
      exit: 0,
    });
    expect(keeper.text("tested")).toBe("tested");
  });
});

describe("a command that breaks off", () => {
  const lost = new Fault("keeper-unavailable", { retry: "later", message: "the keeper was lost" });
  const still = new Fault("still-running", { retry: "later", message: "some of it does not go" });

  async function broken(endsWith: Fault | undefined): Promise<Kit & { readonly result: ActResult }> {
    const made = await kit({}, () => "ok");
    made.keeper.before = ({ op }) => {
      if (op === "wait") throw lost;
      if (op === "stop" && endsWith !== undefined) throw endsWith;
    };
    const result = await made.tools.surely({ call: 7, tool: "process", signal: never }, () =>
      made.tools.commands.process(act("process:test", 5, 7), "test", never),
    );
    return { ...made, result };
  }

  test("[EN51] is said to be ended only where that is proven", async () => {
    const ended = await broken(undefined);
    expect(ended.result.answer).toMatchObject({
      message: expect.stringContaining("was ended: the keeper was") as unknown,
    });
    expect(ended.result.report.unended).toBeUndefined();
    expect(await ended.tools.commands.hasBackground()).toBe(false);
    const never = await broken(new Fault("unknown-call", { retry: "never", message: "it never started" }));
    expect(never.result.report.unended).toBeUndefined();
    const left = await broken(still);
    expect(left.result.answer).toMatchObject({
      ...{ ok: false, code: "exit-unknown" },
      message: expect.stringContaining(
        'may still run, as "call-7" in the background; stop that: the keeper',
      ) as unknown,
    });
    expect(left.result.report).toMatchObject({ ok: false, exit: "unknown", unended: true });
    expect(await left.tools.commands.hasBackground()).toBe(true);
  });

  test("[EN51] and may still run keeps its process from starting again, and a result from being judged, until it has ended", async () => {
    const { tools, keeper } = await broken(still);
    keeper.asked.splice(0);
    await expect(tools.commands.process(act("process:test", 5, 8), "test", never)).rejects.toThrow(still);
    await expect(tools.commands.stopAll()).rejects.toThrow(still);
    expect(keeper.asked).not.toContain("start");
    keeper.before = () => undefined;
    expect((await tools.commands.stop("call-7")).answer).toMatchObject({ ok: true });
    expect(await tools.commands.hasBackground()).toBe(false);
    expect((await tools.commands.process(act("process:test", 5, 9), "test", never)).answer).toMatchObject({ exit: 0 });
  });
});

describe("a write", () => {
  const ok = (): GuardAnswer => "ok";
  const careful = (tools: Tools, call: number, content: string): Promise<ActResult> =>
    tools.files.change(call, [act("file:a", 5, call)], [{ do: "write", path: "a", content, careful: "seen" }]);

  test("[EN47] of what is new, or was seen, asks its keeper once", async () => {
    const { tools, keeper } = await kit({ b: "old" }, ok);
    await write(tools, act("file:a"), "one");
    await write(tools, act("file:a", 5, 1), "two");
    expect([keeper.asked.splice(0), keeper.text("a")]).toEqual([["place", "place"], "two"]);
    // What the project has there and nobody has looked at is looked at first.
    await write(tools, act("file:b", 5, 2), "new");
    expect([keeper.asked, keeper.text("b")]).toEqual([["read", "place"], "new"]);
  });

  test("[EN47] looks where something else stands: it is replaced as it is, by whoever means whatever is there", async () => {
    const { tools, keeper } = await kit({}, ok);
    await write(tools, act("file:a"), "one");
    keeper.write("a", "from elsewhere", "100755");
    keeper.asked.splice(0);
    expect((await write(tools, act("file:a", 5, 1), "two")).answer).toMatchObject({ ok: true });
    expect(keeper.asked).toEqual(["place", "read", "place"]);
    expect([keeper.text("a"), keeper.entries.get("a")?.slice(0, 6)]).toEqual(["two", "100755"]);
  });

  test("[EN47, LD13] changes nothing where its writer has not seen what stands there", async () => {
    const { tools, keeper } = await kit({}, ok);
    expect((await careful(tools, 0, "one")).answer).toMatchObject({ ok: true });
    keeper.write("a", "from elsewhere");
    expect((await careful(tools, 1, "two")).answer).toMatchObject({ ok: false, code: "changed" });
    const fresh = await kit({}, ok);
    fresh.keeper.write("a", "from elsewhere");
    expect((await careful(fresh.tools, 0, "two")).answer).toMatchObject({ ok: false, code: "not-read" });
    expect([keeper.text("a"), fresh.keeper.text("a")]).toEqual(["from elsewhere", "from elsewhere"]);
  });

  test("[EN47, LD57] of what has become too large is refused, whether it is new or was seen", async () => {
    const { tools, keeper } = await kit({}, ok);
    await write(tools, act("file:a"), "one");
    for (const [call, path] of ["a", "new"].entries()) {
      keeper.oversized.set(path, 2 ** 40);
      const refused = await write(tools, act(`file:${path}`, 5, call + 1), "two");
      expect(refused.answer).toMatchObject({ ok: false, code: "too-large" });
    }
    expect([...keeper.oversized.keys()]).toEqual(["a", "new"]);
    expect([keeper.text("a"), keeper.text("new")]).toEqual(["one", undefined]);
  });

  test("[EN47, EN22] that was done before a crash is not done again, also by one who has lost the lease since", async () => {
    const answers: GuardAnswer[] = ["ok", "ok"];
    const { tools, keeper } = await kit({}, () => answers.shift() ?? "stale-fence");
    await write(tools, act("file:a"), "mine");
    keeper.write("a", "somebody else's");
    expect((await write(tools, act("file:a"), "mine")).answer).toMatchObject({ ok: true });
    expect(keeper.text("a")).toBe("somebody else's");
  });
});

describe("an edit", () => {
  const ok = (): GuardAnswer => "ok";

  test("[EN22] replaces what occurs exactly once", async () => {
    const { tools, keeper } = await kit({ a: "one two two" }, ok);
    expect(await edit(tools, act("file:a"), "one", "three")).toMatchObject({
      answer: { ok: true },
      report: { ok: true, changed: [{ path: "a", bytes: 13 }], works: [{ path: "a" }] },
    });
    expect(keeper.text("a")).toBe("three two two");
    for (const [call, find, why] of [
      [1, "two", "more than once"],
      [2, "four", "does not occur"],
    ] as const) {
      const { answer } = await edit(tools, act("file:a", 5, call), find, "x");
      expect(answer).toMatchObject({ ok: false, code: "no-match" });
      expect(answer.ok ? "" : answer.message).toContain(why);
    }
  });

  test("[EN22] whose text overlaps with itself does not occur once", async () => {
    const { tools, keeper } = await kit({ a: "aaa" }, ok);
    expect((await edit(tools, act("file:a"), "aa", "b")).answer).toMatchObject({ ok: false, code: "no-match" });
    expect(keeper.text("a")).toBe("aaa");
  });

  test("[EN20, EN22] leaves every other byte and the mode as they are, also where there is no text", async () => {
    const { tools, keeper } = await kit({}, ok);
    const bytes = Buffer.from([0, 255, 254, 0x66, 0x6f, 0x6f, 0xc3, 0x28, 13, 10]);
    keeper.write("a", bytes, "100755");
    await edit(tools, act("file:a"), "foo", "bär");
    expect(keeper.bytes("a")).toEqual(Buffer.concat([bytes.subarray(0, 3), Buffer.from("bär"), bytes.subarray(6)]));
    expect(keeper.entries.get("a")).toMatch(/^100755:/);
  });

  test("[EN22] that was done is not done again, and one that a crash kept from its file is", async () => {
    const { tools, keeper } = await kit({ a: "x" }, ok);
    await edit(tools, act("file:a"), "x", "xx");
    expect((await edit(tools, act("file:a"), "x", "xx")).answer).toMatchObject({ ok: true });
    expect(keeper.text("a")).toBe("xx");
    keeper.before = ({ op }) => {
      if (op === "place") throw new Error("the daemon died");
    };
    await expect(edit(tools, act("file:a", 5, 1), "xx", "xxx")).rejects.toThrow("died");
    keeper.before = () => undefined;
    await edit(tools, act("file:a", 5, 1), "xx", "xxx");
    await edit(tools, act("file:a", 5, 1), "xx", "xxx");
    expect(keeper.text("a")).toBe("xxx");
  });

  test("[LD44] that is repeated stores its bytes again: nobody had named them, and they may be collected", async () => {
    const { tools, mainline } = await kit({ a: "x" }, ok);
    const edited = async (): Promise<string> => {
      const { works } = (await edit(tools, act("file:a"), "x", "y")).report;
      return blobOf(works[0]?.work ?? "");
    };
    const blob = await edited();
    await mainline.collect({ kept: () => Promise.resolve({ commits: [], blobs: [] }), youngMs: 0, dryRun: false });
    await expect(mainline.readBlob(blob)).rejects.toMatchObject({ code: "blob-missing" });
    expect(await edited()).toBe(blob);
    expect(Buffer.from(await mainline.readBlob(blob)).toString()).toBe("y");
  });

  test("[LD13] of a file that changed since it was read changes nothing", async () => {
    const { tools, keeper } = await kit({ a: "x" }, ok);
    keeper.before = ({ op }) => {
      if (op === "place") keeper.write("a", "from elsewhere");
    };
    expect((await edit(tools, act("file:a"), "x", "y")).answer).toMatchObject({ ok: false, code: "changed" });
    expect(keeper.text("a")).toBe("from elsewhere");
  });
});

test("[LD17] what git ignores can be written, and is no change; what the project has is one, ignored or not", async () => {
  const { tools, keeper } = await kit({ ".gitignore": "*.log\n", "kept.log": "old" }, () => "ok");
  const acts = ["file:new.log", "file:kept.log", "file:a"].map((unit) => act(unit));
  const { answer, report } = await tools.files.change(
    0,
    acts,
    acts.map(({ unit }) => ({ do: "write", path: unit.slice("file:".length), content: "x" })),
  );
  expect(answer).toMatchObject({ ok: true, text: expect.stringContaining("never lands: new.log") as string });
  expect(report.works.map(({ path }) => path)).toEqual(["kept.log", "a"]);
  expect(report.changed.map(({ path }) => path)).toEqual(["kept.log", "a"]);
  expect(keeper.text("new.log")).toBe("x");
});

describe("a no", () => {
  test("[EN18] is kept, and a yes is not", async () => {
    const { tools } = await kit();
    const no = await tools.files.read("none", undefined);
    await tools.keepNo(3, no);
    expect(await tools.keptNo(3)).toEqual(no);
    await tools.keepNo(4, { ...no, answer: { ok: true, text: "", exit: null } });
    expect(await tools.keptNo(4)).toBeUndefined();
  });

  test("of the world is an answer, and one of ours is thrown", async () => {
    const { tools } = await kit();
    expect((await tools.files.read("none", undefined)).answer).toMatchObject({ ok: false, code: "no-file" });
    const broken = await kit({}, () => {
      throw new TypeError("ours");
    });
    await expect(write(broken.tools, act("file:a"), "x")).rejects.toThrow("ours");
  });
});

test("[EN18] calls that belong to a result are known again", async () => {
  const { tools } = await kit();
  expect(await tools.resultCalls()).toEqual(new Set());
  await tools.noteResultCall(2);
  await tools.noteResultCall(7);
  expect(await tools.resultCalls()).toEqual(new Set([2, 7]));
});
