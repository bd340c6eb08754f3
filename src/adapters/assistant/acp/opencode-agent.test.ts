import { expect, test } from "vitest";
import { makeAssistantJob } from "../../../../test/support/assistant-job.ts";
import type { AssistantJob } from "../../../ports/assistant.ts";
import { opencodeAgent } from "./opencode-agent.ts";

function settingsFor(model: string | null, paid: AssistantJob["relay"]["paid"]): Record<string, unknown> {
  const job = makeAssistantJob({ model, relay: { url: "http://127.0.0.1:2", token: "r", paid } });
  return JSON.parse(opencodeAgent.begin(job).files[0]?.text ?? "") as Record<string, unknown>;
}

test("has no hands but the door's, and asks only the makers that somebody pays", () => {
  const settings = settingsFor(null, ["anthropic", "gemini"]);
  expect(settings).toMatchObject({
    tools: { "*": false, "door_*": true },
    permission: { "*": "deny", "door_*": "allow" },
    enabled_providers: ["anthropic", "google"],
    provider: {
      anthropic: { options: { baseURL: "http://127.0.0.1:2/v1", apiKey: "r" } },
      google: { options: { baseURL: "http://127.0.0.1:2/v1beta", apiKey: "r" } },
    },
  });
  expect(settings).not.toHaveProperty("model");
  expect(settings).not.toHaveProperty("provider.openai");
});

test.each([
  ["openai/gpt-5", "openai/gpt-5"],
  ["gemini/gemini-2.5-pro", "google/gemini-2.5-pro"],
  ["google/gemini-2.5-pro", "google/gemini-2.5-pro"],
  // A name alone, or one with a stroke of its own, is of the first maker that somebody pays.
  ["claude-opus-4-6", "anthropic/claude-opus-4-6"],
  ["meta/llama-5", "anthropic/meta/llama-5"],
])("knows the model %s as %s", (named, own) => {
  const settings = settingsFor(named, ["anthropic", "openai", "gemini"]);
  expect(settings["model"]).toBe(own);
  const [maker = "", ...name] = own.split("/");
  expect(settings["provider"]).toMatchObject({ [maker]: { models: { [name.join("/")]: {} } } });
});
