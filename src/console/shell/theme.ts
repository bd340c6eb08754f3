// Dark or light: the system's choice until somebody makes their own.

import { keepPreference, readPreference } from "./preferences.ts";

type Theme = "dark" | "light";

export function applyTheme(): void {
  const kept = readPreference("theme");
  if (kept === "dark" || kept === "light") document.documentElement.dataset["theme"] = kept;
}

export function toggleTheme(): void {
  const next: Theme = themeNow() === "dark" ? "light" : "dark";
  document.documentElement.dataset["theme"] = next;
  keepPreference("theme", next);
}

function themeNow(): Theme {
  const chosen = document.documentElement.dataset["theme"];
  if (chosen === "dark" || chosen === "light") return chosen;
  return matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark";
}
