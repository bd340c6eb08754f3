// Profiles: with which runner, model, tools and limits a run works. A run keeps what its profile said when the run was taken
// in; what a profile says later is for later runs.

import type { EgressKind } from "../egress/egress.ts";
import type { RunImage } from "../project/image.ts";
import type { McpServer } from "./mcp-server.ts";

/** What is wanted of a model, where nobody names one. */
export type Preset = "fast" | "cheap" | "smart";

/** With whose tools an assistant works: the door's alone, or its own too, which then ask the door. */
export type ToolChoice = "door" | "native";

/** A field that is left out leaves it to whoever submits, to policies, or to what is built in. */
export type ProfileSettings = {
  readonly runner?: string | undefined;
  /** Runners to use instead, in this order, where the first is missing. */
  readonly fallbacks?: readonly string[] | undefined;
  /** A model of its first runner. */
  readonly model?: string | undefined;
  readonly preset?: Preset | undefined;
  readonly maxTurns?: number | undefined;
  /** How long a run may be at work, beside what policies say. */
  readonly maxTimeMs?: number | undefined;
  /** The door's tools that its model has, and those that it has not. Denied is stronger. */
  readonly allowedTools?: readonly string[] | undefined;
  readonly deniedTools?: readonly string[] | undefined;
  readonly tools?: ToolChoice | undefined;
  /** A policy that speaks of its runs, whatever its scope is. */
  readonly policy?: string | undefined;
  /** What its assistant is told beside the task, in this order. */
  readonly prompt?: readonly string[] | undefined;
  /** Variables that its program and its commands see. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly egress?: EgressKind | undefined;
  /** Faces of agents that its runs may call, as AGENT/FACE, with * for any part of either. */
  readonly faces?: readonly string[] | undefined;
  /** Servers of tools that its assistants have beside the door, by their names (PF16). */
  readonly mcpServers?: Readonly<Record<string, McpServer>> | undefined;
  /** The system that the commands of its runs find, where nobody says otherwise (IM8). */
  readonly image?: RunImage | undefined;
  /** What the model requests of one run may cost, beside what policies say. */
  readonly maxCostMicros?: number | undefined;
};

/** Tools of the door that a model has, as far as its profile has them, and those that it has not. */
export type Permissions = { readonly allow: readonly string[] | null; readonly deny: readonly string[] };

export type Profile = { readonly name: string; readonly settings: ProfileSettings };

/** How a profile's limit is named where otherwise a policy is. */
export function limitOf(profile: string | null): string {
  return `profile ${profile ?? ""}`;
}

/** Without this one a run could never end by itself. */
const alwaysThere = "finish";

/** Whether the model of a run may use a tool of the door. */
export function mayUse(settings: ProfileSettings | null, tool: string): boolean {
  if (settings === null || tool === alwaysThere) return true;
  if (settings.deniedTools?.includes(tool) === true) return false;
  return settings.allowedTools === undefined || settings.allowedTools.includes(tool);
}

/** What a profile says, within what a run is permitted: that takes tools away and never gives any (AW20). */
export function narrowed(settings: ProfileSettings | undefined, permitted: Permissions | null): typeof settings {
  if (permitted === null) return settings;
  const { allowedTools, deniedTools = [] } = settings ?? {};
  const { allow, deny } = permitted;
  const allowed = allow === null ? allowedTools : allow.filter((tool) => allowedTools?.includes(tool) ?? true);
  const denied = [...new Set([...deniedTools, ...deny])];
  return {
    ...settings,
    ...(allowed === undefined ? {} : { allowedTools: allowed }),
    ...(denied.length === 0 ? {} : { deniedTools: denied }),
  };
}

/** Whether its model lacks tools that others have. */
export function isRestricted(settings: ProfileSettings | null): boolean {
  return settings?.allowedTools !== undefined || (settings?.deniedTools?.length ?? 0) > 0;
}

/** The model that a run asks for: the one that is named, for the runner that it is named for, or what the preset means. */
export function modelOf(
  settings: ProfileSettings | null,
  runner: string,
  presets: Readonly<Partial<Record<Preset, string>>>,
): string | null {
  if (settings === null) return null;
  const isFirst = settings.runner === undefined || settings.runner === runner;
  if (isFirst && settings.model !== undefined) return settings.model;
  return settings.preset === undefined ? null : (presets[settings.preset] ?? null);
}
