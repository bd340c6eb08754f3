import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { makeTempFolder } from "../../test/support/temp-folder.ts";
import { type Keeper, understudyIn } from "./keeper.ts";
import { rehearse } from "./rehearsal.ts";

test("[EN48] a keeper that waits takes over an agent and writes a first file, and nothing is left of it, not even open folders", async () => {
  const folder = makeTempFolder();
  const asked: string[] = [];
  await rehearse(folder, (own) => {
    const keeper = understudyIn(own);
    const answer: Keeper["answer"] = async (op) => {
      const answered = await keeper.answer(op);
      asked.push(op.op);
      return answered;
    };
    return { answer, close: (graceMs) => keeper.close(graceMs), release: () => keeper.release() };
  });
  expect(asked).toEqual(["open", "scan", "place", "forget"]);
  const open = readdirSync("/proc/self/fd").length;
  await rehearse(folder, understudyIn);
  expect([readdirSync(folder), readdirSync("/proc/self/fd").length]).toEqual([[], open]);
});

test("[EN48] a keeper that has an agent rehearses no further", async () => {
  const folder = makeTempFolder();
  const never = (): never => {
    throw new Error("nobody is to be taken over");
  };
  await rehearse(folder, never, () => false);
  expect(readdirSync(folder)).toEqual([]);
});
