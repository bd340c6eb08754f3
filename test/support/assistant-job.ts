import type { AssistantJob } from "../../src/ports/assistant.ts";

/** What an assistant is begun for, where nothing of it matters but what is given. */
export function makeAssistantJob(given: Partial<AssistantJob> = {}): AssistantJob {
  return {
    ...{
      prompt: "Go on.",
      anew: "Add a limit.",
      session: null,
      model: null,
      tools: "door",
      subagents: true,
      servers: [],
    },
    home: "/home/agent/.x",
    door: { url: "http://127.0.0.1:1/door", token: "d" },
    relay: { url: "http://127.0.0.1:2", token: "r", paid: [] },
    ...given,
  };
}
