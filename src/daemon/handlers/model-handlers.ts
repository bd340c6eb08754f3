// What models cost, and the secrets that pay for it.

import { isSubscription } from "../../node/relay/subscriptions.ts";
import { protocolError } from "../../protocol/errors.ts";
import type { modelOperations } from "../../protocol/operations/model.ts";
import type { Secret } from "../../protocol/wire/model.ts";
import type { Context, Handlers } from "../context.ts";
import { toCost, toPrices } from "../views/cost-view.ts";

export const modelHandlers: Handlers<keyof typeof modelOperations> = {
  cost: (context, input, _caller, reply) =>
    context.read((state) => toCost(state, input, context.parts.engine.nowMs()), reply),
  "price.list": (context, _input, _caller, reply) => context.read((state) => ({ prices: toPrices(state) }), reply),
  "price.set": (context, { model, inputMicros, outputMicros, ...cache }, caller, reply) => {
    const { cacheReadMicros = inputMicros, cacheWriteMicros = inputMicros } = cache;
    const price = { model, inputMicros, outputMicros, cacheReadMicros, cacheWriteMicros };
    context.submit(caller, { type: "price.set", price }, reply, () => ({}));
  },
  "price.remove": (context, { model }, caller, reply) =>
    context.submit(caller, { type: "price.remove", model }, reply, () => ({})),
  "secret.set": (context, { name, value }, _caller, reply) =>
    context.later(
      context.parts.secrets.set(name, value).then(() => ({})),
      reply,
    ),
  "secret.list": (context, _input, _caller, reply) =>
    context.later(
      listSecrets(context).then((secrets) => ({ secrets })),
      reply,
    ),
  "secret.remove": (context, { name }, _caller, reply) => context.later(removeSecret(context, name), reply),
};

async function listSecrets({ parts, state }: Context): Promise<Secret[]> {
  const used = (from: Secret["from"], name: string): number | null =>
    state.spending.credentials.get(`${from}:${name}`) ?? null;
  const own = (await parts.secrets.list()).filter(({ name }) => !isSubscription(name));
  const kept = own.map(({ name, setAtMs }) => {
    const setAt = new Date(setAtMs).toISOString();
    return { name, from: "store" as const, setAt, usedAtMs: used("store", name) };
  });
  const outside = await parts.credentials.outside();
  return [...kept, ...outside.map(({ name, from }) => ({ name, from, setAt: null, usedAtMs: used(from, name) }))];
}

async function removeSecret({ parts }: Context, name: string): Promise<Record<string, never>> {
  if (await parts.secrets.remove(name)) return {};
  throw protocolError("not-found", { kind: "secret", id: name });
}
