// An agent that a person has defined. What it is given stands in its definition; where its home, its relay and its token are
// is put in for `{home}`, `{relay}`, `{token}` and `{model}`.

import { makerOf, type OwnRunner } from "../../../core/runner/own-runner.ts";
import type { AssistantJob, ModelMaker } from "../../../ports/assistant.ts";
import type { AcpAgent } from "./acp-assistant.ts";

export function toOwnAgent({ name, command, format, auth, env, files }: OwnRunner): AcpAgent {
  const [program = "", ...args] = command;
  return {
    name,
    program,
    install: `whatever puts ${program} on the daemon's PATH`,
    tried: null,
    provider: makerOf(format),
    ...(auth === null ? {} : { auth }),
    begin: (job) => ({
      args: args.filter((arg) => job.model !== null || !arg.includes("{model}")).map((arg) => fill(arg, job)),
      env: {
        HOME: job.home,
        ...variables[makerOf(format)](job),
        ...Object.fromEntries(Object.entries(env).map(([each, value]) => [each, fill(value, job)])),
      },
      files: files.map(({ path, text }) => ({ path, text: fill(text, job) })),
    }),
  };
}

/** The names under which programs commonly look for the place of their models, and for the key. */
const variables: Readonly<Record<ModelMaker, (job: AssistantJob) => Record<string, string>>> = {
  anthropic: ({ relay }) => ({ ANTHROPIC_BASE_URL: relay.url, ANTHROPIC_API_KEY: relay.token }),
  openai: ({ relay }) => ({ OPENAI_BASE_URL: `${relay.url}/v1`, OPENAI_API_KEY: relay.token }),
  gemini: ({ relay }) => ({ GOOGLE_GEMINI_BASE_URL: relay.url, GEMINI_API_KEY: relay.token }),
};

function fill(text: string, { home, relay, model }: AssistantJob): string {
  const known: Readonly<Record<string, string>> = { home, relay: relay.url, token: relay.token, model: model ?? "" };
  return text.replaceAll(/\{(home|relay|token|model)\}/g, (_, name: string) => known[name] ?? "");
}
