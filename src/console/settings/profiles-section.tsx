import type { ReactNode } from "react";
import type { Client } from "../../client/client.ts";
import type { InputOf } from "../../protocol/operations.ts";
import type { Profile } from "../../protocol/wire/profile.ts";
import { toSettingWords } from "../model/setting-words.ts";
import { NamedSection } from "./named-section.tsx";

export function ProfilesSection(): ReactNode {
  return (
    <NamedSection
      noun="profile"
      title="Profiles"
      empty="A profile says which runner, model, tools and limits a run works with."
      set="profile.set"
      read={read}
      wordsOf={wordsOf}
      onSet={(client, value) => client.call("profile.set", value as InputOf<"profile.set">)}
      onRemove={(client, name) => client.call("profile.remove", { name })}
    />
  );
}

async function read(client: Client, signal: AbortSignal): Promise<readonly Profile[]> {
  return (await client.call("profile.list", {}, { signal })).profiles;
}

function wordsOf({ settings }: Profile): string {
  const { runner, model, preset, policy, ...rest } = settings;
  const named = [runner, model ?? preset, policy === undefined ? undefined : `policy ${policy}`, toSettingWords(rest)];
  return named.filter((part) => part !== undefined && part !== "").join(", ");
}
