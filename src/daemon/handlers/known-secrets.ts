import type { DaemonParts } from "../parts.ts";

/** Every value that must not stand in what is kept in plain. */
export async function knownSecrets(
  parts: Pick<DaemonParts, "secrets" | "credentials" | "subscriptions">,
): Promise<readonly string[]> {
  const { secrets, credentials, subscriptions } = parts;
  return (await Promise.all([secrets.values(), credentials.values(), subscriptions.values()])).flat();
}
