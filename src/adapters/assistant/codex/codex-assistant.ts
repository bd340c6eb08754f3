// Codex as a server that is spoken to in lines of JSON-RPC (`codex app-server`).

import type { Abilities, Assistant, AssistantJob, Beginning, Talk } from "../../../ports/assistant.ts";
import { doorTokenName, relayTokenName, toCodexConfig } from "./codex-config.ts";
import { CodexTalk } from "./codex-talk.ts";

export class CodexAssistant implements Assistant {
  readonly name = "codex";
  readonly program = "codex";
  readonly install = "npm install -g @openai/codex";
  readonly tried = { from: "0.166.0", to: "0.166.0" };
  readonly provider = "openai";
  readonly can: Abilities = {
    streaming: true,
    resume: true,
    interrupt: true,
    steer: true,
    cost: false,
    subagents: false,
    models: true,
    native: false,
  };

  begin(job: AssistantJob): Beginning {
    const { home, door, relay } = job;
    return {
      args: ["app-server"],
      env: { CODEX_HOME: home, [doorTokenName]: door.token, [relayTokenName]: relay.token, RUST_LOG: "error" },
      files: [{ path: "config.toml", text: toCodexConfig(job) }],
      cwd: "home",
    };
  }

  talk(job: AssistantJob): Talk {
    return new CodexTalk(job);
  }
}
