// The colours of a terminal, from the tokens of the page.

import type { ITheme } from "@xterm/xterm";

const tokens = {
  background: "--sunken",
  foreground: "--text",
  cursor: "--you",
  cursorAccent: "--sunken",
  selectionBackground: "--ansi-selection",
  black: "--ansi-black",
  red: "--ansi-red",
  green: "--ansi-green",
  yellow: "--ansi-yellow",
  blue: "--ansi-blue",
  magenta: "--ansi-magenta",
  cyan: "--ansi-cyan",
  white: "--ansi-white",
  brightBlack: "--ansi-bright-black",
  brightRed: "--ansi-red",
  brightGreen: "--ansi-green",
  brightYellow: "--ansi-yellow",
  brightBlue: "--ansi-blue",
  brightMagenta: "--ansi-magenta",
  brightCyan: "--ansi-cyan",
  brightWhite: "--text",
} as const satisfies ITheme;

/** As they are now: a token says two colours, and which one holds only an element knows. */
export function readColors(within: HTMLElement): ITheme {
  const probe = document.createElement("i");
  within.append(probe);
  const colors = Object.entries(tokens).map(([name, token]) => {
    probe.style.color = `var(${token})`;
    return [name, toHex(getComputedStyle(probe).color)];
  });
  probe.remove();
  return Object.fromEntries(colors) as ITheme;
}

/** Calls back when the page turns dark or light. */
export function watchTheme(changed: () => void): () => void {
  const query = matchMedia("(prefers-color-scheme: light)");
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  query.addEventListener("change", changed);
  return () => {
    observer.disconnect();
    query.removeEventListener("change", changed);
  };
}

function toHex(color: string): string {
  const parts = /^rgba?\((\d+), (\d+), (\d+)/.exec(color)?.slice(1, 4) ?? ["0", "0", "0"];
  return `#${parts.map((part) => Number(part).toString(16).padStart(2, "0")).join("")}`;
}
