// A daemon with a project, and a scripted model in place of every provider: for tests of real assistants.

import type { Client } from "../../src/client/client.ts";
import type { Heard } from "../../src/core/run/heard.ts";
import { isOver, type RunState } from "../../src/core/run/run-states.ts";
import { pathWithAssistants } from "./assistants.ts";
import { DaemonProcess } from "./daemon-process.ts";
import { ModelServer } from "./model-server/model-server.ts";
import { SampleProject } from "./sample-project.ts";

/** What only the daemon may know. */
const key = "sk-canary-5b81e0";

/** What a rig is made of. */
type Parts = {
  readonly model: ModelServer;
  readonly daemon: DaemonProcess;
  readonly sample: SampleProject;
  readonly project: string;
  readonly client: Client;
};

export class AssistantRig {
  readonly key = key;
  readonly model: ModelServer;
  readonly daemon: DaemonProcess;
  readonly sample: SampleProject;
  readonly project: string;
  client: Client;

  private constructor({ model, daemon, sample, project, client }: Parts) {
    this.model = model;
    this.daemon = daemon;
    this.sample = sample;
    this.project = project;
    this.client = client;
  }

  /** With more in the daemon's environment, if need be, also of what is known only with the model. */
  static async open(
    scenario: string,
    files: Readonly<Record<string, string>>,
    env: Readonly<Record<string, string>> = {},
    envOf: (model: ModelServer) => Readonly<Record<string, string>> = () => ({}),
  ): Promise<AssistantRig> {
    const model = await ModelServer.start(scenario);
    const daemon = await DaemonProcess.start({
      ...{ ANTHROPIC_BASE_URL: model.url, OPENAI_BASE_URL: `${model.url}/v1`, GOOGLE_GEMINI_BASE_URL: model.url },
      ...{ ANTHROPIC_API_KEY: key, OPENAI_API_KEY: key, GEMINI_API_KEY: key, PATH: pathWithAssistants() },
      ...env,
      ...envOf(model),
    });
    const client = await daemon.connect();
    const sample = new SampleProject(files);
    const { project } = await client.call("project.add", { root: sample.root });
    return new AssistantRig({ model, daemon, sample, project, client });
  }

  /** A marker belongs into what is wanted: a title is also in the history that others see. */
  async submit(runner: string, title: string, description: string, profile?: string): Promise<string> {
    const { project } = this;
    const more = profile === undefined ? {} : { profile };
    return (await this.client.call("run.submit", { project, title, description, runner, ...more })).run;
  }

  async inState(run: string, state: RunState): Promise<void> {
    for (;;) {
      const answer = await this.client.call("run.wait", { run, states: [state], waitMs: 20_000 });
      if (answer.reached) return;
      if (!isOver(answer.run.state)) continue;
      const problems = this.model.problems.join("; ");
      throw new Error(`${run} is ${answer.run.state}: ${answer.run.because}; ${problems}`);
    }
  }

  /** What its assistant said of itself, in order. */
  async heard(run: string): Promise<readonly Heard[]> {
    const { events } = await this.client.call("run.log", { run, limit: 1000 });
    return events.flatMap((event) => (event.type === "run.heard" ? (event["items"] as readonly Heard[]) : []));
  }

  /** Kills the daemon in the middle of everything, and starts it again. */
  async restart(): Promise<void> {
    this.client.close();
    await this.daemon.kill();
    await this.daemon.up();
    this.client = await this.daemon.connect();
  }

  async close(): Promise<void> {
    this.client.close();
    await this.daemon.remove();
    await this.model.close();
    this.sample.remove();
  }
}
