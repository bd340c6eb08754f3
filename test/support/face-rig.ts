// A daemon with two agents that have faces, and a client that speaks HTTP to them by hand: browsers hide too much.

import { readdirSync, readFileSync } from "node:fs";
import { request, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import WebSocket from "ws";
import type { Client } from "../../src/client/client.ts";
import { homePaths } from "../../src/protocol/home.ts";
import type { AgentView } from "../../src/protocol/wire/agent.ts";
import { DaemonProcess } from "./daemon-process.ts";
import { keptPort } from "./free-ports.ts";
import { removeAgents, settledAgent } from "./living-agents.ts";
import { SampleProject } from "./sample-project.ts";

const here = import.meta.dirname;

export const faceTemplate = `
template: shop
services:
  web:
    command: [node, face-server.ts]
    ports: [http, raw]
    health: { http: { port: http, path: /health }, interval: 200ms, timeout: 150ms }
    restart: { delay: 10ms }
  idle:
    command: sleep 1000
    ports: [http]
faces:
  web: { service: web, port: http, path: "/home?a=1", title: The shop }
  tools: { service: web, port: http, path: /mcp, kind: mcp }
  raw: { service: web, port: raw }
  nobody: { service: idle }
`;

export type Headers = Readonly<Record<string, string>>;

export type Asked = {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Headers;
  readonly body?: string | Buffer;
};

export type Answered = {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly rawHeaders: readonly string[];
  readonly body: string;
};

/** What the server saw of a request to `/echo`. */
export type Seen = { readonly method: string; readonly url: string; readonly headers: Record<string, string> };

export class FaceRig {
  readonly daemon: DaemonProcess;
  client: Client;
  readonly token: string;
  readonly port: number;
  readonly #sample: SampleProject;

  private constructor(daemon: DaemonProcess, client: Client, port: number, sample: SampleProject) {
    this.daemon = daemon;
    this.client = client;
    this.port = port;
    this.token = readFileSync(homePaths(daemon.home).token, "utf8").trim();
    this.#sample = sample;
  }

  /** With a server that does everything that a proxy could get wrong, or with another project, which goes with the rig. */
  static async start(sample = new SampleProject(ownServer())): Promise<FaceRig> {
    const port = await keptPort();
    const daemon = await DaemonProcess.start({}, port);
    const client = await daemon.connect();
    await client.call("project.add", { root: sample.root, name: "shop" });
    return new FaceRig(daemon, client, port, sample);
  }

  async make(template = faceTemplate, name?: string): Promise<AgentView> {
    const wish = { project: "shop", template, ...(name === undefined ? {} : { name }) };
    const { agent } = await this.client.call("agent.create", wish);
    return this.settled(agent.id);
  }

  async settled(id: string): Promise<AgentView> {
    const agent = await settledAgent(this.client, id);
    if (agent === null) throw new Error(`${id} is gone`);
    return agent;
  }

  /** Ends the daemon without a word and starts it again where it was. */
  async again(): Promise<void> {
    this.client.close();
    await this.daemon.kill();
    await this.daemon.up(this.port);
    this.client = await this.daemon.connect();
  }

  hostOf(label: string): string {
    return `${label}.localhost:${this.port}`;
  }

  originOf(label: string): string {
    return `http://${this.hostOf(label)}`;
  }

  /** Opens a face as a person does. Answers the cookie that a browser would send from then on. */
  async open(agent: string, face: string): Promise<string> {
    const { url } = await this.client.call("face.open", { agent, face });
    const { pathname, search } = new URL(url);
    const cleared = await this.ask(`${agent}-${face}`, { path: `${pathname}${search}` });
    const answer = await this.ask(`${agent}-${face}`, { path: cleared.headers.location ?? "" });
    return answer.headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
  }

  bearer(token = this.token): Record<string, string> {
    return { authorization: `Bearer ${token}` };
  }

  /** The answer as soon as its head is there. */
  begin(label: string, { method = "GET", path = "/", headers = {}, body }: Asked): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const all = { host: this.hostOf(label), ...headers };
      const asked = request({ host: "127.0.0.1", port: this.port, method, path, headers: all, agent: false });
      asked.once("response", resolve).once("error", reject).end(body);
    });
  }

  async ask(label: string, asked: Asked = {}): Promise<Answered> {
    const answer = await this.begin(label, asked);
    const body = await text(answer.setEncoding("latin1"));
    return { status: answer.statusCode ?? 0, headers: answer.headers, rawHeaders: answer.rawHeaders, body };
  }

  async seen(label: string, asked: Asked = {}): Promise<Seen> {
    return JSON.parse((await this.ask(label, { path: "/echo", ...asked })).body) as Seen;
  }

  socket(label: string, headers: Headers, protocols: string[] = []): WebSocket {
    const all = { host: this.hostOf(label), ...headers };
    return new WebSocket(`ws://127.0.0.1:${this.port}/socket`, protocols, { headers: all });
  }

  async close(): Promise<void> {
    try {
      await removeAgents(this.client);
    } finally {
      this.client.close();
      await this.daemon.remove();
      this.#sample.remove();
    }
  }
}

function ownServer(): Record<string, string> {
  return { "face-server.ts": readFileSync(join(here, "face-server.ts"), "utf8"), ...ws() };
}

/** The library for WebSockets, as files of the project: a cage has no other. */
function ws(): Record<string, string> {
  const folder = join(here, "../../node_modules/ws");
  const files = [
    "index.js",
    "wrapper.mjs",
    "package.json",
    ...readdirSync(join(folder, "lib")).map((name) => `lib/${name}`),
  ];
  return Object.fromEntries(files.map((name) => [`node_modules/ws/${name}`, readFileSync(join(folder, name), "utf8")]));
}
