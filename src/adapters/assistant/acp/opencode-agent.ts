// OpenCode as an agent of the Agent Client Protocol, without tools of its own. It asks whatever provider its model is of:
// the models of those that somebody pays for are its to choose from.

import type { AssistantJob } from "../../../ports/assistant.ts";
import type { AcpAgent } from "./acp-assistant.ts";

/** What it calls the makers of models, and how it has to ask theirs at the relay. */
const providers = {
  anthropic: { name: "anthropic", path: "/v1" },
  openai: { name: "openai", path: "/v1" },
  gemini: { name: "google", path: "/v1beta" },
} as const;

/** A call may wait for a person; the program's own patience must not end it. */
const toolPatienceMs = 24 * 60 * 60 * 1000;

/** What it would do besides its work, and what it would find on the way. */
const off = [
  ...["PURE", "DISABLE_PROJECT_CONFIG", "DISABLE_AUTOUPDATE", "DISABLE_MODELS_FETCH", "DISABLE_LSP_DOWNLOAD"],
  ...["DISABLE_DEFAULT_PLUGINS", "DISABLE_EXTERNAL_SKILLS", "DISABLE_CLAUDE_CODE", "DISABLE_FFF"],
  "EXPERIMENTAL_DISABLE_FILEWATCHER",
];

/** It would fetch a package for plugins from the registry, unless these say that it is there. */
const plugins = [
  { path: "config/opencode/node_modules/.keep", text: "" },
  {
    path: "config/opencode/package-lock.json",
    text: JSON.stringify({ packages: { "": { dependencies: { "@opencode-ai/plugin": "*" } } } }),
  },
];

/**
 * It would fetch ripgrep from GitHub where there is none on the PATH, for tools that it does not have here. A file of the name is what it
 * looks for; nothing runs it.
 */
const ripgrep = { path: "cache/opencode/bin/rg", text: "" };

export const opencodeAgent: AcpAgent = {
  name: "opencode",
  program: "opencode",
  install: "npm install -g opencode-ai",
  tried: { from: "1.18.33", to: "1.18.33" },
  provider: null,
  // Among all models of all makers, also such that are for something else.
  chooses: true,
  reckons: true,
  begin: (job) => ({
    args: ["acp"],
    env: {
      HOME: job.home,
      XDG_CONFIG_HOME: `${job.home}/config`,
      XDG_DATA_HOME: `${job.home}/data`,
      XDG_STATE_HOME: `${job.home}/state`,
      XDG_CACHE_HOME: `${job.home}/cache`,
      OPENCODE_CONFIG: `${job.home}/opencode.json`,
      ...Object.fromEntries(off.map((name) => [`OPENCODE_${name}`, "1"])),
    },
    files: [{ path: "opencode.json", text: JSON.stringify(toSettings(job)) }, ...plugins, ripgrep],
  }),
};

function toSettings(job: AssistantJob): object {
  const { relay } = job;
  const model = toModel(job);
  const paid = relay.paid.map((each) => providers[each]);
  return {
    ...{ autoupdate: false, share: "disabled", snapshot: false, lsp: false, formatter: false },
    tools: { "*": false, ...ofServers(job, true) },
    permission: { "*": "deny", ...ofServers(job, "allow") },
    // It would ask a model for a title of each conversation.
    agent: { title: { disable: true } },
    experimental: { mcp_timeout: toolPatienceMs },
    enabled_providers: paid.map(({ name }) => name),
    ...(model === null ? {} : { model: `${model.of}/${model.name}`, small_model: `${model.of}/${model.name}` }),
    provider: Object.fromEntries(
      paid.map(({ name, path }) => [
        name,
        {
          options: { baseURL: `${relay.url}${path}`, apiKey: relay.token },
          // A model that it has not heard of may be there anyway.
          ...(model?.of === name ? { models: { [model.name]: {} } } : {}),
        },
      ]),
    ),
  };
}

/** Its tools have the names of their servers in front. */
function ofServers<T>({ servers }: AssistantJob, value: T): Record<string, T> {
  return Object.fromEntries(["door", ...servers.map(({ name }) => name)].map((name) => [`${name}_*`, value]));
}

/** `openai/gpt-5` is what it says; a name alone is of the first maker that somebody pays. */
function toModel({ model, relay }: AssistantJob): { readonly of: string; readonly name: string } | null {
  if (model === null) return null;
  const [maker = "", ...rest] = model.split("/");
  const named = Object.entries(providers).find(([ours, { name }]) => maker === ours || maker === name)?.[1];
  if (named !== undefined && rest.length > 0) return { of: named.name, name: rest.join("/") };
  return { of: providers[relay.paid[0] ?? "anthropic"].name, name: model };
}
