// Who waits for whom, as a tree: those that wait for nobody are the roots, and whoever waits for them hangs below.

import { toUnitText } from "./unit-text.ts";
import type { WaitEdge } from "../../protocol/wire/claim.ts";
import { toSafeLine } from "../text/safe-text.ts";

/** One waiter under one that it waits for, with the units between them. */
type Branch = { readonly family: string; readonly holder: string; readonly units: string[] };

export function toWaitsTree(waits: readonly WaitEdge[]): string[] {
  const names = new Map<string, string>();
  const waiters = new Map<string, Map<string, Branch>>();
  for (const edge of withoutShortCuts(waits)) {
    names.set(edge.from, edge.fromHolder);
    names.set(edge.to, edge.toHolder);
    const below = waiters.get(edge.to) ?? new Map<string, Branch>();
    waiters.set(edge.to, below);
    const branch = below.get(edge.from) ?? { family: edge.from, holder: edge.fromHolder, units: [] };
    below.set(edge.from, branch);
    if (edge.unit !== null && !branch.units.includes(edge.unit)) branch.units.push(edge.unit);
  }
  const waiting = new Set(waits.map(({ from }) => from));
  const roots = [...waiters.keys()].filter((family) => !waiting.has(family));
  const lines: string[] = [];
  const shown = new Set<string>();
  // In a circle there would be no root; the rules forbid circles, but a reader of this should see one if it were there.
  for (const root of roots.length > 0 ? roots : [...waiters.keys()].slice(0, 1)) {
    lines.push(toSafeLine(names.get(root) ?? root));
    grow(root, "");
  }
  return lines;

  function grow(family: string, indent: string): void {
    const below = [...(waiters.get(family)?.values() ?? [])];
    below.forEach((branch, at) => {
      const isLast = at === below.length - 1;
      const why = branch.units.length === 0 ? "" : ` waits for ${branch.units.map(toUnitText).join(", ")}`;
      const again = shown.has(branch.family) && waiters.has(branch.family);
      lines.push(
        `${indent}${isLast ? "└─ " : "├─ "}${toSafeLine(`${branch.holder}${why}${again ? " (see above)" : ""}`)}`,
      );
      if (again) return;
      shown.add(branch.family);
      grow(branch.family, `${indent}${isLast ? "   " : "│  "}`);
    });
  }
}

/** Who waits for b, and b for a, waits for a too; said once, further down, it is enough. */
function withoutShortCuts(waits: readonly WaitEdge[]): WaitEdge[] {
  const next = new Map<string, Set<string>>();
  for (const { from, to } of waits) next.set(from, (next.get(from) ?? new Set()).add(to));
  const reached = new Map<string, ReadonlySet<string>>();
  const reachOf = (family: string): ReadonlySet<string> => {
    const known = reached.get(family);
    if (known !== undefined) return known;
    const all = new Set<string>();
    // Set before it is filled, so that a circle comes to an end.
    reached.set(family, all);
    for (const other of next.get(family) ?? []) {
      all.add(other);
      for (const further of reachOf(other)) all.add(further);
    }
    return all;
  };
  return waits.filter(
    ({ from, to }) => ![...(next.get(from) ?? [])].some((other) => other !== to && reachOf(other).has(to)),
  );
}
