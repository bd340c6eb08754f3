// The runners that this daemon has.

import type { OwnRunner } from "../../core/runner/own-runner.ts";
import { looksSecret } from "../../node/relay/looks-secret.ts";
import { protocolError } from "../../protocol/errors.ts";
import type { OutputOf, ParsedInputOf } from "../../protocol/operations.ts";
import type { runnerOperations } from "../../protocol/operations/runner.ts";
import type { Caller, Context, Handlers } from "../context.ts";
import { knownRunner } from "./known-runner.ts";
import { knownSecrets } from "./known-secrets.ts";
import { mustBePerson } from "./must-be-person.ts";

export const runnerHandlers: Handlers<keyof typeof runnerOperations> = {
  "runner.list": (context, _input, _caller, reply) => context.later(listRunners(context), reply),
  "runner.probe": (context, { runner, model = null }, _caller, reply) => {
    context.later(probe(context, knownRunner(context, runner), model), reply);
  },
  "runner.set": (context, input, caller, reply) => {
    mustBePerson(caller, "a runner of one's own");
    context.later(setRunner(context, input, caller), reply);
  },
  "runner.preset": (context, { runner, preset, model }, caller, reply) => {
    mustBePerson(caller, "choosing the model of a preset");
    context.later(setPreset(context, { runner: knownRunner(context, runner), preset, model }, caller), reply);
  },
  "runner.remove": (context, { name }, caller, reply) => {
    mustBePerson(caller, "a runner of one's own");
    context.submit(caller, { type: "runner.remove", name: `${ownPrefix}${name}` }, reply, () => ({}));
  },
};

/** What stands before the names of those that people define. */
const ownPrefix = "acp:";

async function setRunner(
  context: Context,
  { name, ...rest }: ParsedInputOf<"runner.set">,
  caller: Caller,
): Promise<OutputOf<"runner.set">> {
  const { parts } = context;
  const taken = parts.otherNames?.get(`${ownPrefix}${name}`);
  if (taken !== undefined) throw protocolError("already-there", { kind: "runner", id: name, as: taken });
  const secrets = await knownSecrets(parts);
  const texts = [
    ["command", rest.command.join(" ")] as const,
    ...Object.entries(rest.env),
    ...rest.files.map(({ path, text }) => [path, text] as const),
  ];
  const found = texts.find(([, text]) => looksSecret(text, secrets));
  if (found !== undefined) throw protocolError("secret-in-plain", { where: found[0] });
  await context.ask(caller, { type: "runner.set", runner: { name: `${ownPrefix}${name}`, ...rest } });
  return {};
}

async function setPreset(
  context: Context,
  said: ParsedInputOf<"runner.preset">,
  caller: Caller,
): Promise<OutputOf<"runner.preset">> {
  const { inventory } = context.parts;
  if (!inventory.isAssistant(said.runner)) throw protocolError("no-model", { runner: said.runner });
  await context.ask(caller, { type: "preset.set", ...said });
  return { presets: { ...(await inventory.one(said.runner))?.presets } };
}

async function listRunners({ parts, state }: Context): Promise<OutputOf<"runner.list">> {
  const runners = await parts.inventory.list();
  return {
    runners: runners.map((each) => ({
      ...each,
      presets: { ...each.presets },
      own: ownOf(state.runners.get(each.name)),
    })),
  };
}

function ownOf(own: OwnRunner | undefined): OutputOf<"runner.list">["runners"][number]["own"] {
  if (own === undefined) return null;
  const { name: _name, ...rest } = own;
  return structuredClone(rest) as OutputOf<"runner.list">["runners"][number]["own"];
}

async function probe({ parts }: Context, runner: string, model: string | null): Promise<OutputOf<"runner.probe">> {
  const missing = await parts.inventory.missing(runner);
  if (missing !== null) throw protocolError("runner-missing", { message: missing });
  const answer = await parts.inventory.probe(runner, model);
  if (answer === null) throw protocolError("no-model", { runner });
  return answer;
}
