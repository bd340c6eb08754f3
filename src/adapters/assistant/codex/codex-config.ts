// What Codex is told of its surroundings: no hands but the door, no model but the relay, and nothing in the background.

import type { AssistantJob, ToolServer } from "../../../ports/assistant.ts";

export const doorName = "door";
export const doorTokenName = "SIGNALBOX_DOOR_TOKEN";
export const relayTokenName = "SIGNALBOX_RELAY_TOKEN";

/** A call may wait for a person; the program's own patience must not end it. */
const toolPatienceSeconds = 24 * 60 * 60;
const startPatienceSeconds = 60;

/** Each of these times each: after some seconds it has asked six times, and whoever drives it waits instead, without a program. */
const tries = ["request_max_retries = 1", "stream_max_retries = 2"];

const patience = [`startup_timeout_sec = ${startPatienceSeconds}`, `tool_timeout_sec = ${toolPatienceSeconds}`];

/** Its own tools, and what it would do besides its work. */
const off = [
  ...["shell_tool", "unified_exec", "view_image", "image_generation", "browser_use", "computer_use", "sleep_tool"],
  ...["multi_agent", "apps", "plugins", "remote_plugin", "recommended_plugins", "hooks", "goals"],
  ...["shell_snapshot", "daemon_auto_start", "tool_suggest", "skill_search", "skill_mcp_dependency_install"],
  ...["in_app_browser", "browser_use_external", "memories", "enable_request_compression", "workspace_dependencies"],
];

/** Most of its models have them whatever is enabled: then nobody offers the tools, and whoever asks for them all the same is refused. */
const noSubagents = ["enabled = false", "disable_native_tools = true", "max_concurrent_threads_per_session = 1"];

export function toCodexConfig({ model, door, relay, servers, subagents }: AssistantJob): string {
  return [
    ...(model === null ? [] : [`model = ${quote(model)}`]),
    `model_provider = "relay"`,
    `approval_policy = "never"`,
    `sandbox_mode = "read-only"`,
    `web_search = "disabled"`,
    "check_for_update_on_startup = false",
    "[model_providers.relay]",
    `name = "relay"`,
    `base_url = ${quote(`${relay.url}/v1`)}`,
    `wire_api = "responses"`,
    ...tries,
    `env_key = ${quote(relayTokenName)}`,
    `[mcp_servers.${doorName}]`,
    `url = ${quote(door.url)}`,
    `bearer_token_env_var = ${quote(doorTokenName)}`,
    "required = true",
    `default_tools_approval_mode = "approve"`,
    ...patience,
    ...servers.flatMap(toServer),
    "[features]",
    ...off.map((name) => `${name} = false`),
    "[features.multi_agent_v2]",
    ...(subagents ? ["enabled = true"] : noSubagents),
    "[analytics]",
    "enabled = false",
    "[feedback]",
    "enabled = false",
    "",
  ].join("\n");
}

function toServer(server: ToolServer): string[] {
  const table = `mcp_servers.${server.name}`;
  const approved = [`default_tools_approval_mode = "approve"`, ...patience];
  if ("url" in server)
    return [`[${table}]`, `url = ${quote(server.url)}`, `bearer_token_env_var = ${quote(relayTokenName)}`, ...approved];
  const [command = "", ...args] = server.command;
  const env = Object.entries(server.env).map(([name, value]) => `${name} = ${quote(value)}`);
  return [
    `[${table}]`,
    `command = ${quote(command)}`,
    `args = [${args.map(quote).join(", ")}]`,
    ...approved,
    ...(env.length === 0 ? [] : [`[${table}.env]`, ...env]),
  ];
}

/** A basic string of TOML, whose escapes are those of JSON. */
function quote(text: string): string {
  return JSON.stringify(text);
}
