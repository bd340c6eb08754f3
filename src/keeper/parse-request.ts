// Reads what the daemon sends. It is trusted, but may be of another release: what does not have the shape is refused with a
// sentence, not with a crash that would end an agent.

import { Fault } from "../base/fault.ts";
import type {
  CageOrder,
  JoinOrder,
  KeeperOp,
  KeeperRequest,
  ProbeOp,
  SystemOrder,
} from "../protocol/keeper/keeper-wire.ts";
import { isCommit } from "./cage/disposable-git.ts";

type Shape = Readonly<
  Record<string, "string" | "number" | "boolean" | "object" | "list" | "maybe-string" | "maybe-number">
>;

const shapes: Readonly<Record<KeeperOp["op"], Shape>> = {
  hello: { protocol: "number" },
  prepare: { workspace: "object" },
  open: { cage: "object" },
  read: { path: "string" },
  list: { path: "string", depth: "number", limit: "number" },
  search: { text: "string", regex: "boolean", under: "string", limit: "number" },
  place: { tag: "string", changes: "list" },
  placed: { tag: "string" },
  ignored: { paths: "list" },
  scan: {},
  keep: { paths: "list", outbox: "string" },
  system: { name: "string", system: "object" },
  start: { call: "string", argv: "list", cwd: "maybe-string", env: "object", timeoutMs: "maybe-number" },
  wait: { call: "string" },
  input: { call: "string", base64: "string", end: "boolean" },
  output: { call: "string", offset: "number", limit: "number" },
  stop: { call: "string", graceMs: "number" },
  "stop-all": { graceMs: "number" },
  cage: {},
  halt: { on: "boolean" },
  forget: { call: "string" },
  processes: {},
  watch: { watch: "string", globs: "list", seen: "maybe-number" },
  limit: { call: "string" },
  signal: { call: "string", signal: "string" },
  quota: {},
  limits: { limits: "object" },
  join: { joined: "object" },
  ways: { ports: "list", version: "number" },
  share: { port: "number", to: "list", version: "number" },
  probe: { port: "number", timeoutMs: "number" },
  "terminal-open": {
    ...{ terminal: "string", argv: "list", cwd: "maybe-string", env: "object" },
    ...{ cols: "number", rows: "number", folder: "string" },
  },
  "terminal-input": { terminal: "string", base64: "string", tag: "string" },
  "terminal-resize": { terminal: "string", cols: "number", rows: "number" },
  "terminal-read": { terminal: "string", offset: "number", limit: "number" },
  "terminal-screen": { terminal: "string", scrollback: "number" },
  "terminal-line": { terminal: "string" },
  "terminal-wait": { terminal: "string" },
  "terminal-close": { terminal: "string", graceMs: "number" },
  "terminal-list": {},
  close: { graceMs: "number" },
};

/** The request, or the file that has it; undefined where not even an answer could be addressed. */
export function parseRequest(
  line: string,
): { id: number; file: string | undefined; read: () => KeeperRequest } | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!isRecord(value) || typeof value["id"] !== "number") return undefined;
  const record = value;
  const file = typeof record["file"] === "string" && record["op"] === undefined ? record["file"] : undefined;
  return { id: value["id"], file, read: () => toRequest(record) };
}

function toRequest(record: Readonly<Record<string, unknown>>): KeeperRequest {
  const op = record["op"];
  const shape = typeof op === "string" && Object.hasOwn(shapes, op) ? shapes[op as KeeperOp["op"]] : undefined;
  if (shape === undefined) throw bad(`there is no request "${String(op)}"`);
  for (const [name, kind] of Object.entries(shape)) {
    if (!fits(record[name], kind)) throw bad(`${name} of ${String(op)} has to be a ${kind}`);
  }
  if (op === "start" || op === "terminal-open") {
    const argv = record["argv"] as unknown[];
    const env = Object.entries(record["env"] as object) as [string, unknown][];
    if (argv.length === 0 || !argv.every(isPlainText)) throw bad(`argv of ${op} has to be words`);
    if (!env.every(([name, text]) => isPlainText(text) && /^[^=\0]+$/.test(name)))
      throw bad(`env of ${op} is no environment`);
  }
  if (op === "place" && record["stands"] !== undefined) checkStand(record["stands"]);
  if (op === "start") {
    if (record["limits"] !== undefined) checkLimits(op, record["limits"]);
    checkRotation(record["rotate"]);
    if (record["ahead"] !== undefined && !isCount(record["ahead"])) throw bad("ahead of start has to be a size");
  }
  if (op === "system") checkSystem(record["system"] as Partial<SystemOrder>);
  // One that says nothing would lift all limits.
  if (op === "limit" && record["limits"] !== null) checkLimits(op, record["limits"]);
  if (op === "limits") checkWhole(record["limits"] as Readonly<Record<string, unknown>>);
  if (op === "quota" && record["diskBytes"] !== null && !isCount(record["diskBytes"]))
    throw bad("diskBytes of quota has to be a size, or null");
  if (op === "signal" && !["HUP", "USR1", "USR2"].includes(record["signal"] as string))
    throw bad("signal of signal has to be HUP, USR1 or USR2");
  if (op === "open") {
    const cage = record["cage"] as Partial<CageOrder>;
    checkPorts(cage);
    if (cage.joined !== undefined) checkJoined(cage.joined);
  }
  if (op === "watch" && !(record["globs"] as unknown[]).every(isPlainText))
    throw bad("globs of watch have to be texts");
  if (op === "probe") checkProbe(record);
  if (op === "join") checkJoined(record["joined"] as Partial<JoinOrder>);
  if (op === "ways" && !(record["ports"] as unknown[]).every(isPort)) throw bad("ports of ways have to be ports");
  if (op === "share" && !(record["to"] as unknown[]).every(isPort)) throw bad("to of share has to be ports");
  return record as unknown as KeeperRequest;
}

/** It gets into the words of a command. */
function checkStand(value: unknown): void {
  if (!isRecord(value) || !isCommit(value["commit"])) throw bad("stands of place has to be at a commit");
}

function checkPorts({ ports = [], bridges = [], shared = [] }: Partial<CageOrder>): void {
  if (!Array.isArray(ports) || !ports.every(isPort)) throw bad("ports of open have to be ports");
  if (!Array.isArray(shared) || !shared.every((port) => ports.includes(port as number)))
    throw bad("shared ports of open have to be among its ports");
  const both = bridges.find(({ port }) => ports.includes(port));
  if (both !== undefined) throw bad(`port ${both.port} leads out of the cage, and cannot lead into it`);
}

function checkJoined({ version, hosts, peers, admits }: Partial<JoinOrder>): void {
  const isWay = (way: unknown): boolean => isRecord(way) && isPort(way["port"]) && isPlainText(way["socket"]);
  const isPeer = (peer: unknown): boolean =>
    isRecord(peer) && isPlainText(peer["agent"]) && Array.isArray(peer["bridges"]) && peer["bridges"].every(isWay);
  const isName = (host: unknown): boolean => typeof host === "string" && /^[A-Za-z0-9._-]+$/.test(host);
  if (!Number.isInteger(version)) throw bad("version of join has to be a number");
  if (!Array.isArray(hosts) || !hosts.every(isName)) throw bad("hosts of join have to be names of hosts");
  if (!Array.isArray(peers) || !peers.every(isPeer)) throw bad("peers of join have to be agents with their ways");
  if (!Array.isArray(admits) || !admits.every(isWay)) throw bad("admits of join have to be ports with their sockets");
}

function checkLimits(op: string, limits: unknown): void {
  if (!isRecord(limits) || !Object.values(limits).every((each) => fits(each, "maybe-number")))
    throw bad(`limits of ${op} have to be numbers`);
}

/** One that leaves something out would lift that. */
function checkWhole(limits: Readonly<Record<string, unknown>>): void {
  for (const name of ["memoryBytes", "processes", "files", "cpu", "outputBytesPerS"]) {
    const value = limits[name];
    if (value !== null && !(typeof value === "number" && Number.isFinite(value) && value > 0))
      throw bad(`${name} of limits has to be a number, or null`);
  }
}

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) > 0;
}

function checkRotation(rotate: unknown): void {
  if (rotate !== undefined && (!isRecord(rotate) || !isCount(rotate["bytes"]) || !isCount(rotate["keep"])))
    throw bad("rotate of start has to be a size and a number");
}

function checkSystem({ root, env, workdir, data, workspace }: Partial<SystemOrder>): void {
  const isData = (each: unknown): boolean =>
    isRecord(each) && isPlainText(each["inside"]) && isPlainText(each["outside"]);
  if (!isPlainText(root) || !isPlainText(workdir)) throw bad("root and workdir of system have to be paths");
  if (!isRecord(env) || !Object.values(env).every(isPlainText)) throw bad("env of system is no environment");
  if (!Array.isArray(data) || !data.every(isData)) throw bad("data of system have to be folders");
  if (typeof workspace !== "boolean") throw bad("workspace of system has to be a boolean");
}

function checkProbe({ port, http }: Partial<ProbeOp>): void {
  if (!isPort(port)) throw bad("port of probe has to be a port");
  if (http !== undefined && !/^\/[\x21-\x7e]*$/.test(http?.path ?? ""))
    throw bad("path of probe is no path of a request");
}

function isPort(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) > 0 && Number(value) < 65_536;
}

function fits(value: unknown, kind: Shape[string]): boolean {
  if (kind === "list") return Array.isArray(value);
  if (kind === "object") return isRecord(value);
  if (kind === "maybe-string") return value === null || typeof value === "string";
  if (kind === "number") return typeof value === "number" && Number.isFinite(value) && value >= 0;
  if (kind === "maybe-number") return value === null || fits(value, "number");
  return typeof value === kind;
}

/** What the kernel takes as an argument. */
function isPlainText(value: unknown): boolean {
  return typeof value === "string" && !value.includes("\0");
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function bad(message: string): Fault {
  return new Fault("bad-request", { retry: "never", message });
}
