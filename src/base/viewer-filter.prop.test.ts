import headless from "@xterm/headless";
import fc from "fast-check";
import { expect, test } from "vitest";
import { search } from "../../test/support/search.ts";
import { usualPolicy, ViewerFilter } from "./viewer-filter.ts";

/** What sequences are made of, whole and in parts, so that the parts meet. */
const parts = [
  ...[
    "\u001b",
    "\u001b[",
    "\u001b]",
    "\u001bP",
    "\u001b_",
    "\u001b\\",
    "\u0090",
    "\u0098",
    "\u009a",
    "\u009b",
    "\u009c",
    "\u009d",
  ],
  ...[
    "\u0000",
    "\u0005",
    "\u0007",
    "\u0018",
    "\u001a",
    "\u007f",
    "?",
    ">",
    "$",
    "%",
    ";",
    ":",
    "\n",
    "é",
    "日",
    "Z",
    "q",
    "5",
    "6",
  ],
  ...[
    "c",
    "n",
    "0c",
    "6n",
    "?6n",
    ">c",
    "18t",
    "?25$p",
    "52;c;ZXZpbA==",
    "4;1;?",
    "11;?",
    "0;title",
    "q#0",
    "$qm",
    "x",
    "?u",
    ">q",
  ],
];

const said = fc
  .array(
    fc.oneof(
      { arbitrary: fc.constantFrom(...parts).map((text) => Buffer.from(text)), weight: 8 },
      fc.uint8Array({ minLength: 1, maxLength: 2 }),
      // Raw, and in a spelling that is too long.
      fc
        .constantFrom([0x9b], [0x9d], [0x90], [0xc2], [0xc0, 0x9b], [0xe0, 0x82, 0x9b])
        .map((raw) => Uint8Array.from(raw)),
    ),
    { maxLength: 24 },
  )
  .map((each) => Buffer.concat(each));

const [esc, bell, shiftIn] = ["\u001b", "\u0007", "\u000f"];
const letters = String.raw` -~\u00a0-\u{10ffff}`;
const shapes = [
  `[${bell}-${shiftIn}${letters}]`,
  String.raw`${esc}\[[<=>?]?[\d;:]*[ -\/]*[@-~]`,
  String.raw`${esc}\](?!52)[${letters}]*(?:${bell}|${esc}\\)`,
  String.raw`${esc}P[\d;]*q[\r\n -~]*${esc}\\`,
  String.raw`${esc}[ -\/]*[0-OQ-Za-~]`,
];
const wellFormed = new RegExp(`^(?:${shapes.join("|")})*$`, "u");

test("[TM5] [TM10] whatever is said and however it is cut, no viewer's terminal answers, and none gets a clipboard", async () => {
  await fc.assert(
    fc.asyncProperty(said, fc.array(fc.nat({ max: 60 }), { maxLength: 6 }), async (bytes, cuts) => {
      const filter = new ViewerFilter(usualPolicy);
      const shown: Uint8Array[] = [];
      let from = 0;
      for (const cut of [...cuts.filter((cut) => cut < bytes.length).toSorted((a, b) => a - b), bytes.length]) {
        shown.push(filter.pass(bytes.subarray(from, cut)));
        from = cut;
      }
      const passed = Buffer.concat(shown);
      // Every terminal reads this as we do, whatever it makes of what is not well formed.
      expect(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(passed)).toMatch(wellFormed);
      expect(await reached(passed)).toEqual([]);
      expect(Buffer.from(new ViewerFilter(usualPolicy).pass(bytes))).toEqual(passed);
    }),
    search(1500),
  );
});

/** What a terminal would send, or put on a clipboard. */
async function reached(bytes: Uint8Array): Promise<string[]> {
  const terminal = new headless.Terminal({ cols: 20, rows: 5, allowProposedApi: true, logLevel: "off" });
  const heard: string[] = [];
  terminal.onData((data) => heard.push(data));
  for (const command of [4, 10, 11, 12, 52])
    terminal.parser.registerOscHandler(command, (data) => {
      if (command === 52 || data.includes("?")) heard.push(`${command};${data}`);
      return false;
    });
  await new Promise<void>((resolve) => terminal.write(bytes, resolve));
  terminal.dispose();
  return heard;
}
