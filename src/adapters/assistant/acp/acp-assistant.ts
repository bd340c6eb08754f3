// Any assistant that speaks the Agent Client Protocol over its input and output. What is its own (its settings, its names,
// how its tools are taken away) is in its `AcpAgent`.

import type { Abilities, Assistant, AssistantJob, Beginning, Talk } from "../../../ports/assistant.ts";
import { AcpTalk } from "./acp-talk.ts";

export type AcpAgent = Pick<
  Assistant,
  "name" | "program" | "install" | "tried" | "provider" | "chooses" | "toolNames"
> & {
  /** It says what its conversations have cost. */
  readonly reckons?: boolean;
  /** The way in which it wants to be let in, where it asks. */
  readonly auth?: string;
  begin(job: AssistantJob): Omit<Beginning, "cwd">;
};

/** What the protocol can. Not every agent says what it cost. */
const ofProtocol: Omit<Abilities, "cost"> = {
  streaming: true,
  messages: true,
  resume: true,
  interrupt: true,
  steer: true,
  subagents: false,
  models: true,
  native: false,
};

export class AcpAssistant implements Assistant {
  readonly name: string;
  readonly program: string;
  readonly install: string;
  readonly tried: Assistant["tried"];
  readonly provider: Assistant["provider"];
  readonly chooses: boolean;
  readonly toolNames: Readonly<Record<string, string>>;
  /** The protocol has no word for the middle of a turn. Leaving the turn is none: some forget with it all that they did in it. */
  readonly hearsAtDoor = true;
  readonly can: Abilities;
  readonly #agent: AcpAgent;

  constructor(agent: AcpAgent) {
    this.#agent = agent;
    this.can = { ...ofProtocol, cost: agent.reckons ?? false };
    this.name = agent.name;
    this.program = agent.program;
    this.install = agent.install;
    this.tried = agent.tried;
    this.provider = agent.provider;
    this.chooses = agent.chooses ?? false;
    this.toolNames = agent.toolNames ?? {};
  }

  begin(job: AssistantJob): Beginning {
    return { ...this.#agent.begin(job), cwd: "home" };
  }

  talk(job: AssistantJob): Talk {
    return new AcpTalk(job, this.#agent.auth ?? null);
  }
}
