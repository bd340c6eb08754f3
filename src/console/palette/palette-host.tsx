// Opens the palette. It is loaded when the page has nothing else to do: whoever wants it while the daemon is away has it.

import { lazy, type ReactNode, Suspense, useEffect, useSyncExternalStore } from "react";
import { useActs } from "../acts/act-context.tsx";
import { showRefusal } from "../acts/perform.ts";
import { startDemo } from "../acts/start-demo.ts";
import { useAgentActs } from "../acts/use-agent-acts.tsx";
import { useBox, useLive } from "../live/live-context.tsx";
import { findAgent } from "../model/agent-rows.ts";
import { useLookBack } from "../past/use-look-back.ts";
import { goTo, useAddress } from "../shell/address.ts";
import { openKeySheet } from "../shell/key-sheet.tsx";
import { useSelection } from "../shell/selection.tsx";
import { toggleTheme } from "../shell/theme.ts";
import { joinTerminal } from "../terminal/join-terminal.ts";
import type { Palette as PaletteComponent } from "./palette.tsx";
import type { Deed, Scope } from "./palette-item.ts";

const load = async (): Promise<{ default: typeof PaletteComponent }> => ({
  default: (await import("./palette.tsx")).Palette,
});
const Palette = lazy(load);

let isOpen = false;
/** What was typed before it was there. */
let early = "";
const listeners = new Set<() => void>();

export function openPalette(): void {
  early = "";
  addEventListener("keydown", holdBack, true);
  setOpen(true);
}

/** Whoever types at once means the palette: no letter may act on the page meanwhile. */
function holdBack(event: KeyboardEvent): void {
  if (document.querySelector("dialog[open]") !== null) return;
  event.preventDefault();
  event.stopPropagation();
  if (event.key === "Escape") setOpen(false);
  else if (event.key === "Backspace") setEarly(early.slice(0, -1));
  else if (event.key.length === 1 && !event.ctrlKey && !event.metaKey) setEarly(early + event.key);
}

function setEarly(text: string): void {
  early = text;
  for (const listener of listeners) listener();
}

export function PaletteHost(): ReactNode {
  const open = useSyncExternalStore(subscribe, () => isOpen);
  const typed = useSyncExternalStore(subscribe, () => early);
  const { client } = useBox();
  const { request, toasts } = useActs();
  const agentActs = useAgentActs();
  const selected = useSelectedThing();
  const lookBack = useLookBack();
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || event.key.toLowerCase() !== "k")
        return;
      // In a terminal every key is the program's.
      const isInTerminal = event.target instanceof Element && event.target.closest(".xterm") !== null;
      if (isInTerminal || document.querySelector("dialog[open]") !== null) return;
      event.preventDefault();
      openPalette();
    };
    addEventListener("keydown", press);
    const idle = requestIdleCallback(() => void load().catch(() => undefined));
    return () => {
      cancelIdleCallback(idle);
      removeEventListener("keydown", press);
    };
  }, []);
  const openTerminal = (of: Scope): Promise<void> =>
    joinTerminal(client, of)
      .then((place) => goTo(place))
      .catch((error: unknown) => showRefusal(toasts, `a terminal in ${"run" in of ? of.run : of.agent}`, error));
  const begin = (): Promise<void> =>
    startDemo({ client, toasts }).catch((error: unknown) => showRefusal(toasts, "the demo", error));
  const perform = (deed: Deed): void => {
    if (deed.is === "go") goTo(deed.to);
    else if (deed.is === "run-act") request(deed.act, deed.run);
    else if (deed.is === "agent-act") agentActs.request(deed.act, deed.agent, deed.service);
    else if (deed.is === "terminal") void openTerminal(deed.of);
    else if (deed.is === "demo") void begin();
    else if (deed.is === "look-back") void lookBack(deed.agoMs);
    else if (deed.is === "theme") toggleTheme();
    else if (deed.is === "keys") openKeySheet();
    else toasts.undoLast();
  };
  return (
    <>
      {open ? (
        <Suspense>
          <Palette
            selected={selected}
            early={typed}
            onClose={() => setOpen(false)}
            onDo={perform}
            onCopied={(command, worked) =>
              toasts.note({ tone: "rest", title: worked ? "Copied" : "Copy it by hand", detail: command })
            }
          />
        </Suspense>
      ) : null}
      {agentActs.dialog}
    </>
  );
}

/** The thing whose page is open, or that is selected in a list. */
function useSelectedThing(): Scope | null {
  const { place, id, run } = useAddress();
  const { selected } = useSelection();
  const agents = useLive((state) => state.agents);
  const meant = place === "run" || place === "agent" ? id : (run ?? selected);
  if (meant === null) return null;
  if (/^r_[0-9a-z]+$/.test(meant)) return { run: meant };
  const agent = findAgent(agents, meant);
  return agent === undefined ? null : { agent: agent.id };
}

function setOpen(next: boolean): void {
  isOpen = next;
  if (!next) removeEventListener("keydown", holdBack, true);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
