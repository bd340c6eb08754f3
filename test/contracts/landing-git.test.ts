// Our merges and diffs beside git's own. What we merge git merges to the same bytes, and where git sees a conflict we see
// one too; the diffs that we show are ones that git applies.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Prng } from "../../src/base/prng.ts";
import { entryOf } from "../../src/core/landing/entry.ts";
import { applyHunks, hunksOf } from "../../src/core/landing/hunks.ts";
import { splitLines } from "../../src/core/landing/text-diff.ts";
import { mergeText } from "../../src/core/landing/text-merge.ts";
import { type DiffSide, renderDiff } from "../../src/core/landing/unified-diff.ts";
import { encodeText } from "../../src/core/landing/utf8.ts";
import { runsOf } from "../support/search.ts";

let folder = "";
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "signalbox-landing-git-"));
});
afterAll(() => {
  fs.rmSync(folder, { recursive: true, force: true });
});

/** Texts as people make them: most lines are there once, some, such as braces and blanks, often. */
class Writer {
  readonly #chance: Prng;
  readonly #often: number;
  #fresh = 0;

  constructor(seed: number, often: number) {
    this.#chance = new Prng(seed);
    this.#often = often;
  }

  text(): string {
    return this.#ending(Array.from({ length: this.#chance.between(0, 15) }, () => this.#line()));
  }

  edit(text: string): string {
    const lines = splitLines(text);
    for (let left = this.#chance.between(0, 3); left > 0; left--) {
      const put = Array.from({ length: this.#chance.between(0, 3) }, () => this.#line());
      // Only the last line may lack its newline.
      lines.splice(this.#chance.between(0, Math.max(0, lines.length - 1)), this.#chance.between(0, 2), ...put);
    }
    return this.#ending(lines);
  }

  #line(): string {
    if (this.#chance.chance(this.#often)) return this.#chance.pick(["\n", "}\n", "  }\n", "a\r\n"]);
    return `line ${this.#fresh++}\n`;
  }

  #ending(lines: readonly string[]): string {
    const text = lines.join("");
    return this.#chance.chance(0.1) ? text.replace(/\n$/, "") : text;
  }
}

describe("merges", () => {
  // The numbers of the worlds are fixed: where nearly all lines are equal, ours and git's reading may differ by right.
  test.each([
    ["of texts as people write them", 0.3, runsOf(200)],
    ["of texts with few different lines", 0.9, 200],
  ])("[LD27] %s agree with git's", { timeout: 600_000 }, (_, often, count) => {
    const seen = { clean: 0, conflict: 0, onlyOurs: 0 };
    for (let seed = 1; seed <= count; seed++) {
      const writer = new Writer(seed, often);
      const base = writer.text();
      const [ours, theirs] = [writer.edit(base), writer.edit(base)];
      const merged = mergeText({ base: encodeText(base), ours: encodeText(ours), theirs: encodeText(theirs) });
      const gits = gitMerge(base, ours, theirs);
      const bytes = merged.kind === "clean" ? merged.bytes : gits;
      expect({ seed, bytes }).toEqual({ seed, bytes: gits });
      seen[merged.kind]++;
      if (merged.kind === "conflict" && gits !== undefined) seen.onlyOurs++;
    }
    expect(Math.min(seen.clean, seen.conflict)).toBeGreaterThan(count / 10);
    // To be careful is not to refuse: conflicts that git does not have are rare.
    expect(seen.onlyOurs).toBeLessThan(count / 20);
  });
});

describe("diffs", () => {
  test("[LD23] are applied by git, byte for byte, whole and by hunk", { timeout: 600_000 }, () => {
    const writer = new Writer(7, 0.4);
    const cases = Array.from({ length: runsOf(200) }, (_, at) => {
      const base = writer.text();
      const work = writer.edit(base);
      const hunks = hunksOf({ base, work });
      const chosen = new Set(hunks.filter(({ id }) => at % 2 === 0 || Number(id) % 2 === 0).map(({ id }) => id));
      const approved = applyHunks(base, hunks, chosen);
      // New and removed files among them; git knows an empty file only by its mode line.
      return {
        name: `${at} é "q"/a ${at}.txt`,
        base: at % 7 === 0 ? undefined : base,
        work: at % 11 === 0 && at % 7 !== 0 ? undefined : approved,
        mode: at % 5 === 0 ? "100755" : "100644",
      };
    });
    const tree = path.join(folder, "tree");
    let patch = "";
    for (const { name, base, work, mode } of cases) {
      const file = path.join(tree, name);
      fs.mkdirSync(path.dirname(file), { recursive: true });
      if (base !== undefined) fs.writeFileSync(file, base);
      patch += renderDiff({ path: name, base: side("100644", base), work: side(mode, work) });
    }
    git(tree, ["init", "-q"]);
    const applied = git(tree, ["apply", "--whitespace=nowarn", "-"], patch);
    expect(applied.stderr.toString()).toBe("");
    for (const { name, work, mode } of cases) {
      const file = path.join(tree, name);
      expect(fs.existsSync(file)).toBe(work !== undefined);
      if (work === undefined) continue;
      expect(fs.readFileSync(file, "utf8")).toBe(work);
      expect((fs.statSync(file).mode & 0o100) !== 0).toBe(mode === "100755");
    }
  });

  test("of links and moves are applied by git", () => {
    const tree = path.join(folder, "links");
    fs.mkdirSync(tree);
    fs.writeFileSync(path.join(tree, "a"), "x\n");
    fs.writeFileSync(path.join(tree, "from"), "1\n2\n3\n");
    fs.symlinkSync("old", path.join(tree, "link"));
    git(tree, ["init", "-q"]);
    const patch =
      renderDiff({ path: "a", base: side("100644", "x\n"), work: side("120000", "to/there") }) +
      renderDiff({ path: "link", base: side("120000", "old"), work: side("120000", "new") }) +
      renderDiff({
        path: "sub/to",
        movedFrom: "from",
        base: side("100644", "1\n2\n3\n"),
        work: side("100644", "1\nzwei\n3\n"),
      });
    expect(git(tree, ["apply", "-"], patch).stderr.toString()).toBe("");
    expect(fs.readlinkSync(path.join(tree, "a"))).toBe("to/there");
    expect(fs.readlinkSync(path.join(tree, "link"))).toBe("new");
    expect(fs.existsSync(path.join(tree, "from"))).toBe(false);
    expect(fs.readFileSync(path.join(tree, "sub/to"), "utf8")).toBe("1\nzwei\n3\n");
  });
});

function side(mode: string, content: string | undefined): DiffSide {
  if (content === undefined) return { entry: null, bytes: null };
  const name = createHash("sha1").update(content).digest("hex");
  return { entry: entryOf(mode, name), bytes: encodeText(content) };
}

/** What git makes of it; undefined where it sees a conflict. */
function gitMerge(base: string, ours: string, theirs: string): Uint8Array | undefined {
  const write = (name: string, text: string): string => {
    const file = path.join(folder, name);
    fs.writeFileSync(file, text);
    return file;
  };
  const files = [write("ours", ours), write("base", base), write("theirs", theirs)];
  const { status, stdout } = git(folder, ["merge-file", "-p", "-q", ...files]);
  return status === 0 ? new Uint8Array(stdout) : undefined;
}

function git(
  cwd: string,
  args: readonly string[],
  input = "",
): ReturnType<typeof spawnSync> & { stdout: Buffer; stderr: Buffer } {
  const env = { PATH: process.env["PATH"] ?? "", HOME: folder, GIT_CONFIG_NOSYSTEM: "1", LC_ALL: "C" };
  const done = spawnSync("git", args, { cwd, input, env, maxBuffer: 64 * 1024 * 1024 });
  if (done.error !== undefined) throw done.error;
  return done;
}
