import { expect, test } from "vitest";
import { makeAssistantJob } from "../../../../test/support/assistant-job.ts";
import type { OwnRunner } from "../../../core/runner/own-runner.ts";
import { toOwnAgent } from "./own-agent.ts";

const job = makeAssistantJob();
const mine: OwnRunner = {
  ...{ name: "acp:mine", command: ["my-agent", "--acp", "--model={model}"], credential: null, baseUrl: null },
  ...{
    auth: null,
    env: { MY_HOME: "{home}/own" },
    files: [{ path: "s.json", text: '{"key":"{token}","at":"{relay}"}' }],
  },
  format: "anthropic",
};

test("knows its home, its relay and its token, and a model only where one is named", () => {
  const agent = toOwnAgent(mine);
  const begun = agent.begin(job);
  expect(begun.args).toEqual(["--acp"]);
  expect(begun.files).toEqual([{ path: "s.json", text: '{"key":"r","at":"http://127.0.0.1:2"}' }]);
  expect(begun.env).toEqual({
    HOME: job.home,
    MY_HOME: "/home/agent/.x/own",
    ANTHROPIC_BASE_URL: "http://127.0.0.1:2",
    ANTHROPIC_API_KEY: "r",
  });
  expect(agent.begin({ ...job, model: "m-1" }).args).toEqual(["--acp", "--model=m-1"]);
});

test.each([
  ["openai-responses", "openai", "OPENAI_BASE_URL", "http://127.0.0.1:2/v1"],
  ["openai-chat", "openai", "OPENAI_BASE_URL", "http://127.0.0.1:2/v1"],
  ["gemini", "gemini", "GOOGLE_GEMINI_BASE_URL", "http://127.0.0.1:2"],
] as const)("asks in the format %s as one of %s does", (format, provider, name, url) => {
  const agent = toOwnAgent({ ...mine, format });
  expect(agent.provider).toBe(provider);
  expect(agent.begin(job).env[name]).toBe(url);
});
