import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { KeeperRig, noCages, whos } from "../../../test/support/keeper-rig.ts";
import { TerminalRig } from "../../../test/support/terminal-rig.ts";
import { hasTmux, tmuxLines } from "../../../test/support/tmux-screen.ts";
import { usualPolicy, ViewerFilter } from "../../base/viewer-filter.ts";
import { Screen } from "./screen.ts";

const numbers = Array.from({ length: 200 }, (_, index) => `${index + 1} ${"word ".repeat((index % 9) + 1)}é日本`).join(
  "\n",
);

type Played = {
  readonly program: string;
  readonly argv: readonly string[];
  readonly keys: readonly (readonly [string, string | RegExp])[];
};

const plays: readonly Played[] = [
  {
    program: "vim",
    argv: ["/usr/bin/vim", "-u", "NONE", "-N", "numbers.txt"],
    keys: [
      ["", "numbers.txt"],
      [":set number ruler\r", /1,1 .*Top/],
      ["50Gdd", /50,1/],
      ["ofresh line\u001b", "fresh line"],
      [":split\r", /\[No Name\]|numbers\.txt \[\+\][^]*numbers\.txt \[\+\]/],
      ["/word word word word word word word word word\r", /54,|63,|word/],
    ],
  },
  {
    program: "less",
    argv: ["/usr/bin/less", "numbers.txt"],
    keys: [
      ["", "numbers.txt"],
      ["  ", "60 word"],
      ["/100\r", "100 word"],
      ["k", ":"],
    ],
  },
  {
    program: "htop",
    argv: ["/usr/bin/htop", "--delay=100"],
    keys: [
      ["", /PID.*USER/],
      ["t", "F5List"],
      ["\u001bOP", /htop \d.*Hisham/],
      ["q", /PID.*USER/],
    ],
  },
  {
    program: "top",
    argv: ["/usr/bin/top", "-b", "-n", "1", "-w", "80"],
    keys: [["", "PID USER"]],
  },
];

for (const { program, argv } of plays)
  if (!existsSync(argv[0] ?? "")) console.warn(`${program.toUpperCase()} IS NOT TRIED: it is not installed here`);
if (!hasTmux) console.warn("SCREENS ARE NOT COMPARED WITH ANOTHER TERMINAL: tmux is not installed here");

describe.skipIf(noCages || !hasTmux)("full-screen programs", () => {
  const there = plays.filter(({ argv }) => existsSync(argv[0] ?? ""));
  test.each(there)("[TM4] $program shows what another terminal shows", async ({ argv, keys }) => {
    const rig = await KeeperRig.open(whos[0] ?? "user", { files: { "numbers.txt": `${numbers}\n` } });
    const terminal = await TerminalRig.open(rig, argv, { LANG: "C.UTF-8" });
    for (const [typed, seen] of keys) {
      if (typed !== "") await terminal.type(typed);
      await terminal.sees(seen);
    }
    const { lines, offset, cols, rows } = await terminal.screen();
    const bytes = (await terminal.bytes()).subarray(0, offset);
    expect(lines.map((line) => line.trimEnd())).toEqual(tmuxLines(bytes, { cols, rows }));
    // And so does the terminal of a viewer, who gets less.
    const [all, passed] = await Promise.all(
      [bytes, new ViewerFilter(usualPolicy).pass(bytes)].map(async (shown) => {
        const screen = new Screen({ cols, rows, onAnswer: () => undefined });
        await new Promise<void>((resolve) => screen.write(shown, resolve));
        return screen.serialize(100);
      }),
    );
    expect(passed).toBe(all);
  });
});
