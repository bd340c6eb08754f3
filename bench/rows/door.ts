// The door, as a model comes to it: a call over MCP that is policed, leased, fenced, journalled, recorded and durable, against
// the same file operation done by an MCP server that does nothing else, and by this process itself. And how soon a script
// agent has done its first call, from nothing.

import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { Row } from "../harness/contender.ts";
import type { Peers } from "../peers/peers.ts";
import { one, with_ } from "./one-by-one.ts";
import type { RowMaker } from "./row-maker.ts";

const mayCostMs = 2;
const inProcess = "fs in process";
const bare = "a bare MCP server";
const coldNode = "a cold node start";
const file = "a.txt";
const text = "a line of text\n".repeat(60);

export const doorRows: readonly RowMaker[] = [
  { name: "door-read", programs: [], make: (peers) => callRow(peers, "door-read") },
  { name: "door-write", programs: [], make: (peers) => callRow(peers, "door-write") },
  { name: "first-call", programs: [], make: firstCall },
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

/** From its submission to the moment when its first write is done and durable. */
async function firstCall(peers: Peers): Promise<Row> {
  const daemon = await peers.daemon();
  const client = daemon.connect();
  let runs = 0;
  const steps = [{ write: { path: "first.txt", content: "first\n" } }, { ask: "and now?" }];
  const first = async (): Promise<boolean> => {
    const script = JSON.stringify({ task: "first", steps: [{ say: String(runs++) }, ...steps] });
    const { run } = await client.call("run.submit", { project: daemon.project, runner: "script", script });
    const { reached } = await client.call("run.wait", { run, states: ["awaiting-input"], waitMs: 20_000 });
    await client.call("run.stop", { run });
    return reached;
  };
  const node = async (): Promise<boolean> => (await once(spawn(process.execPath, ["-e", "0"]), "close"))[0] === 0;
  return {
    name: "first-call",
    title: "a script agent with its workspace and its first write, from submission",
    ops: "agents",
    ours: { ...one("signalbox", first), cpuMs: daemon.cpuMs },
    others: [one(coldNode, node)],
    comparisons: [{ against: coldNode, measure: "p50", aim: { atMost: 1 } }],
    leftOut: [],
    close: () => client.close(),
  };
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
