// The door, as a model comes to it: a call over MCP that is policed, leased, fenced, journalled, recorded and durable, against
// the same file operation done by an MCP server that does nothing else, and by this process itself. And how soon a script
// agent has done its first call, from nothing.

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { Contender, Row } from "../harness/contender.ts";
import type { Peers } from "../peers/peers.ts";
import { one, rested, with_ } from "./one-by-one.ts";
import type { RowMaker } from "./row-maker.ts";

const mayCostMs = 2;
const inProcess = "fs in process";
const bare = "a bare MCP server";
const coldNode = "a cold node start";
/** Until what waits for agents is there again, and what was ended is gone. */
const restMs = 2000;
const restedTimes = 2;
const file = "a.txt";
const text = "a line of text\n".repeat(60);

export const doorRows: readonly RowMaker[] = [
  { name: "door-read", programs: [], make: (peers) => callRow(peers, "door-read") },
  { name: "door-write", programs: [], make: (peers) => callRow(peers, "door-write") },
  { name: "first-call", programs: [], make: (peers) => firstCall(peers, "first-call") },
  { name: "first-call-burst", programs: [], make: (peers) => firstCall(peers, "first-call-burst") },
];

async function callRow(peers: Peers, name: "door-read" | "door-write"): Promise<Row> {
  const daemon = await peers.daemon();
  const signalbox = daemon.connect();
  const submit = { project: daemon.project, runner: "mcp", title: name };
  const { run, door } = await signalbox.call("run.submit", submit);
  if (door === null) throw new Error("the run has no door");
  const ours = await connect(door.url, door.token);
  const theirs = await connect((await peers.bareMcp()).url);
  const plain = path.join(fs.mkdtempSync(path.join(peers.folder, "plain-")), file);
  for (const client of [ours, theirs]) await call(client, "write_file", { path: file, content: text });
  fs.writeFileSync(plain, text);

  let writes = 0;
  const isRead = name === "door-read";
  const byTool = (client: Client) => () =>
    isRead
      ? call(client, "read_file", { path: file })
      : call(client, "write_file", { path: file, content: `${writes++}\n${text}` });
  const byHand = async (): Promise<boolean> => {
    if (isRead) return (await fs.promises.readFile(plain, "utf8")) === text;
    await fs.promises.writeFile(plain, `${writes++}\n${text}`);
    return true;
  };
  return {
    name,
    title: `${isRead ? "read_file" : "write_file"} of a kilobyte at the door of a run, one after the other`,
    ops: "calls",
    ours: { ...one("signalbox", byTool(ours)), cpuMs: daemon.cpuMs },
    others: [one(bare, byTool(theirs)), one(inProcess, byHand), with_(mayCostMs, one(inProcess, byHand))],
    comparisons: [
      { against: bare, measure: "p50" },
      { against: inProcess, measure: "p50" },
      { against: `${inProcess} and ${mayCostMs} ms`, measure: "p50", aim: { atMost: 1 } },
    ],
    leftOut: [],
    close: async () => {
      await Promise.all([ours.close(), theirs.close()]);
      await signalbox.call("run.stop", { run });
      signalbox.close();
    },
  };
}

/**
 * From its submission to the moment when its first write is done and durable: by an agent that somebody submits, and by one
 * right after the other, where each waits for what the ones before it have used up and leave behind.
 */
async function firstCall(peers: Peers, name: "first-call" | "first-call-burst"): Promise<Row> {
  const daemon = await peers.daemon();
  const client = daemon.connect();
  const root = makeRepository(fs.mkdtempSync(path.join(peers.folder, "repository-")));
  const { project } = await client.call("project.add", { root });
  let runs = 0;
  const steps = [{ write: { path: "first.txt", content: "first\n" } }, { ask: "and now?" }];
  const isBurst = name === "first-call-burst";
  let last: string | undefined;
  const first = async (): Promise<boolean> => {
    const script = JSON.stringify({ task: "first", steps: [{ say: String(runs++) }, ...steps] });
    const { run } = await client.call("run.submit", { project, runner: "script", script });
    const { reached } = await client.call("run.wait", { run, states: ["awaiting-input"], waitMs: 20_000 });
    if (isBurst) await client.call("run.stop", { run });
    else last = run;
    return reached;
  };
  /** Whoever was there before is ended first, outside of what is counted. */
  const alone: Contender = {
    ...one("signalbox", first),
    work: async (sliceMs) => {
      const done = await one("signalbox", first).work(sliceMs);
      if (last !== undefined) await client.call("run.stop", { run: last });
      return done;
    },
  };
  const node = async (): Promise<boolean> => (await once(spawn(process.execPath, ["-e", "0"]), "close"))[0] === 0;
  return {
    name,
    title: `a script agent with its workspace and its first write, from submission${isBurst ? ", one right after the other" : ""}`,
    ops: "agents",
    ours: { ...(isBurst ? one("signalbox", first) : rested(restMs, restedTimes, alone)), cpuMs: daemon.cpuMs },
    others: [isBurst ? one(coldNode, node) : rested(restMs, restedTimes, one(coldNode, node))],
    comparisons: [{ against: coldNode, measure: "p50", ...(isBurst ? {} : { aim: { atMost: 1 } }) }],
    leftOut: [],
    close: () => client.close(),
  };
}

/** What people have: a repository, and a commit in it. */
function makeRepository(root: string): string {
  fs.writeFileSync(path.join(root, file), text);
  const who = ["-c", "user.name=Ann", "-c", "user.email=ann@example.org"];
  for (const args of [
    ["init", "--quiet"],
    ["add", "."],
    [...who, "commit", "--quiet", "--message=first"],
  ])
    execFileSync("git", ["-C", root, ...args]);
  return root;
}

async function connect(url: string, token?: string): Promise<Client> {
  const client = new Client({ name: "bench", version: "1.0.0" });
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  return client;
}

async function call(client: Client, name: string, args: Record<string, string>): Promise<boolean> {
  const { isError } = await client.callTool({ name, arguments: args });
  return isError !== true;
}
