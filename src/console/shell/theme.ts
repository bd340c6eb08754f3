// How the page looks: dark or light, the system's choice until somebody makes their own; and how much room rows have.

import { useSyncExternalStore } from "react";
import { keepPreference, readPreference } from "./preferences.ts";

export const themes = ["system", "dark", "light"] as const;
export type Theme = (typeof themes)[number];
export const densities = ["roomy", "dense"] as const;
export type Density = (typeof densities)[number];

const listeners = new Set<() => void>();

export function applyTheme(): void {
  const { dataset } = document.documentElement;
  const theme = chosenTheme();
  if (theme === "system") delete dataset["theme"];
  else dataset["theme"] = theme;
  dataset["density"] = chosenDensity();
  for (const listener of listeners) listener();
}

export function chooseTheme(theme: Theme): void {
  keepPreference("theme", theme);
  applyTheme();
}

export function chooseDensity(density: Density): void {
  keepPreference("density", density);
  applyTheme();
}

export function toggleTheme(): void {
  chooseTheme(themeNow() === "dark" ? "light" : "dark");
}

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, chosenTheme);
}

export function useIsDense(): boolean {
  return useSyncExternalStore(subscribe, () => chosenDensity() === "dense");
}

function chosenTheme(): Theme {
  const kept = readPreference("theme");
  return kept === "dark" || kept === "light" ? kept : "system";
}

function chosenDensity(): Density {
  return readPreference("density") === "dense" ? "dense" : "roomy";
}

function themeNow(): "dark" | "light" {
  const chosen = chosenTheme();
  if (chosen !== "system") return chosen;
  return matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark";
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
