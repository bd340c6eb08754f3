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

/** What a profile says, a line each. */
export function toSettings(settings: Profile["settings"]): string[] {
  return Object.entries(settings).flatMap(([name, value]) => {
    if (value === undefined) return [];
    if (name === "maxTimeMs" && typeof value === "number") return [`maxTime: ${spellDuration(value)}`];
    if (name === "maxCostMicros" && typeof value === "number") return [`maxCost: ${showDollars(value)}`];
    if (name === "image" && settings.image !== undefined) return [`image: ${imageText(settings.image)}`];
    if (Array.isArray(value)) return [`${name}: ${value.join(", ")}`];
    if (typeof value === "object")
      return Object.entries(value).map(([variable, text]) => `${name}: ${variable}=${text}`);
    return [`${name}: ${String(value)}`];
  });
}
