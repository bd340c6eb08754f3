// What leads out of a run's cage: the forwarder, and where it has an assistant its door and its models.

import type { EgressInput } from "../core/egress/egress-events.ts";
import type { Run } from "../core/run/run-state.ts";
import type { State } from "../core/state.ts";
import type { Assistants } from "./assistants/assistants.ts";
import type { EgressWays } from "./egress/egress-ways.ts";
import { openWays } from "./egress/open-ways.ts";
import type { WaysOut } from "./workspace/workspaces.ts";

export async function waysFor(
  { ways, assistants }: { readonly ways: EgressWays; readonly assistants?: Assistants },
  state: () => State,
  root: Run,
  report: (input: EgressInput) => Promise<boolean>,
): Promise<WaysOut> {
  const opened = await openWays(ways, state, root.id, report);
  const out = { ...opened, env: { ...root.settings?.env, ...opened.env } };
  const own = await assistants?.waysOf(root);
  return own === undefined ? out : { ...out, bridges: [...out.bridges, ...own.bridges], binds: own.binds };
}
