// Any command as a run: in a real cage, with its changes swept and landed, across the death of the daemon.

import { afterAll, beforeAll, expect, test } from "vitest";
import type { Client } from "../../src/client/client.ts";
import { isOver } from "../../src/core/run/run-states.ts";
import { DaemonProcess } from "../support/daemon-process.ts";
import { SampleProject } from "../support/sample-project.ts";

let daemon: DaemonProcess;
let client: Client;
let sample: SampleProject;
let project: string;

beforeAll(async () => {
  daemon = await DaemonProcess.start();
  client = await daemon.connect();
  sample = new SampleProject({ "a.txt": "one\n" });
  ({ project } = await client.call("project.add", { root: sample.root }));
});

afterAll(async () => {
  client?.close();
  await daemon?.remove();
  sample?.remove();
});

const submit = async (title: string, script: string, more: object = {}): Promise<string> => {
  const command = ["/bin/sh", "-c", script];
  return (await client.call("run.submit", { project, title, runner: "command", command, ...more })).run;
};

const inState = async (run: string, state: string): Promise<string> => {
  for (;;) {
    const answer = await client.call("run.wait", { run, states: [state as "done"], waitMs: 20_000 });
    if (answer.reached) return answer.run.because ?? "";
    if (isOver(answer.run.state)) throw new Error(`${run} is ${answer.run.state}: ${answer.run.because}`);
  }
};

const heardOf = async (run: string): Promise<string> => {
  const { events } = await client.call("run.log", { run, limit: 1000 });
  return JSON.stringify(events.filter(({ type }) => type === "run.heard"));
};

test("[RN28] its changes land, its words are heard, and all of them are kept", async () => {
  const script = 'echo "for: $SIGNALBOX_TASK"; cat; seq 1 20000; echo two >> a.txt; echo x > new.txt; echo last word';
  const run = await submit("add a line", script);
  await inState(run, "done");
  const heard = await heardOf(run);
  expect(heard).toContain("for: add a line");
  expect(heard).toContain("all of it is in the artifact command-1");
  expect(heard.length).toBeLessThan(200_000);
  const { base64 } = await client.call("run.artifact", { run, name: "command-1" });
  expect(Buffer.from(base64, "base64").toString()).toMatch(/\n20000\nlast word\n$/);
  const { lines } = await client.call("project.blame", { project, path: "a.txt" });
  expect(lines.map(({ text, run: by }) => [text, by])).toEqual([
    ["one", null],
    ["two", run],
  ]);
});

test("[RN28] it outlives the daemon, and is not run twice", async () => {
  const run = await submit(
    "wait",
    "echo begun; echo n >> count.txt; until test -e go; do sleep 0.1; done; wc -l < count.txt",
    {
      acceptance: ["grep", "-c", "n", "count.txt"],
    },
  );
  for await (const event of client.events({ after: 0, run }))
    if (event.type === "run.heard" && JSON.stringify(event).includes("begun")) break;
  client.close();
  await daemon.kill();
  await daemon.up();
  client = await daemon.connect();
  const { run: shown } = await client.call("run.get", { run });
  expect(["running", "parked"]).toContain(shown.state);
  const helper = "task: let it go on\nsteps: [{ write: { path: go, content: go } }]\n";
  await client.call("run.submit", { project, script: helper, parent: run, sub: true });
  await inState(run, "done");
  const { lines } = await client.call("project.blame", { project, path: "count.txt" });
  expect(lines.map(({ text }) => text)).toEqual(["n"]);
});

test("[RN28] another exit than 0 fails the run, and says what the command said last", async () => {
  const run = await submit("fail", "echo oh no; exit 3");
  expect(await inState(run, "failed")).toBe("the command ended with 3, saying oh no");
});

test("[RN28] it is run again for a person's word, and not for a failed acceptance", async () => {
  await client.call("policy.set", { name: "look", rules: { approvalRequired: true }, scope: { project } });
  const run = await submit("greet", 'echo "${SIGNALBOX_MESSAGE:-hello}" > greeting.txt');
  await inState(run, "review");
  await client.call("run.return", { run, message: "moin" });
  for await (const event of client.events({ after: 0, run }))
    if (event.type === "run.heard" && event["life"] === 2) break;
  await inState(run, "review");
  await client.call("run.approve", { run });
  await inState(run, "done");
  const { lines } = await client.call("project.blame", { project, path: "greeting.txt" });
  expect(lines.map(({ text }) => text)).toEqual(["moin"]);
  const bad = await submit("never good", "true", { acceptance: ["false"] });
  expect(await inState(bad, "failed")).toContain("a command cannot mend it");
  await client.call("policy.remove", { name: "look" });
});

test("a command goes with its runner, and takes no messages", async () => {
  const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
    promise.then(
      () => "none",
      (error: unknown) => (error as { code: string }).code,
    );
  expect(await codeOf(client.call("run.submit", { project, title: "t", runner: "command" }))).toBe("bad-input");
  expect(await codeOf(client.call("run.submit", { project, title: "t", runner: "mcp", command: ["x"] }))).toBe(
    "bad-input",
  );
  const run = await submit("wait", "sleep 60");
  expect(await codeOf(client.call("run.steer", { run, message: "hi", interrupt: false }))).toBe("runner-cannot");
  await client.call("run.stop", { run });
});

test.each(["as it is", "killed in between"])(
  "[RN16] continued, it finds what it had built, in step with what has landed since; the daemon %s",
  async (how) => {
    const name = how.slice(0, 2);
    // Nobody else is in the person's repository while they commit.
    const isPublished = async (): Promise<boolean> => {
      const { project: shown } = await client.call("project.get", { project });
      return shown.published === shown.mainline;
    };
    await expect.poll(isPublished, { timeout: 30_000 }).toBe(true);
    sample.write({ ".gitignore": "build-*\n", [`${name}.txt`]: "old\n" });
    sample.commit("what is built is ignored");
    // The first time it builds, and the next time it shows what is there.
    const built = `build-${name}`;
    const show = `cat ${built}/x ~/${name} ${name}.txt > ${name}-seen.txt`;
    const build = `mkdir ${built} && echo built > ${built}/x && echo at home > ~/${name} && echo ${name} >> a.txt`;
    const run = await submit("build", `if test -e ${built}; then ${show}; else ${build}; fi`);
    await inState(run, "done");
    await inState(await submit("change", `echo new > ${name}.txt`), "done");
    if (how === "killed in between") {
      client.close();
      await daemon.kill();
      await daemon.up();
      client = await daemon.connect();
    }
    await client.call("run.continue", { run, message: "once more" });
    await inState(run, "done");
    const { lines } = await client.call("project.blame", { project, path: `${name}-seen.txt` });
    expect(lines.map(({ text, run: by }) => [text, by])).toEqual([
      ["built", run],
      ["at home", run],
      ["new", run],
    ]);
    const { events } = await client.call("run.log", { run, limit: 1000 });
    expect(events.filter(({ type }) => type === "run.placed")).toHaveLength(1);
    expect(events.some((event) => event["fresh"] === true)).toBe(false);
  },
);
