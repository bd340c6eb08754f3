// The values of secrets that a service is started with. Nobody but the process that gets them ever sees one.

import { Fault } from "../../base/fault.ts";
import type { SecretStore } from "../../ports/secret-store.ts";

/** By their names. Throws a Fault with code `secret-missing` where one is not there. */
export async function readSecrets(
  store: Pick<SecretStore, "get">,
  names: readonly string[],
): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const name of names) {
    const value = await store.get(name);
    if (value === null) throw missing(`there is no secret ${name}: keep it with signalbox secret set ${name}`);
    if (value.includes("\0"))
      throw missing(`the secret ${name} has a zero byte in it, which no variable can have: set another one`);
    found[name] = value;
  }
  return found;
}

function missing(message: string): Fault {
  return new Fault("secret-missing", { retry: "never", message });
}
