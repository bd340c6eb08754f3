import { expect, test } from "vitest";
import { KeeperRig, noCages } from "../../../test/support/keeper-rig.ts";
import type { KeeperLine } from "../workspace/keepers.ts";
import { Program } from "./program.ts";

async function open(): Promise<{ rig: KeeperRig; line: KeeperLine }> {
  const rig = await KeeperRig.open("user");
  const line: KeeperLine = { request: (op, signal) => rig.client.request(op, { signal }), close: () => undefined };
  return { rig, line };
}

const plain = { env: {}, cwd: null, onMachine: false };
const signal = new AbortController().signal;

test.skipIf(noCages)("a program is spoken to and heard line by line, and found again where it was left", async () => {
  const { line } = await open();
  const script = `echo '{"n":1}'; while read -r word; do printf 'heard %s' "$word"; echo; done; printf rest`;
  const program = new Program(line, "talker");
  await program.begin(["/bin/sh", "-c", script], plain);
  const said = program.read(0, signal);
  expect((await said.next()).value).toEqual([{ text: '{"n":1}', end: 8 }]);
  expect(await program.write("one\n", "first")).toBe(true);
  expect((await said.next()).value).toEqual([{ text: "heard one", end: 18 }]);
  // Somebody else comes later, and begins where the first one had got to.
  const later = new Program(line, "talker");
  await later.begin(["/bin/false"], plain);
  // What was written already is not written again, whoever wants it.
  expect(await later.write("one\n", "first")).toBe(true);
  await line.request({ op: "input", call: "talker", base64: "", end: true });
  const rest: unknown[] = [];
  for await (const lines of later.read(18, signal)) rest.push(...lines.map(({ text }) => text));
  expect(rest).toEqual(["rest"]);
  expect(await later.ended()).toMatchObject({ exit: 0 });
  expect(await program.write("two\n")).toBe(false);
});

test.skipIf(noCages)("what is said in pieces is heard in lines, however long", async () => {
  const { line } = await open();
  const program = new Program(line, "long");
  const long = "head -c 700000 /dev/zero | tr '\\0' x; echo";
  await program.begin(["/bin/sh", "-c", `printf 'a'; ${long}; ${long}; echo ü`], plain);
  const lines: string[] = [];
  for await (const part of program.read(0, signal)) lines.push(...part.map(({ text }) => text));
  expect(lines.map((each) => each.length)).toEqual([700_001, 700_000, 1]);
  expect(lines.at(-1)).toBe("ü");
});
