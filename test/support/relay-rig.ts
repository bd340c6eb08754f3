// A relay between an engine with its log in memory and a scripted model: real sockets, files and requests, all gone at the
// end.

import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { request as requestHttp, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { systemClock } from "../../src/adapters/clock/system-clock.ts";
import { FileSecretStore } from "../../src/adapters/secret/file-secret-store.ts";
import { MemoryStore } from "../../src/adapters/store/memory-store.ts";
import type { EventType, Logged } from "../../src/core/events.ts";
import type { Input } from "../../src/core/inputs.ts";
import type { PolicyRules } from "../../src/core/policy/policy.ts";
import { defaultEngineOptions, Engine, type Outcome } from "../../src/engine/engine.ts";
import { EngineLine } from "../../src/node/engine-line.ts";
import { Credentials } from "../../src/node/relay/credentials.ts";
import { HeldBytes } from "../../src/node/relay/held-bytes.ts";
import { ModelRelay, type ModelRelayOptions } from "../../src/node/relay/model-relay.ts";
import { Subscriptions } from "../../src/node/relay/subscriptions.ts";
import { toProject } from "./core-world.ts";
import { toSubmit } from "./engine-rig.ts";
import { ModelServer } from "./model-server/model-server.ts";

/** The credential that must never be seen anywhere but at the model. */
export const canary = "sk-canary-0123456789abcdef/+=";
export const token = "run-token-".padEnd(43, "t");

export type Sent = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: Buffer };

export class RelayRig {
  readonly folder: string;
  readonly engine: Engine;
  readonly store: MemoryStore;
  readonly model: ModelServer;
  readonly secrets: FileSecretStore;
  readonly relay: ModelRelay;
  readonly events: Logged[] = [];
  readonly defects: unknown[] = [];
  #project = "";

  private constructor(parts: { folder: string; engine: Engine; store: MemoryStore; model: ModelServer }, more: object) {
    this.folder = parts.folder;
    this.engine = parts.engine;
    this.store = parts.store;
    this.model = parts.model;
    const files = { file: path.join(this.folder, "secrets.json"), keyFile: path.join(this.folder, "secrets.key") };
    this.secrets = new FileSecretStore({ ...files, wallMs: () => 7 });
    const { url } = this.model;
    const env = {
      ANTHROPIC_BASE_URL: url,
      OPENAI_BASE_URL: `${url}/v1/`,
      GOOGLE_GEMINI_BASE_URL: url,
      ANTHROPIC_API_KEY: canary,
      OPENAI_API_KEY: canary,
      GEMINI_API_KEY: canary,
    };
    const line = new EngineLine(
      (given, reply) => this.engine.submit(given, reply),
      systemClock,
      () => this.engine.nowMs(),
    );
    this.relay = new ModelRelay({
      node: "local",
      socketFolder: path.join(this.folder, "s"),
      exchangeFolder: path.join(this.folder, "exchanges"),
      credentials: new Credentials(this.secrets, env),
      subscriptions: new Subscriptions({ secrets: this.secrets, env, wallMs: () => systemClock.wallMs() }),
      secrets: this.secrets,
      env,
      held: new HeldBytes({ clock: systemClock }),
      line,
      state: () => this.engine.state,
      onDefect: (error) => this.defects.push(error),
      ...more,
    });
    this.engine.subscribe((events) => {
      this.events.push(...events);
      this.relay.hear(events);
    });
  }

  static async open(scenario: string, more: Partial<ModelRelayOptions> = {}): Promise<RelayRig> {
    const folder = await mkdtemp(path.join(tmpdir(), "sbr-"));
    const store = new MemoryStore();
    const nodes = { prime: () => undefined, hear: () => undefined, perform: () => undefined };
    const ports = { store, clock: systemClock, nodes };
    const engine = await Engine.open(ports, { ...defaultEngineOptions, version: "test" });
    const rig = new RelayRig({ folder, engine, store, model: await ModelServer.start(scenario) }, more);
    await rig.relay.start();
    rig.#project = await rig.id(toProject("p"));
    return rig;
  }

  give(input: Input): Promise<Outcome> {
    return new Promise((resolve) => this.engine.submit({ actor: "person:eva", input }, resolve));
  }

  async id(input: Input): Promise<string> {
    const outcome = await this.give(input);
    if (!outcome.ok || outcome.value.of !== "id") throw new Error(`no id: ${JSON.stringify(outcome)}`);
    return outcome.value.id;
  }

  /** A model at a dollar for a million tokens: a token is a micro-dollar. */
  async price(model: string): Promise<void> {
    const micros = 1_000_000;
    const same = { inputMicros: micros, outputMicros: micros, cacheReadMicros: micros, cacheWriteMicros: micros };
    await this.give({ type: "price.set", price: { model, ...same } });
  }

  /** Whom its runs may reach. */
  async allow(...hosts: readonly string[]): Promise<void> {
    await this.give({ type: "project.change", project: this.#project, egress: { kind: "list", allow: hosts } });
  }

  async policy(rules: PolicyRules): Promise<void> {
    await this.give({ type: "policy.set", policy: { name: "thrift", priority: 0, enabled: true, scope: {}, rules } });
  }

  /** A run at work, with its socket open. */
  async run(
    runner = "script",
    profile: string | null = null,
  ): Promise<{ readonly run: string; readonly socket: string }> {
    const run = await this.id(toSubmit(this.#project, { runner, profile }));
    await this.give({ type: "run.driven", run, family: `${run}.1` });
    return { run, socket: await this.relay.open(run, token) };
  }

  /** A sub-run whose program has said something. */
  async subRun(parent: string): Promise<string> {
    const run = await this.id(toSubmit(this.#project, { parent, sub: true }));
    const heard = await this.give({ type: "run.hear", run, life: 1, upTo: 1, told: 0, owes: 1, items: [] });
    if (!heard.ok) throw new Error(`not heard: ${JSON.stringify(heard)}`);
    return run;
  }

  of<T extends EventType>(type: T): Extract<Logged, { type: T }>[] {
    return this.events.filter((event) => event.type === type) as Extract<Logged, { type: T }>[];
  }

  /** Resolves with the events of a type once there are so many. */
  until<T extends EventType>(type: T, count: number): Promise<Extract<Logged, { type: T }>[]> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (this.of(type).length < count) return;
        forget();
        resolve(this.of(type));
      };
      const forget = this.engine.subscribe(look);
      look();
    });
  }

  /** What is kept of an exchange. */
  async artifact(name: string): Promise<{ asked: { body: string }; answered: { body: string; isCut: boolean } }> {
    const bytes = await readFile(path.join(this.folder, "exchanges", name));
    return JSON.parse(gunzipSync(bytes).toString("utf8")) as Awaited<ReturnType<RelayRig["artifact"]>>;
  }

  /** Everything that is on disk and in the log, as one text. */
  async everything(): Promise<string> {
    const names = await readdir(path.join(this.folder, "exchanges"), { recursive: true, withFileTypes: true });
    const files = names.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
    const texts = await Promise.all(files.map(async (file) => gunzipSync(await readFile(file)).toString("utf8")));
    return [JSON.stringify(await this.store.read(0, 10_000)), ...texts].join("\n");
  }

  async close(): Promise<void> {
    await this.relay.close();
    await this.model.close();
    await this.engine.close();
    await rm(this.folder, { recursive: true, force: true });
    const wrong = [...this.defects, ...this.model.problems];
    if (wrong.length > 0) throw new Error("something went wrong on the way", { cause: wrong });
  }
}

/** The beginning of an answer over a unix socket; the rest comes when it is read. */
export function begin(
  socket: string,
  target: string,
  body: object | string | null,
  headers: Record<string, string> = { "x-api-key": token },
): Promise<IncomingMessage> {
  const bytes = body === null ? "" : typeof body === "string" ? body : JSON.stringify(body);
  const method = body === null ? "GET" : "POST";
  const length = { "content-type": "application/json", "content-length": String(Buffer.byteLength(bytes)) };
  return new Promise((resolve, reject) => {
    const request = requestHttp({ socketPath: socket, path: target, method, headers: { ...length, ...headers } });
    request.once("response", resolve);
    request.on("error", reject);
    request.end(bytes);
  });
}

export async function read(answer: IncomingMessage): Promise<Sent> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer as AsyncIterable<Buffer>) chunks.push(chunk);
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks) };
}

export async function ask(...given: Parameters<typeof begin>): Promise<Sent> {
  return read(await begin(...given));
}
