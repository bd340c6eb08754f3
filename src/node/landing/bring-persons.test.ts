import { describe, expect, test } from "vitest";
import { MemoryMainline } from "../../adapters/git/memory-mainline.ts";
import { commitOn, land, textAt } from "../../../test/support/memory-workspace.ts";
import { bringPersons } from "./bring-persons.ts";
import { droppedOf } from "./dropped.ts";

const author = { name: "Eva", email: "eva@example.org", atMs: 0 };
const bring = (mainline: MemoryMainline): ReturnType<typeof bringPersons> =>
  bringPersons(mainline, { foldCase: false }, author);

async function begun(): Promise<{ mainline: MemoryMainline; base: string }> {
  const mainline = new MemoryMainline();
  const base = await land(mainline, { a: "1\n2\n3\n4\n5\n", b: "b" });
  mainline.person.tip = base;
  return { mainline, base };
}

describe("a person's commits", () => {
  test("[LD42] that are not there move nothing", async () => {
    const { mainline, base } = await begun();
    expect(await bring(mainline)).toEqual({ ok: true, value: null });
    mainline.person.tip = null;
    expect(await bring(mainline)).toEqual({ ok: true, value: null });
    mainline.person.tip = base;
    await land(mainline, { b: "landed" });
    expect(await bring(mainline)).toEqual({ ok: true, value: null });
    expect(await textAt(mainline, "b")).toBe("landed");
  });

  test("[LD42] become mainline as they are where it has nothing newer", async () => {
    const { mainline, base } = await begun();
    const to = await commitOn(mainline, base, { a: "by hand" });
    mainline.person.tip = to;
    expect(await bring(mainline)).toEqual({ ok: true, value: { from: base, to } });
    expect(await mainline.head()).toBe(to);
  });

  test("[LD42] are merged with what landed meanwhile, and both are in its history", async () => {
    const { mainline, base } = await begun();
    const theirs = await commitOn(mainline, base, { a: "one\n2\n3\n4\n5\n", c: "c" });
    mainline.person.tip = theirs;
    const head = await land(mainline, { a: "1\n2\n3\n4\nfive\n", b: null });
    expect(await bring(mainline)).toMatchObject({ ok: true, value: { from: head } });
    const texts = await Promise.all(["a", "b", "c"].map((path) => textAt(mainline, path)));
    expect(texts).toEqual(["one\n2\n3\n4\nfive\n", null, "c"]);
    const merged = await mainline.head();
    expect([await mainline.isAncestor(theirs, merged), await mainline.isAncestor(head, merged)]).toEqual([true, true]);
  });

  test("[LD40, LD42] that changed the same place as a landing move nothing, and the paths are named", async () => {
    const { mainline, base } = await begun();
    mainline.person.tip = await commitOn(mainline, base, { a: "by hand", c: "c", d: "d" });
    const head = await land(mainline, { a: "landed", "d/x": "a folder" });
    expect(await bring(mainline)).toEqual({ ok: false, refusal: { code: "diverged", paths: ["a", "d"] } });
    expect(await mainline.head()).toBe(head);
  });

  test("[LD42] are looked at again when mainline moves under the merge", async () => {
    const { mainline, base } = await begun();
    const theirs = await commitOn(mainline, base, { c: "c" });
    mainline.person.tip = theirs;
    const swap = mainline.swap.bind(mainline);
    mainline.swap = async (from, to) => {
      mainline.swap = swap;
      await land(mainline, { b: "landed meanwhile" });
      return swap(from, to);
    };
    expect(await bring(mainline)).toMatchObject({ ok: true });
    expect([await textAt(mainline, "b"), await textAt(mainline, "c")]).toEqual(["landed meanwhile", "c"]);
  });

  /** A landing that reached the person's branch, and that they have reset away since, with a commit of their own. */
  async function dropping(
    since: Record<string, string>,
  ): Promise<{ mainline: MemoryMainline; base: string; had: string }> {
    const { mainline, base } = await begun();
    const had = await land(mainline, { c: "landed" });
    await mainline.publish();
    if (Object.keys(since).length > 0) await land(mainline, since);
    mainline.person.tip = await commitOn(mainline, base, { d: "by hand" });
    expect(await bring(mainline)).toMatchObject({ ok: true });
    expect([await textAt(mainline, "c"), await textAt(mainline, "d")]).toEqual([null, "by hand"]);
    return { mainline, base, had };
  }

  test.each([{}, { b: "landed since" }])(
    "[LD42, LD58] that have taken a landing away keep it to be had again, until mainline has it; landed since: %j",
    async (landed) => {
      const { mainline, base, had } = await dropping(landed);
      expect(await droppedOf(mainline)).toEqual([{ commit: had, since: base }]);
      mainline.person.tip = await commitOn(mainline, await mainline.head(), { d: "more" });
      await bring(mainline);
      expect(await droppedOf(mainline)).toHaveLength(1);
      mainline.person.tip = await commitOn(mainline, await mainline.head(), { c: "landed" });
      await bring(mainline);
      expect([await textAt(mainline, "c"), await droppedOf(mainline)]).toEqual(["landed", []]);
    },
  );
});
