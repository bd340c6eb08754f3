// `signalbox attach` and `signalbox recording` as a person meets them, at a terminal of their own.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../../src/client/client.ts";
import { DaemonProcess } from "../support/daemon-process.ts";
import { builtProgram } from "../support/built-program.ts";
import { PersonRig } from "../support/person-rig.ts";
import { SampleProject } from "../support/sample-project.ts";
import { makeTempFolder } from "../support/temp-folder.ts";

const signalbox = `${process.execPath} ${builtProgram("cli")}`;

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

const person = (words: string): PersonRig => new PersonRig(words, { SIGNALBOX_HOME: daemon.home });

function say(...words: string[]): string {
  const env = { ...process.env, SIGNALBOX_HOME: daemon.home };
  const [program = "", ...first] = signalbox.split(" ");
  return execFileSync(program, [...first, ...words], { env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

describe("signalbox attach", () => {
  test("[TM12] a person leaves and comes back; their own terminal is as it was", async () => {
    const modes = "stty -a | grep -o -- '-\\?icanon\\|-\\?echo \\|-\\?isig'";
    const first = person(`${modes}; ${signalbox} attach ${run}; echo code $?; ${modes}`);
    await first.sees(/\$ /);
    first.type("cat a.txt; echo $COLUMNS-$LINES\r");
    await first.sees("hello from the project");
    first.type("\u0010\u0011");
    expect(await first.exited).toBe(0);
    expect(first.said).toContain("ctrl-p ctrl-q leaves");
    expect(first.said).toContain("code 0");
    expect(first.said.split("\r\n").filter((line) => /icanon|isig/.test(line))).toEqual([
      "isig",
      "icanon",
      "isig",
      "icanon",
    ]);
    // What was there is there, and the daemon may go meanwhile.
    const again = person(`${signalbox} attach ${run}; echo code $?`);
    await again.sees("hello from the project");
    let holders = 0;
    for await (const event of client.events({ after: 0, types: ["terminal.keyboard"] })) {
      if (event["how"] === "taken" || event["how"] === "given") holders++;
      if (holders === 2) break;
    }
    await daemon.kill();
    again.type("echo typed while nobody was there\r");
    await daemon.up();
    client.close();
    client = await daemon.connect();
    await again.sees(/^typed while nobody was there/m);
    // A size and a key come by different ways, so the one is waited for before the other.
    again.type("sh -c 'trap \"stty size\" WINCH; echo is ready; read line'\r");
    await again.sees(/^is ready/m);
    again.resize(90, 25);
    await again.sees("25 90");
    again.type("\r");
    again.type("exit 5\r");
    await again.sees("code 5");
    expect(again.said.match(/typed while nobody was there\r\n/g)?.length).toBeGreaterThan(0);
  });

  test("[TM11] who only looks cannot type, and a program is recorded, listed, played, searched and exported", async () => {
    const opened = person(
      `${signalbox} attach --new ${run} -- sh -c 'echo one two; read line; echo "[$line]"; exit 4'`,
    );
    await opened.sees("one two");
    const { terminals } = await client.call("terminal.list", { run });
    const terminal = terminals[0]?.id ?? "";
    const looking = person(`${signalbox} attach --read-only ${terminal}; echo code $?`);
    await looking.sees("one two");
    looking.type("from the looker\r");
    expect(say("terminal", "list")).toContain(terminal);
    opened.type("from the owner\r");
    await looking.sees("code 4");
    expect(await opened.exited).toBe(4);
    expect(looking.said).not.toContain("[from the looker]");
    expect(say("recording", "list")).toMatch(new RegExp(`^${terminal} +${run} `, "m"));
    expect(say("recording", "search", "FROM THE OWNER")).toContain("[from the owner]");
    const file = join(makeTempFolder(), "a.cast");
    say("recording", "export", terminal, "-o", file);
    const [head = "", ...events] = readFileSync(file, "utf8").trim().split("\n");
    expect(JSON.parse(head)).toMatchObject({ version: 2, width: 100, height: 30 });
    const texts = events.map((line) => JSON.parse(line) as [number, string, string]).filter(([, kind]) => kind === "o");
    expect(texts.map(([, , text]) => text).join("")).toBe("one two\r\nfrom the owner\r\n[from the owner]\r\n");
    expect(say("recording", "export", "--text", terminal)).toContain("one two\nfrom the owner\n[from the owner]\n");
    const played = person(`${signalbox} recording play --speed 100 ${terminal}; echo played $?`);
    await played.sees("played 0");
    expect(played.said).toContain("[from the owner]");
  });

  test("what cannot be is said in a sentence", async () => {
    const refused = (...words: string[]): string => {
      try {
        say(...words);
        return "";
      } catch (error) {
        return String((error as { stderr: unknown }).stderr);
      }
    };
    expect(refused("attach", run)).toContain("attach needs a terminal on standard input");
    expect(refused("attach", "--read-only", "te_zz")).toContain('There is no terminal "te_zz"');
    expect(refused("attach", "--read-only", "r_zz")).toContain("no terminal that is open");
    expect(refused("recording", "play", "te_zz")).toContain('There is no terminal "te_zz"');
    expect(refused("recording", "play", "--speed", "0", "te_zz")).toContain('--speed "0"');
    const missing = person(`${signalbox} attach r_zz; echo code $?`);
    await missing.sees("code 4");
    expect(missing.said).toContain('There is no run "r_zz"');
    const bad = person(`${signalbox} attach --new ${run} -- /no/such/program; echo code $?`);
    await bad.sees(/code 12[67]/);
    expect(bad.said).toContain("not found");
  });
});
