// Terminals in the cages of real runs, over a real daemon: several people, and a daemon that is killed under them.

import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../../src/client/client.ts";
import { DaemonProcess } from "../support/daemon-process.ts";
import { SampleProject } from "../support/sample-project.ts";
import { ViewerRig } from "../support/viewer-rig.ts";

let daemon: DaemonProcess;
let client: Client;
let sample: SampleProject;
let run: string;

beforeAll(async () => {
  daemon = await DaemonProcess.start();
  client = await daemon.connect();
  sample = new SampleProject({ "a.txt": "hello from the project\n" });
  const { project } = await client.call("project.add", { root: sample.root });
  const script = JSON.stringify({ task: "look inside", steps: [{ ask: "may I end?" }] });
  ({ run } = await client.call("run.submit", { project, runner: "script", script }));
  await client.waitForRun(run, { states: ["awaiting-input"] });
});

afterAll(async () => {
  client.close();
  await daemon.remove();
  sample.remove();
});

async function open(argv?: readonly string[]): Promise<string> {
  const program = argv === undefined ? {} : { argv: [...argv] };
  return (await client.call("terminal.open", { run, ...program })).terminal;
}

const look = (terminal: string, more: Partial<ConstructorParameters<typeof ViewerRig>[1]> = {}): ViewerRig =>
  new ViewerRig(daemon.home, { terminal, size: { cols: 80, rows: 24 }, ...more });

describe("a terminal", () => {
  test("[TM4] is inside the cage of the run, and a late joiner sees what the others see", async () => {
    const terminal = await open();
    const one = look(terminal);
    await one.until(() => one.hasKeyboard);
    one.type("cat a.txt; printf '\\033[31mred\\033[m \\033[6n'; read -s -d R; echo; id -un\r");
    // With the next prompt nothing is on its way any more.
    const atRest = /^agent\s*\nagent@.*\$ *$/m;
    await one.sees(atRest);
    const late = look(terminal, { readOnly: true });
    await late.sees(atRest);
    expect(await late.whole()).toBe(await one.whole());
    expect((await one.lines()).join("\n")).toContain("hello from the project");
    // Nobody's window was asked anything.
    expect([...one.answers, ...late.answers]).toEqual([]);
    const { terminals } = await client.call("terminal.list", { run });
    expect(terminals[0]).toMatchObject({ id: terminal, keyboard: { viewer: one.viewer }, ended: null });
    expect(terminals[0]?.viewers).toHaveLength(2);
    one.type("exit 3\r");
    expect(await one.ended()).toMatchObject({ exit: 3, why: "ended" });
    expect(await late.ended()).toMatchObject({ exit: 3 });
  });

  test("[TM11, TM28] a read-only viewer types nothing, and the keyboard passes from one to the other", async () => {
    const terminal = await open(["/bin/sh", "-c", 'stty -echo; echo ready; while read line; do echo "<$line>"; done']);
    const [one, two, reader] = [look(terminal), look(terminal), look(terminal, { readOnly: true })];
    await one.until(() => one.viewers.length === 3 && one.viewers.some(({ keyboard }) => keyboard));
    await reader.sees("ready");
    const [holder, other] = one.hasKeyboard ? [one, two] : [two, one];
    reader.type("from the reader\r");
    other.type("from the other\r");
    await reader.until(() => reader.news.some((news) => "refused" in news));
    await other.until(() => other.news.some((news) => "refused" in news));
    holder.type("from the holder\r");
    await reader.sees("<from the holder>");
    expect(reader.viewers.filter(({ asks }) => asks)).toEqual([]);
    // Whoever asked is next.
    other.line.say({ keyboard: "ask" });
    await reader.until(() => reader.viewers.some(({ asks }) => asks));
    holder.line.say({ keyboard: "free" });
    await other.until(() => other.hasKeyboard);
    holder.type("too late\r");
    await holder.until(() => holder.news.some((news) => "refused" in news));
    other.type("my turn\r");
    await reader.sees("<my turn>");
    holder.line.say({ keyboard: "take" });
    await holder.until(() => holder.hasKeyboard);
    holder.line.say({ say: "thank you" });
    await other.until(() => other.news.some((news) => "said" in news && news.said.text === "thank you"));
    const shown = (await reader.lines()).filter((line) => line !== "");
    expect(shown).toEqual(["ready", "<from the holder>", "<my turn>"]);
    const { events } = await client.call("run.log", { run, limit: 1000 });
    const passed = events.filter((event) => event.type === "terminal.keyboard" && event["terminal"] === terminal);
    expect(passed.map((event) => event["how"])).toEqual(["taken", "asked", "freed", "given", "taken"]);
    await client.call("terminal.close", { terminal });
    expect(await reader.ended()).toMatchObject({ why: "stopped" });
  });

  test("[TM11] a long paste gets there whole and in order, over one connection, also where its program reads late", async () => {
    // More than the terminal itself keeps for its program.
    const bytes = 1536 * 1024;
    const waiting = "until [ -e /tmp/go ]; do sleep 0.05; done";
    const reading = `stty raw -echo; echo ready; ${waiting}; head -c ${bytes} | sha256sum; echo over`;
    const one = look(await open(["/bin/sh", "-c", reading]));
    await one.sees("ready");
    await one.until(() => one.hasKeyboard);
    const paste = Array.from({ length: bytes / 8 }, (_, index) => index.toString().padStart(8, "0")).join("");
    one.type(paste);
    await look(await open(["/bin/touch", "/tmp/go"])).ended();
    const shown = await one.sees("over");
    expect(shown).toContain(createHash("sha256").update(paste).digest("hex"));
    expect(one.sockets).toBe(1);
    expect(one.news.some((news) => "refused" in news)).toBe(false);
  });

  test("[TM6] the terminal has the size of the window that is typed in, and all see it anew", async () => {
    // It says its size whenever that is another one.
    const telling =
      'last=; while :; do now=$(stty size); [ "$now" = "$last" ] || echo "$now"; last=$now; sleep 0.1; done';
    const terminal = await open(["/bin/sh", "-c", telling]);
    const one = look(terminal, { size: { cols: 60, rows: 20 } });
    await one.until(() => one.hasKeyboard);
    const two = look(terminal, { size: { cols: 100, rows: 30 } });
    await two.until(() => two.screens > 0);
    await two.sees("20 60");
    one.line.resize(70, 22);
    await two.sees("22 70");
    two.line.say({ keyboard: "take" });
    await two.until(() => two.hasKeyboard);
    await two.until(() => two.news.some((news) => "size" in news && news.size.cols === 100));
    await one.sees("30 100");
    await one.agreesWith(two);
    expect(await one.whole()).toBe(await two.whole());
    await client.call("terminal.close", { terminal });
  });

  test("[TM12] a daemon that is killed while it floods costs nobody a byte", async () => {
    const flood = String.raw`stty -opost -echo; echo ready; read go; i=0; while [ $i -lt 60000 ]; do i=$((i+1)); echo "line $i of a flood"; done; read end; echo over`;
    const terminal = await open(["/bin/bash", "-c", flood]);
    const viewer = look(terminal, { whole: true });
    // Only what comes after the first screen is shown byte by byte.
    await viewer.sees("ready");
    await viewer.until(() => viewer.hasKeyboard);
    viewer.type("\r");
    const late: ViewerRig[] = [];
    let before = Buffer.alloc(0);
    for (const lines of [3000, 20_000, 40_000]) {
      await viewer.until(() => viewer.shown.includes(`line ${lines} of`));
      await daemon.kill();
      before = viewer.shown;
      await daemon.up();
      client.close();
      client = await daemon.connect();
      late.push(look(terminal, { readOnly: true }));
    }
    await viewer.until(() => viewer.shown.includes("line 60000 of"));
    // Who comes when it is over is shown nothing any more.
    for (const each of late) await each.until(() => each.screens > 0);
    viewer.type("\r");
    expect(await viewer.ended()).toMatchObject({ exit: 0 });
    await viewer.sees("over");
    expect(viewer.shown.subarray(0, before.length).equals(before)).toBe(true);
    const numbers = viewer.shown.toString().matchAll(/line (\d+) of a flood\n/g);
    expect([...numbers].map(([, number]) => Number(number))).toEqual(
      Array.from({ length: 60_000 }, (_, index) => index + 1),
    );
    for (const each of late) {
      expect(await each.ended()).toMatchObject({ exit: 0 });
      await each.sees("over");
      expect(await each.whole()).toBe(await viewer.whole());
    }
    const said = Array.from({ length: 60_000 }, (_, index) => `line ${index + 1} of a flood\n`).join("");
    expect(await recorded(terminal)).toBe(`ready\n${said}over\n`);
  });
});

async function recorded(terminal: string): Promise<string> {
  const parts: Buffer[] = [];
  for (let from: number | null = 0; from !== null;) {
    const page: Awaited<ReturnType<typeof client.call<"terminal.recording">>> = await client.call(
      "terminal.recording",
      {
        terminal,
        from,
      },
    );
    for (const event of page.events) if ("base64" in event) parts.push(Buffer.from(event.base64, "base64"));
    from = page.next;
  }
  return Buffer.concat(parts).toString();
}
