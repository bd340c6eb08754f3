// Profiles: set, ensured, shown, removed. What names something that is not there is refused, and so is a secret in plain.

import { compareText } from "../../base/canonical.ts";
import type { Profile as CoreProfile } from "../../core/profile/profile.ts";
import { doorTools } from "../../node/model-door/door-tools.ts";
import { looksSecret } from "../../node/relay/looks-secret.ts";
import { protocolError } from "../../protocol/errors.ts";
import type { ParsedInputOf } from "../../protocol/operations.ts";
import type { profileOperations } from "../../protocol/operations/profile.ts";
import type { Profile } from "../../protocol/wire/profile.ts";
import type { Caller, Context, Handlers } from "../context.ts";
import { knownRunner } from "./known-runner.ts";
import { knownSecrets } from "./known-secrets.ts";
import { mustBePerson } from "./must-be-person.ts";
import { mustKnow } from "./must-know.ts";

export const profileHandlers: Handlers<keyof typeof profileOperations> = {
  "profile.set": (context, input, caller, reply) =>
    context.later(
      setProfile(context, input, caller, false).then(() => ({})),
      reply,
    ),
  "profile.ensure": (context, input, caller, reply) =>
    context.later(
      setProfile(context, input, caller, true).then((made) => ({ profile: findProfile(context, input.name), made })),
      reply,
    ),
  "profile.list": (context, _input, _caller, reply) =>
    context.read((state) => {
      const profiles = [...state.profiles.values()].toSorted((a, b) => compareText(a.name, b.name));
      return { profiles: profiles.map(toProfile) };
    }, reply),
  "profile.get": (context, { name }, _caller, reply) =>
    context.read(() => ({ profile: findProfile(context, name) }), reply),
  "profile.remove": (context, { name }, caller, reply) => {
    mustBePerson(caller, "removing a profile");
    context.submit(caller, { type: "profile.remove", name }, reply, () => ({}));
  },
};

/** Says whether anything was set. */
async function setProfile(
  context: Context,
  input: ParsedInputOf<"profile.set">,
  caller: Caller,
  ensure: boolean,
): Promise<boolean> {
  // What it takes away from its runs, somebody who runs under it would give back.
  if (!ensure && context.state.profiles.has(input.name)) mustBePerson(caller, "changing a profile that is there");
  const profile = await check(context, input, caller);
  const answer = await context.ask(caller, { type: "profile.set", profile, ensure });
  return answer.of === "ids" && answer.ids.length > 0;
}

/** The profile with its runners by their names in the log. */
async function check(context: Context, input: ParsedInputOf<"profile.set">, caller: Caller): Promise<CoreProfile> {
  const { parts } = context;
  const { runner, fallbacks, egress, image, allowedTools = [], deniedTools = [] } = input.settings;
  const named = {
    ...(runner === undefined ? {} : { runner: knownRunner(context, runner) }),
    ...(fallbacks === undefined ? {} : { fallbacks: fallbacks.map((each) => knownRunner(context, each)) }),
  };
  const tools = doorTools.map(({ name }) => name);
  for (const tool of [...allowedTools, ...deniedTools]) mustKnow("tool", tool, tools);
  if (egress !== undefined) mustBePerson(caller, "a profile about the network");
  if (image !== undefined) mustBePerson(caller, "choosing an image");
  if (input.settings.faces !== undefined) mustBePerson(caller, "a profile that calls faces of agents");
  if (input.settings.mcpServers !== undefined) mustBePerson(caller, "a profile with servers of tools");
  const secrets = await knownSecrets(parts);
  const { prompt = [], env = {}, mcpServers = {} } = input.settings;
  const texts = [
    ...prompt.map((text) => ["prompt", text] as const),
    ...Object.entries(env),
    ...Object.entries(mcpServers).map(([name, server]) => [`mcpServers.${name}`, JSON.stringify(server)] as const),
  ];
  const found = texts.find(([, text]) => looksSecret(text, secrets));
  if (found !== undefined) throw protocolError("secret-in-plain", { where: found[0] });
  return { ...input, settings: { ...input.settings, ...named } };
}

function findProfile({ state }: Context, name: string): Profile {
  const profile = state.profiles.get(name);
  if (profile === undefined) throw protocolError("not-found", { kind: "profile", id: name });
  return toProfile(profile);
}

function toProfile(profile: CoreProfile): Profile {
  return structuredClone(profile) as Profile;
}
