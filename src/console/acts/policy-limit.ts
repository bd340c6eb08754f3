// Changes one limit of a policy and nothing else of it. Policies are replaced as a whole, so what is set is read right before: what somebody
// has seen in a dialog, or did a minute ago, is no longer what the policy says.

import type { Client } from "../../client/client.ts";
import { type HeldBy, limitIn, showLimit, withLimit } from "../../protocol/held-by.ts";

/** Throws where the limit is not what it was when somebody decided on it. */
export async function changeLimit(
  client: Pick<Client, "call">,
  held: HeldBy,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  const { policy } = await client.call("policy.get", { name: held.name });
  const now = limitIn(held, policy);
  if (now !== from) {
    const is = now === null ? "no such limit" : showLimit(held, now);
    throw new Error(
      `Policy ${held.name} has ${is} by now, where it had ${showLimit(held, from)}: somebody changed it.`,
    );
  }
  await client.call("policy.set", withLimit(held, policy, to));
}
