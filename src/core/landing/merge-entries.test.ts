import { describe, expect, test } from "vitest";
import { file, link, program } from "../../../test/support/landing-entries.ts";
import { type Entry, entryOf } from "./entry.ts";
import { type EntryMerge, mergeEntries } from "./merge-entries.ts";

const [one, two, three] = [file("1"), file("2"), file("3")];

describe("three entries", () => {
  test("[LD1] are equal when kind, mode and content are; absent equals absent", () => {
    expect(merge(one, null, null)).toEqual({ kind: "same", entry: null });
    expect(merge(null, two, two)).toEqual({ kind: "same", entry: two });
    expect(merge(one, file("1"), program("1"))).toEqual({ kind: "theirs", entry: program("1") });
    expect(merge(file("x"), link("x"), file("x"))).toEqual({ kind: "ours", entry: link("x") });
  });

  test("[LD27] an unchanged side yields to the changed one, also to its removal", () => {
    expect(merge(one, one, two)).toEqual({ kind: "theirs", entry: two });
    expect(merge(one, two, one)).toEqual({ kind: "ours", entry: two });
    expect(merge(one, null, one)).toEqual({ kind: "ours", entry: null });
    expect(merge(one, one, null)).toEqual({ kind: "theirs", entry: null });
    expect(merge(null, one, null)).toEqual({ kind: "ours", entry: one });
  });

  test("[LD27] both changed: text is merged, what is absent conflicts", () => {
    expect(merge(one, two, three)).toEqual({
      kind: "text",
      mode: "100644",
      blobs: { base: "1", ours: "2", theirs: "3" },
    });
    expect(merge(one, null, two)).toEqual({ kind: "conflict", why: "removed" });
    expect(merge(one, two, null)).toEqual({ kind: "conflict", why: "removed" });
    expect(merge(null, one, two)).toEqual({ kind: "conflict", why: "added" });
  });

  test("[LD27] mode and content are merged apart", () => {
    expect(merge(one, program("1"), two)).toEqual({ kind: "mixed", entry: program("2") });
    expect(merge(one, two, program("1"))).toEqual({ kind: "mixed", entry: program("2") });
    expect(merge(one, program("2"), three)).toMatchObject({ kind: "text", mode: "100755" });
    expect(merge(one, program("2"), program("1"))).toEqual({ kind: "ours", entry: program("2") });
    expect(merge(one, two, program("2"))).toEqual({ kind: "theirs", entry: program("2") });
    expect(merge(one, program("1"), entryOf("100600", "1"))).toEqual({ kind: "conflict", why: "mode" });
  });

  test("[LD27] links and submodules are never merged line by line", () => {
    const sub = (commit: string): string => entryOf("160000", commit);
    expect(merge(link("a"), link("b"), link("c"))).toEqual({ kind: "conflict", why: "kind" });
    expect(merge(sub("a"), sub("b"), sub("c"))).toEqual({ kind: "conflict", why: "kind" });
    expect(merge(one, link("b"), two)).toEqual({ kind: "conflict", why: "kind" });
    expect(merge(link("a"), one, two)).toEqual({ kind: "conflict", why: "kind" });
    expect(merge(link("a"), link("b"), link("a"))).toEqual({ kind: "ours", entry: link("b") });
  });
});

function merge(base: Entry, ours: Entry, theirs: Entry): EntryMerge {
  return mergeEntries({ base, ours, theirs });
}
