// A model drives a run: a client that we did not write, at the run's own address, beside runs that want the same files.

import { readFile } from "node:fs/promises";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Client as Signalbox } from "../../src/client/client.ts";
import { homePaths, type DaemonInfo } from "../../src/protocol/home.ts";
import { DaemonProcess } from "../support/daemon-process.ts";
import { SampleProject } from "../support/sample-project.ts";

let daemon: DaemonProcess;
let signalbox: Signalbox;
let sample: SampleProject;
let project: string;
const models: Client[] = [];

beforeAll(async () => {
  daemon = await DaemonProcess.start();
  signalbox = await daemon.connect();
  sample = new SampleProject({ "a.txt": "one\ntwo\n", "b.txt": "b\n", "old/c.txt": "c\n" });
  ({ project } = await signalbox.call("project.add", { root: sample.root }));
});

afterAll(async () => {
  for (const model of models) await model.close();
  signalbox.close();
  await daemon.remove();
  sample.remove();
});

type Opened = { readonly url: string; readonly token: string };

async function connect({ url, token }: Opened): Promise<Client> {
  const client = new Client({ name: "a model", version: "1.0.0" });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  models.push(client);
  return client;
}

async function call(client: Client, name: string, args: Record<string, unknown> = {}): Promise<string> {
  const { content, isError } = await client.callTool({ name, arguments: args });
  const [first] = content as { type: string; text: string }[];
  return `${isError === true ? "NO " : ""}${first?.text ?? ""}`;
}

/** The daemon's address; another one in each of its lives. */
async function urlNow(): Promise<string> {
  return (JSON.parse(await readFile(homePaths(daemon.home).daemon, "utf8")) as DaemonInfo).url;
}

async function doorNow({ url }: Opened): Promise<string> {
  return new URL(new URL(url).pathname, await urlNow()).href;
}

/** What somebody with this token is told at an address. */
async function knock(url: string, token: string): Promise<unknown> {
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} });
  return (await fetch(url, { method: "POST", headers, body })).json();
}

async function inState(run: string, state: string): Promise<void> {
  for (;;) {
    const answer = await signalbox.call("run.wait", { run, states: [state as "done"], waitMs: 20_000 });
    if (answer.reached) return;
  }
}

/** Waits until what a run landed is on the person's branch. */
async function published(run: string): Promise<void> {
  const { landed } = (await signalbox.call("run.get", { run })).run;
  for await (const event of signalbox.events({ after: 0, project }))
    if (event.type === "mainline.published" && event["commit"] === landed) return;
}

async function submit(title: string): Promise<{ run: string; door: Opened }> {
  const { run, door } = await signalbox.call("run.submit", { project, title, runner: "mcp" });
  if (door === null) throw new Error("the run has a door");
  return { run, door };
}

test("[EN35, EN36] a model works under leases beside a script, asks, outlives the daemon, and its work lands", async () => {
  const script = "task: holds b\nsteps: [{ edit: { path: b.txt, find: b, replace: bb } }, { ask: done? }]\n";
  const { run: holder } = await signalbox.call("run.submit", { project, script });
  await inState(holder, "awaiting-input");
  const { run, door } = await submit("tidy up");
  const model = await connect(door);
  expect(model.getInstructions()).toContain("Your task: tidy up");

  // All at once: each is applied or refused, none is lost.
  const edits = await Promise.all([
    call(model, "edit_file", { path: "a.txt", find: "one", replace: "1" }),
    call(model, "edit_file", { path: "a.txt", find: "two", replace: "2" }),
    call(model, "edit_file", { path: "a.txt", find: "one", replace: "uno" }),
    call(model, "write_file", { path: "new.txt", content: "new\n", seen: "none" }),
  ]);
  expect(edits.map((text) => text.split(/[ :]/)[0])).toEqual(["edited", "edited", "NO", "wrote"]);
  expect(edits[2]).toMatch(/^NO no-match: .*Call read_file/s);
  const patch = "*** Begin Patch\n*** Update File: old/c.txt\n*** Move to: d.txt\n@@\n-c\n+d\n*** End Patch";
  expect(await call(model, "apply_patch", { patch })).toMatch(/^moved old\/c.txt to d.txt \(\w+\)\nedited d.txt/);
  expect(await call(model, "read_file", { path: "a.txt" })).toMatch(
    /^a.txt, lines 1 to 2 of 2, hash \w{12}\n\n1\n2\n$/,
  );

  // What a script holds is waited for, and comes as the script has landed it.
  const claim = call(model, "claim", { units: ["file:b.txt"] });
  await inState(run, "blocked");
  const locks = await call(model, "locks");
  expect(locks).toContain(`${holder} holds file:b.txt`);
  expect(locks).toContain(`${run} waits for file:b.txt at position 1`);
  await signalbox.call("run.answer", { run: holder, text: "yes" });
  expect(await claim).toBe("yours: file:b.txt");
  expect(await call(model, "run_command", { command: "cat b.txt; exit 3" })).toMatch(
    /^NO exit-nonzero: .* ended with 3\n\nbb\n/,
  );

  // The daemon dies while a person is asked: the same question again is the same question.
  const lost = call(model, "ask_user", { question: "land it?" }).catch(() => "lost");
  await inState(run, "awaiting-input");
  await daemon.kill();
  await model.close();
  expect(await lost).toBe("lost");
  signalbox.close();
  await daemon.up();
  signalbox = await daemon.connect();
  await signalbox.call("run.answer", { run, text: "please" });
  const again = await connect({ ...door, url: await doorNow(door) });
  expect(await call(again, "ask_user", { question: "land it?" })).toBe("please");
  expect(await call(again, "finish", { message: "tidied" })).toBe("recorded");
  await inState(run, "done");
  await published(run);
  expect(sample.read("a.txt")).toBe("1\n2\n");
  expect(sample.read("d.txt")).toBe("d\n");
  expect(sample.git("show", "--stat", "--format=", "HEAD")).toContain("new.txt");

  // Its token is dead with it.
  expect(await knock(await doorNow(door), door.token)).toMatchObject({ error: { code: "door-closed" } });
});

test("[EN35] a token opens its own door and nothing else, until a person asks for another", async () => {
  const { run, door } = await submit("nothing");
  const { run: other } = await submit("something else");
  const closed = { error: { code: "door-closed" } };
  expect(await knock(door.url.replace(run, other), door.token)).toMatchObject(closed);
  expect(await knock(`${await urlNow()}/mcp`, door.token)).toMatchObject({ error: { code: "unauthorized" } });
  const token = (await readFile(homePaths(daemon.home).token, "utf8")).trim();
  expect(await knock(door.url, token)).toMatchObject(closed);
  const again = await signalbox.call("run.door", { run });
  expect(await knock(door.url, door.token)).toMatchObject(closed);
  const model = await connect(again);
  const { tools } = await model.listTools();
  expect(JSON.stringify({ tools }).length / 3.5).toBeLessThan(3000);
  expect(await call(model, "finish", { message: "no use", ok: false })).toBe("recorded");
  await inState(run, "failed");
  await signalbox.call("run.stop", { run: other });
});

test("[EN36, RN19] a model starts runs beside and beneath itself, and hears why its result was sent back", async () => {
  await signalbox.call("policy.set", { name: "look", scope: { project }, rules: { approvalRequired: true } });
  const { run, door } = await submit("with help");
  const model = await connect(door);
  const script = "task: help\nsteps: [{ write: { path: help.txt, content: help } }]\n";
  const started = await call(model, "start_subrun", { title: "help", script });
  const sub = /^started (r_\w+);/.exec(started)?.[1] ?? "";
  expect(await call(model, "wait_run", { run: sub })).toBe(`${sub} is over`);
  expect(await call(model, "read_file", { path: "help.txt" })).toContain("help");
  const beside = await call(model, "start_run", { title: "somebody else" });
  const [, other = "", url = "", token = ""] = /started (r_\w+);.* (http\S+) .* token (\S+)/s.exec(beside) ?? [];
  expect(await call(await connect({ url, token }), "finish", { message: "", ok: false })).toBe("recorded");
  await inState(other, "failed");
  expect(await call(model, "finish", { message: "done" })).toBe("recorded");
  await inState(run, "review");
  await signalbox.call("run.return", { run, message: "shorter, please" });
  expect(await call(model, "delete", { path: "help.txt" })).toBe("A person says: shorter, please\n\ndeleted help.txt");
  // There is nothing to look at any more, so nobody is asked.
  expect(await call(model, "finish", { message: "nothing is left" })).toBe("recorded");
  await inState(run, "done");
});

test("[PF6] a profile's tools and variables are what its model has, and so is what it starts", async () => {
  const settings = { runner: "mcp", deniedTools: ["write_file"], env: { GREETING: "moin" } };
  await signalbox.call("profile.set", { name: "no-writing", settings });
  const { run, door } = await signalbox.call("run.submit", { project, title: "look around", profile: "no-writing" });
  if (door === null) throw new Error("the run has a door");
  const model = await connect(door);
  const names = (await model.listTools()).tools.map(({ name }) => name);
  expect([names.includes("write_file"), names.includes("edit_file")]).toEqual([false, true]);
  const forged = await knockWith(door, "write_file", { path: "x.txt", content: "x" });
  expect(forged).toContain("not found");
  expect(await call(model, "run_command", { command: "echo $GREETING" })).toContain("moin");
  const script = "task: write\nsteps: [{ write: { path: x.txt, content: x } }]\n";
  expect(await call(model, "start_subrun", { title: "write", script })).toMatch(/^NO policy-denied/);
  const started = await call(model, "start_subrun", { title: "another" });
  const [, sub = ""] = /started (r_\w+)/.exec(started) ?? [];
  expect((await signalbox.call("run.get", { run: sub })).run).toMatchObject({ profile: "no-writing", settings });
  await signalbox.call("run.stop", { run });
});

/** Calls a tool that the list does not have. */
async function knockWith({ url, token }: Opened, name: string, args: object): Promise<string> {
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  const params = { name, arguments: args };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  return (await fetch(url, { method: "POST", headers, body })).text();
}
