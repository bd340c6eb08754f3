// The servers of tools that a run's profile gives to its assistant, as its program finds them in the cage.

import type { ProfileSettings } from "../../core/profile/profile.ts";
import type { RelayPlace, ToolServer } from "../../ports/assistant.ts";
import { serverPathOf } from "../mcp-servers/server-path.ts";

/** What is asked outside of the cage is asked where models are, with the same token; what is a command is begun inside. */
export function toServers(settings: ProfileSettings | null, relay: Pick<RelayPlace, "url" | "token">): ToolServer[] {
  return Object.entries(settings?.mcpServers ?? {}).map(([name, server]) =>
    "command" in server
      ? { name, command: server.command, env: server.env ?? {} }
      : { name, url: `${relay.url}${serverPathOf(name)}`, token: relay.token },
  );
}

/** What it is told of them. */
export function aboutServers(settings: ProfileSettings | null): string[] {
  const names = Object.keys(settings?.mcpServers ?? {});
  if (names.length === 0) return [];
  return [
    `Beside the door you have the tools of ${names.join(", ")}. They are for what is outside of the project: its files and commands are the door's.`,
  ];
}
