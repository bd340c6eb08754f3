// Several windows of an agent on one person's terminal: side by side, one above the other, added, put away and ended.

import { beforeAll, describe, expect, test } from "vitest";
import { builtProgram } from "../support/built-program.ts";
import { AgentRig } from "../support/agent-rig.ts";
import { noCages } from "../support/keeper-rig.ts";
import { PersonRig } from "../support/person-rig.ts";

const signalbox = `${process.execPath} ${builtProgram("cli")}`;
const stack = `
template: shop
services:
  web: { command: 'echo "said by web"; exec sleep 1000' }
`;
const keys = {
  side: "\u0010\u0016",
  below: "\u0010\u0004",
  next: "\u0010\u000f",
  away: "\u0010\u001a",
  leave: "\u0010\u0011",
};

describe.skipIf(noCages)("panes", () => {
  const rig = AgentRig.forAll({ "a.txt": "hello\n" });
  let agent: string;

  beforeAll(async () => {
    agent = (await rig.up(stack)).id;
  });

  const person = (words: string): PersonRig =>
    new PersonRig(
      `${signalbox} attach ${words}; echo code $?`,
      { SIGNALBOX_HOME: rig.daemon.home },
      { cols: 101, rows: 31 },
    );
  const open = async (): Promise<string[]> =>
    (await rig.call("terminal.list", { agent })).terminals.map(({ window }) => window).toSorted();
  /** What is typed before somebody has the keyboard is typed nowhere. */
  const allTyped = async (count: number): Promise<void> => {
    const typed = async (): Promise<number> =>
      (await rig.call("terminal.list", { agent })).terminals.filter(({ keyboard }) => keyboard !== null).length;
    await expect.poll(typed).toBe(count);
  };

  /** A size comes by another way than keys, a moment before or after them. */
  const whenSized = (size: string): string =>
    `until [ "$(stty size)" = '${size}' ]; do sleep 0.05; done; echo "i"s $(stty size)\r`;

  test("[TM26] windows stand side by side, each of its own size, and one is typed in", async () => {
    const ann = person("shop-1 --window one --window web --window two");
    await ann.sees(/▸one .* web .* two /);
    await ann.sees("said by web");
    // Both shells, wherever their prompts break.
    await ann.sees(/\$ [^]*\$ /);
    await allTyped(2);
    ann.type(whenSized("30 33"));
    await ann.sees(/^is 30 33 +│/m);
    // What is typed at a view goes nowhere.
    ann.type(`${keys.next}typed at a view\r${keys.next}echo $((40 + 2)) in two\r`);
    await ann.sees(/│42 in two/);
    expect(ann.lines.join("\n")).not.toContain("typed at");
    ann.resize(61, 21);
    ann.type(whenSized("20 19"));
    await ann.sees("is 20 19");
    ann.type(keys.leave);
    await ann.sees("code 0");
    expect(await open()).toEqual(["one", "two"]);
    const again = person("shop-1 --stack --window two --window one");
    await again.sees(/42 in two[^]*─────[^]*▸two/);
    await allTyped(2);
    again.type("exit\r");
    await again.sees(/▸one .*two has ended/);
    again.type("exit 3\r");
    await again.sees("code 3");
    expect(await open()).toEqual([]);
  });

  test("[TM26] a person who is in one terminal opens another beside or below it, and puts one away, which goes on", async () => {
    const ann = person("shop-1 --window first");
    await ann.sees(/\$ $/m);
    await allTyped(1);
    ann.type("echo in the $((1))st\r");
    await ann.sees("in the 1st");
    ann.type(keys.below);
    await ann.sees(/in the 1st[^]*─────[^]*\$ [^]*first +▸/);
    await allTyped(2);
    ann.type(whenSized("14 101"));
    await ann.sees("is 14 101");
    ann.type(keys.side);
    await ann.sees(/in the 1st.*│.*│/);
    ann.type(`${keys.next}echo back in the $((1))st\r`);
    await ann.sees("back in the 1st");
    expect(await open()).toHaveLength(3);
    ann.type(keys.away);
    await expect.poll(() => /▸/.test(ann.lines.at(-1) ?? "") && !/first/.test(ann.lines.at(-1) ?? "")).toBe(true);
    expect(await open()).toHaveLength(3);
    ann.type("exit\r");
    await ann.sees("has ended");
    ann.type("exit 4\r");
    await ann.sees("code 4");
    expect(await open()).toEqual(["first"]);
  });

  test("[TM26] what does not fit is said, and nothing is opened", async () => {
    const before = await open();
    const windows = ["a", "b", "c", "d", "e"].map((name) => `--window ${name}`).join(" ");
    const many = person(`shop-1 ${windows}`);
    await many.sees("do not fit");
    await many.sees("code 2");
    expect(await open()).toEqual(before);
  });
});
