// Whether a machine has what an agent may use. A limit beyond it holds nobody back: what stops them is the end of the machine.

import type { AgentSpec, UseLimits } from "./agent-spec.ts";

export type MachineSize = { readonly memoryBytes: number; readonly processors: number };

/** A limit that is more than the machine has, by its place in the template. */
export type Beyond = { readonly path: string; readonly of: "memory" | "processors"; readonly value: number };

export function findBeyond(spec: AgentSpec, { memoryBytes, processors }: MachineSize): Beyond[] {
  const whole = { path: "limits", limits: spec.limits };
  const own = spec.services.map(({ name, limits }) => ({ path: `services.${name}.limits`, limits }));
  return [whole, ...own].flatMap(({ path, limits }): Beyond[] => {
    const { memoryBytes: memory = null, memoryBytesMax: most = null, cpu = null } = limits ?? {};
    const found: readonly Beyond[] = [
      { path: `${path}.memory`, of: "memory", value: memory ?? 0 },
      { path: `${path}.memory_max`, of: "memory", value: most ?? 0 },
      { path: `${path}.cpu`, of: "processors", value: cpu ?? 0 },
    ];
    return found.filter((each) => each.value > (each.of === "memory" ? memoryBytes : processors));
  });
}

/** As much memory as an agent may come to take by its limits; null where nothing bounds it. */
export function mayTake({ limits, services }: Pick<AgentSpec, "limits" | "services">): number | null {
  const whole = limits?.memoryBytes ?? null;
  if (whole !== null) return whole;
  const each = services.map((service) => memoryOf(service.limits) * (service.instances ?? 1));
  const sum = each.reduce((all, one) => all + one, 0);
  return sum === 0 ? null : sum;
}

function memoryOf(limits: UseLimits | undefined): number {
  return limits?.memoryBytes ?? 0;
}
