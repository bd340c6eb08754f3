import { describe, expect, test } from "vitest";
import { KeeperRig, noCages, whos } from "../../../test/support/keeper-rig.ts";
import { TerminalRig } from "../../../test/support/terminal-rig.ts";
import type { TerminalLineAnswer } from "../../protocol/keeper/terminal-wire.ts";
import { HostLine } from "./host-line.ts";

async function lineTo(rig: KeeperRig, terminal: string, from = 0): Promise<HostLine> {
  const { socket } = await rig.client.request<TerminalLineAnswer>({ op: "terminal-line", terminal });
  return new HostLine(socket, { terminal, from });
}

/** What comes by a line, until it is enough or there is no more. */
async function heardBy(line: HostLine, isEnough: (said: Buffer) => boolean = () => false): Promise<Buffer> {
  const { signal } = new AbortController();
  for (let said = Buffer.alloc(0); ;) {
    const next = await line.next(signal);
    if (next !== undefined) said = Buffer.concat([said, next.bytes]);
    if (next === undefined || isEnough(said)) return said;
  }
}

describe.skipIf(noCages).each(whos)("a line to the host of a keeper run by a %s", (who) => {
  test("[TM24] what is said comes by itself, and what is typed is typed once, by whichever way it comes", async () => {
    const rig = await KeeperRig.open(who);
    const terminal = await TerminalRig.open(rig, ["/bin/sh", "-c", "stty raw -echo; printf ready; exec cat"]);
    const line = await lineTo(rig, terminal.name);
    const early = await heardBy(line, (said) => said.includes("ready"));
    expect(await line.type(Buffer.from("a"), "tag-1")).toBe(true);
    await terminal.type("a", "tag-1");
    await terminal.type("b", "tag-2");
    expect(await line.type(Buffer.from("b"), "tag-2")).toBe(true);
    expect(await line.type(Buffer.from("c"), "tag-3")).toBe(true);
    const late = await heardBy(line, (said) => said.includes("c"));
    expect(Buffer.concat([early, late]).toString()).toBe("readyabc");
    line.close();
    expect(await line.type(Buffer.from("d"), "tag-4")).toBe(false);
  });

  test("[TM24] who does not keep up gets every byte from the recording, and hears that it is over", async () => {
    const rig = await KeeperRig.open(who);
    const script = "stty raw -echo; read go; seq 1 400000";
    const terminal = await TerminalRig.open(rig, ["/bin/sh", "-c", script]);
    const line = await lineTo(rig, terminal.name);
    expect(await line.type(Buffer.from("\n"), "tag-1")).toBe(true);
    // Nobody takes what comes meanwhile, and nothing waits for that.
    await terminal.end();
    const all = await terminal.bytes();
    expect(all.length).toBeGreaterThan(2_000_000);
    expect((await heardBy(line)).equals(all)).toBe(true);
    expect(line.isOver).toBe(true);
    expect((await heardBy(await lineTo(rig, terminal.name))).length).toBe(0);
  });
});
