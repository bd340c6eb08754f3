// Draws terminals by the graphics processor where there is one: several of them, or one that floods, cost the page far less.
// It comes after the terminal is there, and where it cannot be had, or is taken away, the terminal draws as before.

import type { Terminal } from "@xterm/xterm";
import { readPreference } from "../shell/preferences.ts";

export function drawByWebgl(terminal: Terminal, onRenderer: (name: "webgl" | "dom") => void): () => void {
  let isGone = false;
  let end = (): void => undefined;
  const load = async (): Promise<void> => {
    const { WebglAddon } = await import("@xterm/addon-webgl");
    if (isGone) return;
    const addon = new WebglAddon();
    end = () => addon.dispose();
    addon.onContextLoss(() => {
      addon.dispose();
      end = () => undefined;
      onRenderer("dom");
    });
    terminal.loadAddon(addon);
    onRenderer("webgl");
  };
  if (readPreference("terminal-renderer") === "dom") onRenderer("dom");
  // Without a context it cannot be loaded, and nothing is lost.
  else load().catch(() => onRenderer("dom"));
  return () => {
    isGone = true;
    end();
  };
}
