import { expect, test } from "vitest";
import { MemoryMainline } from "../../adapters/git/memory-mainline.ts";
import { land } from "../../../test/support/memory-workspace.ts";
import { listDropped } from "./list-dropped.ts";

test("[LD58] what was dropped is read at once, the newest first, and one that is lost hides no other", async () => {
  const mainline = new MemoryMainline();
  const commits = [
    await land(mainline, { a: "1" }),
    await land(mainline, { a: "2" }),
    await land(mainline, { a: "3" }),
  ];
  for (const commit of [...commits, "0".repeat(40)]) await mainline.keep(`dropped/${commit}`, new Map());
  const since = commits[0] ?? "";
  await mainline.letGo(`dropped/${commits[1] ?? ""}`);
  await mainline.keep(`dropped/${since}-${commits[1] ?? ""}`, new Map());
  let reads = 0;
  const counted = {
    folders: { repository: "/home/eva/$my shop", layers: "" },
    keptUnder: (word: string) => mainline.keptUnder(word),
    factsOfAll: (some: readonly string[]) => (reads++, mainline.factsOfAll(some)),
  };
  const listed = await listDropped(counted, 2);
  expect(reads).toBe(1);
  expect(listed.map(({ commit }) => commit)).toEqual([commits[2], commits[1]]);
  expect(listed[0]?.how).toBe(`git fetch '/home/eva/$my shop' ${commits[2] ?? ""} && git cherry-pick ..FETCH_HEAD`);
  expect(listed[1]?.how).toMatch(new RegExp(`cherry-pick ${since}..FETCH_HEAD$`));
});
