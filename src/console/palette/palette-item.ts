// A row of the palette, and what happens when it is chosen.

import type { AgentView } from "../../protocol/wire/agent.ts";
import type { Run } from "../../protocol/wire/run.ts";
import type { AgentAct } from "../model/agent-acts.ts";
import type { RunAct } from "../model/run-acts.ts";
import type { IconName } from "../parts/icon-shapes.tsx";
import type { Address } from "../shell/address.ts";

/** What happens when a row is chosen. */
export type Deed =
  | { readonly is: "go"; readonly to: Partial<Address> }
  | { readonly is: "run-act"; readonly act: RunAct; readonly run: Run }
  | { readonly is: "agent-act"; readonly act: AgentAct; readonly agent: AgentView; readonly service?: string }
  | { readonly is: "terminal"; readonly of: Scope }
  | { readonly is: "look-back"; readonly agoMs: number }
  | { readonly is: "theme" | "keys" | "undo" | "demo" };

export type PaletteItem = {
  readonly id: string;
  /** What kind of thing it is, as the row says it. */
  readonly kind: string;
  readonly icon: IconName;
  readonly title: string;
  readonly detail: string;
  /** The key that does the same. */
  readonly key?: string | undefined;
  /** The command that does the same. */
  readonly command?: string | undefined;
  readonly deed: Deed;
  /** What can be done to it is one step further. */
  readonly scope?: Scope | undefined;
};

/** The one thing whose acts are shown. */
export type Scope = { readonly run: string } | { readonly agent: string };
