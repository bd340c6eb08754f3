// Which secrets a template may name. What pays for models never goes into a cage: requests to models leave through the relay,
// which adds the credential outside.

import type { Draft } from "./draft.ts";
import type { Complain, Path } from "./problem.ts";
import type { Template } from "./template-schema.ts";

/** A test compares them with what the relay uses. */
export const modelCredentials: readonly string[] = [
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_AUTH_TOKEN",
  "OPENAI_API_KEY",
  "GEMINI_API_KEY",
  "GOOGLE_API_KEY",
];

export function checkSecrets({ env }: Template, { services }: Draft, complain: Complain): void {
  const check = (at: Path, values: Readonly<Record<string, unknown>> = {}): void => {
    for (const [name, value] of Object.entries(values)) {
      const { secret } = (value ?? {}) as { readonly secret?: string };
      if (secret !== undefined && modelCredentials.includes(secret))
        complain(
          [...at, "env", name, "secret"],
          `${secret} pays for models and stays outside of agents. Keep what a service needs under a name of its own.`,
        );
    }
  };
  check([], env);
  for (const { path, said } of services) check(path, said.env);
}
