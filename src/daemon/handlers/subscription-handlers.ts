// Logins of subscriptions: given, listed and taken back by people. No answer has a token in it.

import { protocolError } from "../../protocol/errors.ts";
import type { subscriptionOperations } from "../../protocol/operations/subscription.ts";
import type { Subscription } from "../../protocol/wire/subscription.ts";
import type { Context, Handlers } from "../context.ts";
import { mustBePerson } from "./must-be-person.ts";

const what = "a login of a subscription";

export const subscriptionHandlers: Handlers<keyof typeof subscriptionOperations> = {
  "subscription.set": (context, { runner, file }, caller, reply) => {
    mustBePerson(caller, what);
    context.later(
      context.parts.subscriptions.set(runner, file).then(() => ({})),
      reply,
    );
  },
  "subscription.list": (context, _input, _caller, reply) =>
    context.later(
      listSubscriptions(context).then((subscriptions) => ({ subscriptions })),
      reply,
    ),
  "subscription.remove": (context, { runner }, caller, reply) => {
    mustBePerson(caller, what);
    context.later(
      context.parts.subscriptions.remove(runner).then((wasThere) => {
        if (wasThere) return {};
        throw protocolError("not-found", { kind: "subscription", id: runner });
      }),
      reply,
    );
  },
};

async function listSubscriptions({ parts, state }: Context): Promise<Subscription[]> {
  const toText = (wallMs: number | null): string | null => (wallMs === null ? null : new Date(wallMs).toISOString());
  return (await parts.subscriptions.list()).map(({ runner, setAtMs, renewedAtMs, expiresAtMs, renews, refused }) => ({
    runner,
    setAt: new Date(setAtMs).toISOString(),
    renewedAt: toText(renewedAtMs),
    expiresAt: toText(expiresAtMs),
    renews,
    refused,
    usedAtMs: state.spending.credentials.get(`subscription:${runner}`) ?? null,
  }));
}
