import { describe, expect, test } from "vitest";
import { file, lines, link, program } from "../../../test/support/landing-entries.ts";
import { blobOf, type Entry, entryOf } from "./entry.ts";
import { type DiffSide, renderDiff } from "./unified-diff.ts";
import { encodeText } from "./utf8.ts";

describe("a change as text", () => {
  test("has git's headers, and hunks whose surroundings meet are one", () => {
    const base = { entry: file("8ab686eafeb1f447"), bytes: encodeText(lines("123456789abcdefghij")) };
    const work = { entry: file("dd59d098638a1ade"), bytes: encodeText(lines("123456789AbcdeFghij")) };
    expect(renderDiff({ path: "src/a.ts", base, work })).toMatchInlineSnapshot(`
      "diff --git a/src/a.ts b/src/a.ts
      index 8ab686eafeb1..dd59d098638a 100644
      --- a/src/a.ts
      +++ b/src/a.ts
      @@ -7,12 +7,12 @@
       7
       8
       9
      -a
      +A
       b
       c
       d
       e
      -f
      +F
       g
       h
       i
      "
    `);
  });

  test("shows new and removed files, and a missing last newline", () => {
    expect(render("a", null, file("x\r\ny"))).toContain(
      "--- /dev/null\n+++ b/a\n@@ -0,0 +1,2 @@\n+x\r\n+y\n\\ No newline at end of file\n",
    );
    expect(render("a", program("x\n"), null)).toContain("deleted file mode 100755\n");
    expect(render("a", program("x\n"), null)).toContain("--- a/a\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n");
    expect(render("empty", null, file(""))).toBe(
      "diff --git a/empty b/empty\nnew file mode 100644\nindex 000000000000..000000000000\n",
    );
  });

  test("shows modes, moves and other kinds of things", () => {
    expect(render("a", file("x\n"), program("x\n"))).toBe("diff --git a/a b/a\nold mode 100644\nnew mode 100755\n");
    expect(renderDiff({ path: "b", movedFrom: "a", base: side(file("x\n")), work: side(file("x\n")) })).toBe(
      "diff --git a/a b/b\nrename from a\nrename to b\n",
    );
    const both = render("a", file("x\n"), link("b"));
    expect(both).toContain("deleted file mode 100644\n");
    expect(both).toContain("new file mode 120000\n");
    expect(both).toContain("+b\n\\ No newline at end of file\n");
    expect(render("sub", entryOf("160000", "1".repeat(40)), entryOf("160000", "2".repeat(40)))).toContain(
      `-Subproject commit ${"1".repeat(40)}\n+Subproject commit ${"2".repeat(40)}\n`,
    );
    expect(render("a", file("x\n"), file("x\n"))).toBe("");
    expect(render("a", null, null)).toBe("");
  });

  test("names what cannot be shown", () => {
    expect(render("p.png", file("x\u0000"), file("y\u0000"))).toContain("Binary files a/p.png and b/p.png differ\n");
    expect(render("p.png", null, file("y\u0000"))).toContain("Binary files /dev/null and b/p.png differ\n");
  });

  test("quotes names that would break a line, and ends those with a space", () => {
    expect(render('a"\n\u0001é', null, file("x\n"))).toContain('+++ "b/a\\"\\n\\001é"\n');
    expect(render("a b", null, file("x\n"))).toContain("+++ b/a b\t\n");
  });
});

function render(path: string, base: Entry, work: Entry): string {
  return renderDiff({ path, base: side(base), work: side(work) });
}

function side(entry: Entry): DiffSide {
  return { entry, bytes: entry === null || entry.startsWith("160000") ? null : encodeText(blobOf(entry)) };
}
