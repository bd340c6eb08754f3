// A run and a person who meet in one place of a file, at the door of the run.

import { describe, expect, test } from "vitest";
import { NodeRig } from "../../test/support/node-rig.ts";
import type { Door, DoorAnswer, Runner } from "../ports/runner.ts";

type Body = (door: Door) => Promise<unknown>;
type Sides = { readonly mine: string; readonly theirs: string };

/** A run that has changed a file whose person commits another change of it before it lands; `body` is what it does when it comes back. */
function meeting(
  opened: Promise<NodeRig>,
  body: Body,
  { mine, theirs }: Sides = { mine: "mine\n", theirs: "theirs\n" },
): Runner {
  return {
    name: "test",
    drive: async ({ sentBack, callsDone, run }, door) => {
      const rig = await opened;
      door.skipTo(callsDone);
      if (sentBack === null) {
        await door.change({ do: "write", path: "a", content: mine });
        rig.person(rig.run(run).project).commit({ a: theirs });
      } else await body(door);
      await door.finish(true, "");
    },
  };
}

async function met(body: Body, base = "first\n", sides?: Sides): Promise<{ rig: NodeRig; run: string }> {
  const opened = Promise.withResolvers<NodeRig>();
  const rig = await NodeRig.open({ runners: [meeting(opened.promise, body, sides)] });
  opened.resolve(rig);
  const project = await rig.project({}, { files: { a: base }, git: true });
  return { rig, run: await rig.submit(project, "say: nothing", { runner: "test" }) };
}

function textOf(answer: DoorAnswer): string {
  return answer.ok ? answer.text : `${answer.code}: ${answer.message}`;
}

describe("a conflict", () => {
  test("[LD31] goes back to its run, which reads all sides, makes one of them and lands it", async () => {
    const answers: DoorAnswer[] = [];
    const { rig, run } = await met(async (door) => {
      answers.push(await door.resolve("b"));
      answers.push(await door.readSide("a", "base"), await door.readSide("a", "theirs"), await door.read("a"));
      await door.change({ do: "write", path: "a", content: "theirs\nmine\n" });
      answers.push(await door.resolve("a"));
    });
    expect(await rig.ended(run)).toBe("done");
    const [first = "", ...others] = answers.map(textOf);
    expect(first).toMatch(/^no-conflict: b is in no conflict; in conflict are: a/);
    expect(others).toEqual(["first\n", "theirs\n", "mine\n", "resolved a"]);
    expect(rig.log.find((event) => event.type === "run.conflicted")).toMatchObject({ conflicts: [{ path: "a" }] });
    expect(await rig.file("a")).toBe("theirs\nmine\n");
    expect(rig.run(run).workspace.conflicts.size).toBe(0);
    await rig.close();
  });

  test("[LD31, LD40] is not resolved by a run that was not shown the other side: nothing lands over it", async () => {
    const answers: DoorAnswer[] = [];
    const { rig, run } = await met(async (door) => {
      answers.push(await door.resolve("a"));
      await door.readSide("a", "base");
      await door.change({ do: "write", path: "a", content: "mine\n", careful: "seen" });
      answers.push(await door.resolve("a"));
    });
    await rig.untilState(run, "review");
    const unread = /^not-read: Somebody else has changed a in the same place.* Read it with side theirs/;
    expect(answers.map(textOf)).toEqual([expect.stringMatching(unread), expect.stringMatching(unread)]);
    expect(rig.run(run).because).toBe("it has not resolved a");
    expect(await rig.file("a")).toBe("theirs\n");
    await rig.terminate(run);
    await rig.ended(run);
    await rig.close();
  });

  test("[LD31] on a long file is resolved only when all was read that the other side has changed", async () => {
    const lines = Array.from({ length: 6000 }, (_, at) => `line ${at + 1}\n`);
    const text = (changes: Readonly<Record<number, string>>): string =>
      lines.map((line, at) => changes[at + 1] ?? line).join("");
    const answers: DoorAnswer[] = [];
    const sides = {
      mine: text({ 10: "mine\n" }),
      theirs: text({ 10: "theirs\n", 3000: "theirs\n", 5000: "theirs\n" }),
    };
    const body: Body = async (door) => {
      answers.push(await door.readSide("a", "theirs", { from: 1, count: 2000 }), await door.resolve("a"));
      answers.push(await door.readSide("a", "theirs", { from: 2999, count: 3 }), await door.resolve("a"));
      await door.readSide("a", "theirs", { from: 5000, count: 1 });
      await door.change({
        do: "write",
        path: "a",
        content: text({ 10: "both\n", 3000: "theirs\n", 5000: "theirs\n" }),
      });
      answers.push(await door.resolve("a"));
    };
    const { rig, run } = await met(body, text({}), sides);
    expect(await rig.ended(run)).toBe("done");
    const [first, no, second, again, last] = answers;
    expect(first).toMatchObject({
      note: "a, side theirs, lines 1 to 2000 of 6000; still to be read: lines 3000, 5000",
    });
    expect(no).toMatchObject({
      code: "not-read",
      message: expect.stringMatching(/ Of their side lines 3000, 5000 are still to be read\.$/) as unknown,
    });
    expect(second).toMatchObject({ note: "a, side theirs, lines 2999 to 3001 of 6000; still to be read: line 5000" });
    expect(again).toMatchObject({
      code: "not-read",
      message: expect.stringMatching(/ Of their side line 5000 is still to be read\.$/) as unknown,
    });
    expect(last).toMatchObject({ ok: true });
    await rig.close();
  });

  test("[LD31, EN18] was shown to its run also where another daemon has shown it", async () => {
    const { rig, run } = await met(async (door) => {
      expect(await door.readSide("a", "theirs", { from: 1, count: 9 })).toMatchObject({
        ...{ ok: true, text: "theirs\n", note: "a, side theirs, lines 1 to 1 of 1" },
      });
      await door.ask("go on?");
    });
    await rig.untilState(run, "awaiting-input");
    const again = meeting(Promise.resolve(rig), async (door) => {
      await door.change({ do: "write", path: "a", content: "both\n" });
      expect(await door.resolve("a")).toMatchObject({ ok: true });
    });
    const next = await rig.reopen({ runners: [again] });
    await next.ok({ type: "run.answer", run, text: "yes" });
    expect(await next.ended(run)).toBe("done");
    expect(await next.file("a")).toBe("both\n");
    await next.close();
  });
});
