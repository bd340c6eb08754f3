import type { AgentSpec } from "./agent-spec.ts";

type Value = { readonly name: string; readonly value: string | null };

/** Variables at the top of a template that whoever makes an agent may give another value: texts, and what is made up. */
export function listValues({ env }: Pick<AgentSpec, "env">): Value[] {
  return Object.entries(env).flatMap(([name, value]): Value[] => {
    if (typeof value === "string") return [{ name, value }];
    return "generate" in value ? [{ name, value: null }] : [];
  });
}

/** The first name that the template does not let be given. */
export function findUnknownValue(
  spec: Pick<AgentSpec, "env">,
  values: Readonly<Record<string, string>>,
): string | undefined {
  const known = new Set(listValues(spec).map(({ name }) => name));
  return Object.keys(values).find((name) => !known.has(name));
}

export function withValues<Spec extends Pick<AgentSpec, "env">>(
  spec: Spec,
  values: Readonly<Record<string, string>>,
): Spec {
  return { ...spec, env: { ...spec.env, ...values } };
}
