// Codex in two ways: as a server that is spoken to in lines of JSON-RPC (`codex app-server`), and, where its program has none
// that comes up, as a program that does one turn and ends (`codex exec --json`). Both have the same home, settings and
// conversations, so that one takes up what the other has begun.

import type { Abilities, Assistant, AssistantJob, Beginning, Talk } from "../../../ports/assistant.ts";
import { doorTokenName, relayTokenName, toCodexConfig } from "./codex-config.ts";
import { CodexExecTalk } from "./codex-exec-talk.ts";
import { CodexTalk } from "./codex-talk.ts";

type Way = {
  readonly name: string;
  readonly isOnce: boolean;
  argsOf(job: AssistantJob): readonly string[];
  talk(job: AssistantJob): Talk;
};

const appServer: Way = {
  name: "app-server",
  isOnce: false,
  argsOf: () => ["app-server"],
  talk: (job) => new CodexTalk(job),
};

const exec: Way = {
  name: "exec",
  isOnce: true,
  argsOf({ session }) {
    // Its home is no repository. The name of the session is from inside the cage: it is no option, whatever it looks like.
    const how = ["--json", "--skip-git-repo-check"];
    return session === null ? ["exec", ...how, "-"] : ["exec", "resume", ...how, "--", session, "-"];
  },
  talk: (job) => new CodexExecTalk(job),
};

export class CodexAssistant implements Assistant {
  readonly name = "codex";
  readonly program = "codex";
  readonly install = "npm install -g @openai/codex";
  readonly tried = { from: "0.166.0", to: "0.166.0" };
  readonly provider = "openai";
  readonly can: Abilities;
  readonly way: string;
  readonly isOnce: boolean;
  readonly hearsAtDoor: boolean;
  readonly otherwise?: CodexAssistant;
  readonly #way: Way;

  constructor(way = appServer) {
    this.#way = way;
    this.way = way.name;
    this.isOnce = way.isOnce;
    this.hearsAtDoor = way.isOnce;
    this.can = {
      // In the events of one turn nothing comes before it is whole.
      ...{ streaming: !way.isOnce, messages: true, resume: true, interrupt: true, steer: true },
      ...{ cost: false, subagents: !way.isOnce, models: true, native: false },
    };
    if (way === appServer) this.otherwise = new CodexAssistant(exec);
  }

  begin(job: AssistantJob): Beginning {
    const { home, door, relay } = job;
    // In one turn's events others who work for it are not to be seen.
    const subagents = job.subagents && this.can.subagents;
    return {
      args: this.#way.argsOf(job),
      env: { CODEX_HOME: home, [doorTokenName]: door.token, [relayTokenName]: relay.token, RUST_LOG: "error" },
      files: [{ path: "config.toml", text: toCodexConfig({ ...job, subagents }) }],
      cwd: "home",
    };
  }

  talk(job: AssistantJob): Talk {
    return this.#way.talk(job);
  }
}
