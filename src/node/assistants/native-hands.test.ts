import { describe, expect, test } from "vitest";
import type { WishOutcome } from "../../ports/assistant.ts";
import { doorTools, permitTool } from "../model-door/door-tools.ts";
import type { ToolAnswer } from "../model-door/model-door.ts";
import { NativeHands } from "./native-hands.ts";

type Kit = {
  readonly hands: NativeHands;
  /** Questions that nobody has answered yet. */
  readonly asked: PromiseWithResolvers<ToolAnswer>[];
};

function kit(): Kit {
  const asked: PromiseWithResolvers<ToolAnswer>[] = [];
  const call = (): Promise<ToolAnswer> => {
    asked.push(Promise.withResolvers<ToolAnswer>());
    return (asked.at(-1) as PromiseWithResolvers<ToolAnswer>).promise;
  };
  return { hands: new NativeHands({ call }, "/w"), asked };
}

const wish = { id: "permit-1", is: "permit", text: "May it?", leave: { tool: "execute", what: "rm x" } } as const;
const says = (text: string): ToolAnswer => ({ text, isError: false });

class Program {
  readonly heard: WishOutcome[] = [];
  isGone = false;
  isThere = (): boolean => !this.isGone;
  tell = async (outcome: WishOutcome): Promise<boolean> => {
    if (!this.isGone) this.heard.push(outcome);
    return !this.isGone;
  };
}

describe("[RN26] leave for an act of its own", () => {
  test("brings along what is too long for the question", async () => {
    const calls: unknown[] = [];
    const call = async (_tool: unknown, args: unknown): Promise<ToolAnswer> => {
      calls.push(args);
      return says("allow");
    };
    const whole = { name: `asked-${"0".repeat(40)}`, text: "all of it" };
    const hands = new NativeHands({ call }, "/w");
    await hands.serve({ ...wish, whole }, new Program());
    await hands.serve(wish, new Program());
    const { text: question, leave } = wish;
    expect(calls).toEqual([
      { question, leave, whole },
      { question, leave },
    ]);
    expect(calls.map((args) => permitTool.prepare(args).ok)).toEqual([true, true]);
  });

  test("is for that act: the same again is asked again", async () => {
    const { hands, asked } = kit();
    const program = new Program();
    for (const [at, answer] of ["allow", "deny"].entries()) {
      const served = hands.serve(wish, program);
      expect(asked).toHaveLength(at + 1);
      asked[at]?.resolve(says(answer));
      await served;
    }
    expect(program.heard).toEqual([
      { ok: true, message: "allow" },
      { ok: false, message: "deny" },
    ]);
  });

  test("is asked for by a question of its own, which no profile takes away and no model is shown", async () => {
    const called: unknown[] = [];
    const call: ConstructorParameters<typeof NativeHands>[0]["call"] = (tool, args) => {
      called.push(tool, args);
      return Promise.resolve(says("allow"));
    };
    await new NativeHands({ call }, "/w").serve(wish, new Program());
    expect(called).toEqual([permitTool, { question: wish.text, leave: wish.leave }]);
    expect(doorTools.map(({ name }) => name)).not.toContain(permitTool.name);
  });

  test("is not shared by two that ask at the same time", async () => {
    const { hands, asked } = kit();
    const program = new Program();
    const served = [hands.serve(wish, program), hands.serve({ ...wish, id: "permit-2" }, program)];
    expect(asked).toHaveLength(2);
    for (const [at, each] of asked.entries()) each.resolve(says(at === 0 ? "allow" : "deny"));
    await Promise.all(served);
    expect(program.heard.map(({ ok }) => ok)).toEqual([true, false]);
  });

  test.each(["before", "after"])("waits for a program that began anew %s it was given, once", async (when) => {
    const { hands, asked } = kit();
    const [first, second] = [new Program(), new Program()];
    const served = hands.serve(wish, first);
    first.isGone = true;
    if (when === "after") asked[0]?.resolve(says("allow"));
    if (when === "after") await served;
    const again = hands.serve(wish, second);
    asked[0]?.resolve(says("allow"));
    await Promise.all([served, again]);
    expect([asked.length, first.heard, second.heard]).toEqual([1, [], [{ ok: true, message: "allow" }]]);
    void hands.serve(wish, second);
    expect(asked).toHaveLength(2);
  });

  test("is not given by a question that failed, and that is asked again", async () => {
    const { hands, asked } = kit();
    const program = new Program();
    const served = hands.serve(wish, program);
    asked[0]?.resolve({ text: "allow", isError: true });
    await served;
    expect(program.heard).toEqual([{ ok: false, message: "allow" }]);
    const broken = hands.serve(wish, program);
    asked[1]?.reject(new Error("the disk is full"));
    await expect(broken).rejects.toThrow("full");
    program.isGone = true;
    void hands.serve(wish, program);
    expect(asked).toHaveLength(3);
  });

  test.each([
    ["allow", true],
    ["deny", false],
    // What was answered to an earlier release, which took any text.
    ["yes, but only a.txt", false],
  ])("is what the answer says: %j", async (answer, ok) => {
    const { hands, asked } = kit();
    const program = new Program();
    const served = hands.serve(wish, program);
    asked[0]?.resolve(says(answer));
    await served;
    expect(program.heard).toMatchObject([{ ok }]);
  });
});
