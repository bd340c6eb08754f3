import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FenceGuard, type GuardAnswer } from "../../core/lease/fence-guard.ts";
import { parseUnit, type Unit } from "../../core/lease/unit.ts";
import { commandEnv } from "../../../test/support/processes.ts";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import { ScratchFolder } from "../workspace/scratch-folder.ts";
import { Tools, type FencedAct } from "./tools.ts";

const never = new AbortController().signal;
const rule = { foldCase: false, ownProcesses: new Set<string>() };

type Kit = { readonly tools: Tools; readonly root: string; readonly guard: FenceGuard };

function kit(check?: (act: FencedAct) => GuardAnswer): Kit {
  const folder = makeTempFolder();
  const root = join(folder, "scratch");
  mkdirSync(root);
  const guard = new FenceGuard();
  const byGuard = ({ family, fence, unit }: FencedAct): GuardAnswer =>
    guard.check({ family, fence, unit: unitOf(unit) });
  const tools = new Tools({
    run: "r_1",
    scratch: new ScratchFolder(root),
    callsFolder: join(folder, "calls/r_1"),
    check: check ?? byGuard,
    processes: () => ({ test: { argv: ["/bin/sh", "-c", "echo tested > tested"] } }),
    env: commandEnv,
  });
  return { tools, root, guard };
}

function unitOf(text: string): Unit {
  const unit = parseUnit(text, rule, "");
  if (!unit.ok) throw new Error(text);
  return unit.value;
}

const act = (unit: string, fence = 5, call = 0): FencedAct => ({ call, family: "r_1.1", fence, unit });

describe("a fence", () => {
  test("[EN19] that a newer grant to somebody else has overtaken writes nothing and starts nothing", async () => {
    const { tools, root, guard } = kit();
    guard.granted({ unit: unitOf("file:a"), family: "r_1.1", fence: 5 });
    expect((await tools.write(act("file:a"), "mine")).answer).toMatchObject({ ok: true });
    guard.granted({ unit: unitOf("dir:"), family: "r_2.1", fence: 9 });
    guard.granted({ unit: unitOf("process:test"), family: "r_2.1", fence: 10 });
    const no = { ok: false, code: "stale-fence" };
    expect((await tools.write(act("file:a"), "stale")).answer).toMatchObject(no);
    expect((await tools.edit(act("file:a"), "mine", "stale")).answer).toMatchObject(no);
    expect((await tools.process(act("process:test"), "test", never)).answer).toMatchObject(no);
    expect(readFileSync(join(root, "a"), "utf8")).toBe("mine");
    expect(existsSync(join(root, "tested"))).toBe(false);
  });

  test("[EN19] of a holder that is over allows nothing", async () => {
    const { tools, root, guard } = kit();
    guard.ended("r_1.1");
    expect((await tools.write(act("file:a"), "late")).answer).toMatchObject({ ok: false, code: "expired" });
    expect(existsSync(join(root, "a"))).toBe(false);
  });

  test("[EN19] is looked at again in the same breath as the act", async () => {
    const answers: GuardAnswer[] = ["ok", "stale-fence"];
    const { tools, root } = kit(() => answers.shift() ?? "stale-fence");
    const result = await tools.write(act("file:a"), "overtaken while it was synced");
    expect(result.answer).toMatchObject({ ok: false, code: "stale-fence", message: "file:a is not yours any more" });
    expect(existsSync(join(root, "a"))).toBe(false);
    expect(answers).toEqual([]);
  });

  test("[EN19] stops a process that was about to start, and the same call may start it later", async () => {
    const answers: GuardAnswer[] = ["stale-fence", "ok"];
    const { tools, root } = kit(() => answers.shift() ?? "stale-fence");
    expect((await tools.process(act("process:test"), "test", never)).answer).toMatchObject({ code: "stale-fence" });
    expect(existsSync(join(root, "tested"))).toBe(false);
    expect((await tools.process(act("process:test"), "test", never)).answer).toMatchObject({ ok: true, exit: 0 });
    expect(existsSync(join(root, "tested"))).toBe(true);
  });
});

describe("an edit", () => {
  test("[EN22] replaces what occurs exactly once", async () => {
    const { tools, root } = kit();
    writeFileSync(join(root, "a"), "one two two");
    expect(await tools.edit(act("file:a"), "one", "three")).toMatchObject({
      answer: { ok: true },
      report: { ok: true, changed: [{ path: "a", bytes: 13 }] },
    });
    expect(readFileSync(join(root, "a"), "utf8")).toBe("three two two");
    for (const [call, find, why] of [
      [1, "two", "more than once"],
      [2, "four", "does not occur"],
    ] as const) {
      const { answer } = await tools.edit(act("file:a", 5, call), find, "x");
      expect(answer).toMatchObject({ ok: false, code: "no-match" });
      expect(answer.ok ? "" : answer.message).toContain(why);
    }
  });

  test("[EN22] whose text overlaps with itself does not occur once", async () => {
    const { tools, root } = kit();
    writeFileSync(join(root, "a"), "aaa");
    expect((await tools.edit(act("file:a"), "aa", "b")).answer).toMatchObject({ ok: false, code: "no-match" });
    expect(readFileSync(join(root, "a"), "utf8")).toBe("aaa");
  });

  test("[EN22] leaves every other byte as it is, also where they are no text", async () => {
    const { tools, root } = kit();
    const bytes = Buffer.from([0, 255, 254, 0x66, 0x6f, 0x6f, 0xc3, 0x28, 13, 10]);
    writeFileSync(join(root, "a"), bytes);
    await tools.edit(act("file:a"), "foo", "bär");
    const expected = Buffer.concat([bytes.subarray(0, 3), Buffer.from("bär"), bytes.subarray(6)]);
    expect(readFileSync(join(root, "a"))).toEqual(expected);
  });

  test("[EN22] that was done is not done again, and one whose file changed since is", async () => {
    const { tools, root } = kit();
    writeFileSync(join(root, "a"), "x");
    await tools.edit(act("file:a"), "x", "xx");
    expect((await tools.edit(act("file:a"), "x", "xx")).answer).toMatchObject({ ok: true });
    expect(readFileSync(join(root, "a"), "utf8")).toBe("xx");
    writeFileSync(join(root, "a"), "x");
    await tools.edit(act("file:a"), "x", "xx");
    expect(readFileSync(join(root, "a"), "utf8")).toBe("xx");
  });
});

describe("a no", () => {
  test("[EN18] is kept, and a yes is not", async () => {
    const { tools } = kit();
    const no = await tools.read("none");
    await tools.keepNo(3, no);
    expect(await tools.keptNo(3)).toEqual(no);
    await tools.keepNo(4, { ...no, answer: { ok: true, text: "", exit: null } });
    expect(await tools.keptNo(4)).toBeUndefined();
  });

  test("of the world is an answer, and one of ours is thrown", async () => {
    const { tools } = kit();
    expect((await tools.read("../out")).answer).toMatchObject({ ok: false, code: "not-a-folder" });
    const broken = kit(() => {
      throw new TypeError("ours");
    });
    await expect(broken.tools.write(act("file:a"), "x")).rejects.toThrow("ours");
  });
});
