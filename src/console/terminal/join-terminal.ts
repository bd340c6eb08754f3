// A person's own terminal in a run or an agent: the one that is open, or a new one.

import type { Client } from "../../client/client.ts";
import { toPanesText } from "../model/panes.ts";
import type { Address } from "../shell/address.ts";
import { toAgentPage, toRunPage } from "../shell/link.tsx";

/** Answers where it is shown. */
export async function joinTerminal(
  client: Client,
  of: { readonly run: string } | { readonly agent: string },
): Promise<Partial<Address>> {
  const { terminal } = await client.call("terminal.open", { ...of, join: true });
  if ("run" in of) return { ...toRunPage(of.run), terminal };
  return { ...toAgentPage(of.agent), panes: toPanesText({ way: "side", keys: [terminal] }) };
}
