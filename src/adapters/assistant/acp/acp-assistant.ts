// Any assistant that speaks the Agent Client Protocol over its input and output. What is its own (its settings, its names,
// how its tools are taken away) is in its `AcpAgent`.

import type { Abilities, Assistant, AssistantJob, Beginning, Talk } from "../../../ports/assistant.ts";
import { AcpTalk } from "./acp-talk.ts";

export type AcpAgent = Pick<Assistant, "name" | "program" | "install" | "tried" | "provider" | "toolNames"> & {
  /** The way in which it wants to be let in, where it asks. */
  readonly auth?: string;
  begin(job: AssistantJob): Omit<Beginning, "cwd">;
};

export class AcpAssistant implements Assistant {
  readonly name: string;
  readonly program: string;
  readonly install: string;
  readonly tried: Assistant["tried"];
  readonly provider: Assistant["provider"];
  readonly toolNames: Readonly<Record<string, string>>;
  /** What the protocol can: people are heard between turns, and it knows no cost. */
  readonly can: Abilities = {
    streaming: true,
    resume: true,
    interrupt: true,
    steer: false,
    cost: false,
    subagents: false,
    models: true,
    native: false,
  };
  readonly #agent: AcpAgent;

  constructor(agent: AcpAgent) {
    this.#agent = agent;
    this.name = agent.name;
    this.program = agent.program;
    this.install = agent.install;
    this.tried = agent.tried;
    this.provider = agent.provider;
    this.toolNames = agent.toolNames ?? {};
  }

  begin(job: AssistantJob): Beginning {
    return { ...this.#agent.begin(job), cwd: "home" };
  }

  talk(job: AssistantJob): Talk {
    return new AcpTalk(job, this.#agent.auth ?? null);
  }
}
