import type { AgentView } from "../../protocol/wire/agent.ts";
import type { View } from "../../protocol/wire/terminal.ts";
import { useActs } from "../acts/act-context.tsx";
import { showRefusal } from "../acts/perform.ts";
import { useBox, useIsLive } from "../live/live-context.tsx";
import { useAsked } from "../live/use-asked.ts";
import { useNewest } from "../live/use-newest.ts";
import { viewKey, windowOfView } from "../model/panes.ts";
import type { WindowTab } from "./window-tabs.tsx";

export type Windows = {
  readonly tabs: readonly WindowTab[];
  readonly canOpen: boolean;
  readonly nameOf: (key: string) => string;
  readonly viewOf: (key: string) => View | undefined;
  readonly isOpen: (key: string) => boolean;
  /** Whether more than its shell would end with it. */
  readonly isBusy: (key: string) => Promise<boolean>;
  /** Null where that was refused, which is told. */
  readonly open: () => Promise<string | null>;
  readonly close: (key: string) => Promise<void>;
  readonly rename: (key: string, name: string) => Promise<void>;
};

/** The windows of an agent, and what can be done with them. */
export function useWindows(agent: AgentView): Windows {
  const { client } = useBox();
  const { toasts } = useActs();
  const isLive = useIsLive();
  const newest = useNewest(({ type }) => type.startsWith("terminal."));
  const { value } = useAsked({
    subject: `windows ${agent.id}`,
    // Its views change with its services and the run in it.
    stamp: `${newest} ${agent.run ?? ""} ${agent.services.map(({ name }) => name).join(" ")}`,
    ask: (each, signal) => each.call("terminal.list", { agent: agent.id, limit: 100 }, { signal }),
  });
  const terminals = (value?.terminals ?? []).toReversed();
  const views = value?.views ?? [];
  const attempt = async <T>(what: string, act: () => Promise<T>): Promise<T | null> => {
    try {
      return await act();
    } catch (error) {
      showRefusal(toasts, what, error);
      return null;
    }
  };
  return {
    tabs: [
      ...terminals.map((terminal) => {
        return { key: terminal.id, name: terminal.window, isTerminal: true, isTyped: terminal.keyboard !== null };
      }),
      ...views.map(({ window }) => ({ key: viewKey(window), name: window, isTerminal: false, isTyped: false })),
    ],
    canOpen: isLive && agent.state !== "stopped" && agent.state !== "stopping",
    nameOf: (key) => windowOfView(key) ?? terminals.find(({ id }) => id === key)?.window ?? key,
    viewOf: (key) => views.find(({ window }) => viewKey(window) === key),
    isOpen: (key) => terminals.some(({ id }) => id === key),
    isBusy: async (key) => {
      const found = await attempt(`looking at ${key}`, () => client.call("terminal.get", { terminal: key }));
      return found === null || found.processes > 1 || found.terminal.argv.length > 0;
    },
    open: async () => {
      const opened = await attempt(`a terminal in ${agent.name}`, () =>
        client.call("terminal.open", { agent: agent.id }),
      );
      return opened?.terminal ?? null;
    },
    close: async (key) => {
      await attempt(`ending ${key}`, () => client.call("terminal.close", { terminal: key }));
    },
    rename: async (key, window) => {
      await attempt(`naming ${key}`, () => client.call("terminal.rename", { terminal: key, window }));
    },
  };
}
