// A real daemon with one project, and living agents in it: what most end-to-end tests of agents begin with.

import { afterAll, beforeAll } from "vitest";
import type { Client } from "../../src/client/client.ts";
import type { AgentView, ServiceView } from "../../src/protocol/wire/agent.ts";
import { DaemonProcess } from "./daemon-process.ts";
import { removeAgents, settledAgent } from "./living-agents.ts";
import { SampleProject } from "./sample-project.ts";

type Parts = { readonly daemon: DaemonProcess; readonly sample: SampleProject; client: Client };

/** An agent by itself, or by its id or name. */
type Which = Pick<AgentView, "id"> | string;

export class AgentRig {
  /** What the project is called. */
  readonly project = "shop";
  readonly #files: Readonly<Record<string, string>>;
  #parts: Parts | undefined;

  private constructor(files: Readonly<Record<string, string>>) {
    this.#files = files;
  }

  /** One for all tests of the `describe` that it is made in, from before the first until after the last. */
  static forAll(files: Readonly<Record<string, string>>): AgentRig {
    const rig = new AgentRig(files);
    beforeAll(() => rig.#open());
    afterAll(() => rig.#close());
    return rig;
  }

  async #open(): Promise<void> {
    const daemon = await DaemonProcess.start();
    this.#parts = { daemon, sample: new SampleProject(this.#files), client: await daemon.connect() };
    await this.call("project.add", { root: this.sample.root, name: this.project });
  }

  async #close(): Promise<void> {
    if (this.#parts === undefined) return;
    // A daemon that is left would keep the tests from ending, which read as passed.
    try {
      await this.removeAgents();
    } finally {
      this.client.close();
      await this.daemon.remove();
      this.sample.remove();
    }
  }

  get #own(): Parts {
    if (this.#parts === undefined) throw new Error("the daemon is there from the first test on");
    return this.#parts;
  }

  get daemon(): DaemonProcess {
    return this.#own.daemon;
  }

  get sample(): SampleProject {
    return this.#own.sample;
  }

  /** To the life that the daemon has now. */
  get client(): Client {
    return this.#own.client;
  }

  readonly call: Client["call"] = (...given) => this.client.call(...given);

  /** Ends the daemon without a word and starts another; in between is what is done while there is none. */
  async restartDaemon(meanwhile: () => Promise<void> = async () => undefined): Promise<void> {
    this.client.close();
    await this.daemon.kill();
    await meanwhile();
    await this.daemon.up();
    this.#own.client = await this.daemon.connect();
  }

  async create(template: string): Promise<AgentView> {
    return (await this.call("agent.create", { project: this.project, template, file: "stack.yaml" })).agent;
  }

  /** Makes one that comes up. */
  async up(template: string): Promise<AgentView> {
    return this.running(await this.create(template));
  }

  /** What it is once nothing moves in it any more; null when it is gone. */
  settled(agent: Which): Promise<AgentView | null> {
    return settledAgent(this.client, idOf(agent));
  }

  /** The same of one that has to run then. */
  async running(agent: Which): Promise<AgentView> {
    const found = await this.settled(agent);
    if (found?.state !== "running") throw new Error(JSON.stringify(found, null, 1));
    return found;
  }

  async get(agent: Which): Promise<AgentView> {
    return (await this.call("agent.get", { agent: idOf(agent) })).agent;
  }

  /** What a script says inside. */
  async exec(agent: Which, script: string): Promise<string> {
    return (await this.call("agent.exec", { agent: idOf(agent), argv: ["sh", "-c", script] })).output;
  }

  /** What a service has said in the life that it has now. */
  async said(agent: Which, service: string): Promise<string> {
    return (await this.call("service.output", { agent: idOf(agent), service })).text;
  }

  removeAgents(): Promise<void> {
    return removeAgents(this.client);
  }
}

export function serviceOf({ services }: AgentView, name: string): ServiceView {
  const found = services.find((service) => service.name === name);
  if (found === undefined) throw new Error(`there is no service ${name}`);
  return found;
}

/** The first port of a service. */
export function portOf(agent: AgentView, service: string): number {
  return serviceOf(agent, service).ports[0]?.port ?? 0;
}

function idOf(agent: Which): string {
  return typeof agent === "string" ? agent : agent.id;
}
