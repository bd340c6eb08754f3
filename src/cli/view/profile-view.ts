import { showDollars } from "../../protocol/dollars.ts";
import type { Profile } from "../../protocol/wire/profile.ts";
import { spellDuration } from "../text/duration.ts";
import type { Field } from "./fields-view.ts";
import { toImageText } from "./run-view.ts";

export function toProfileFields({ name, settings }: Profile): Field[] {
  return [
    ["profile", name],
    ["settings", toSettings(settings)],
  ];
}

function imageText(image: NonNullable<Profile["settings"]["image"]>): string {
  return image === "none" ? image : toImageText(image);
}

function placeOf(server: NonNullable<Profile["settings"]["mcpServers"]>[string]): string {
  if ("command" in server) return server.command.join(" ");
  if ("face" in server) return `the face ${server.face}`;
  const headers = Object.entries(server.headers ?? {}).map(([name, value]) => `${name}: ${value}`);
  return [server.url, ...headers].join(", ");
}

/** What a profile says, a line each. */
export function toSettings(settings: Profile["settings"]): string[] {
  return Object.entries(settings).flatMap(([name, value]) => {
    if (value === undefined) return [];
    if (name === "maxTimeMs" && typeof value === "number") return [`maxTime: ${spellDuration(value)}`];
    if (name === "maxCostMicros" && typeof value === "number") return [`maxCost: ${showDollars(value)}`];
    if (name === "image" && settings.image !== undefined) return [`image: ${imageText(settings.image)}`];
    if (name === "mcpServers" && settings.mcpServers !== undefined)
      return Object.entries(settings.mcpServers).map(([server, where]) => `server ${server}: ${placeOf(where)}`);
    if (Array.isArray(value)) return [`${name}: ${value.join(", ")}`];
    if (typeof value === "object")
      return Object.entries(value).map(([variable, text]) => `${name}: ${variable}=${text}`);
    return [`${name}: ${String(value)}`];
  });
}
