import { expect, test } from "vitest";
import { insist } from "./insist.ts";

/** What is loaded in turn, undefined where that fails, and whether the daemon is there after each that failed. */
function world(parts: readonly (string | undefined)[], there: readonly boolean[]) {
  const [comes, answers] = [[...parts], [...there]];
  const load = async (): Promise<string> => {
    const part = comes.shift();
    if (part === undefined) throw new Error("it did not come");
    return part;
  };
  return insist(load, { isDaemonThere: async () => answers.shift() ?? false, pause: async () => undefined });
}

test("a part that is wanted while the daemon is away comes when it is back", async () => {
  expect(await world([undefined, undefined, undefined, "part"], [false, false, true])).toBe("part");
  expect(await world([undefined, undefined, undefined, "part"], [true, false, true])).toBe("part");
});

test("a part that does not come although the daemon is there is not asked for for ever", async () => {
  await expect(world([], [true, true])).rejects.toThrow("it did not come");
  await expect(world([], [false, true, true])).rejects.toThrow("it did not come");
});
