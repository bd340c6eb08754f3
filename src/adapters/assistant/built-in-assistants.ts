// The assistants that come along. Whoever adds one adds it here; everything else reads this list.

import type { OwnRunner } from "../../core/runner/own-runner.ts";
import type { Assistant } from "../../ports/assistant.ts";
import { AcpAssistant } from "./acp/acp-assistant.ts";
import { geminiAgent } from "./acp/gemini-agent.ts";
import { opencodeAgent } from "./acp/opencode-agent.ts";
import { toOwnAgent } from "./acp/own-agent.ts";
import { ClaudeAssistant } from "./claude/claude-assistant.ts";
import { CodexAssistant } from "./codex/codex-assistant.ts";

const acpAgents = [geminiAgent, opencodeAgent] as const;

export function makeAssistants(): Assistant[] {
  return [new ClaudeAssistant(), new CodexAssistant(), ...acpAgents.map((agent) => new AcpAssistant(agent))];
}

/** Other names that they go by: what speaks the Agent Client Protocol is also known by that. */
export const otherNames: ReadonlyMap<string, string> = new Map(acpAgents.map(({ name }) => [`acp:${name}`, name]));

/** The assistant of a runner that a person has defined. */
export function makeOwnAssistant(own: OwnRunner): Assistant {
  return new AcpAssistant(toOwnAgent(own));
}
