// How the page looks: dark or light, the system's choice until somebody makes their own; how much room rows have; and how
// times are written.

import { useSyncExternalStore } from "react";
import { keepPreference, readPreference } from "./preferences.ts";

export const themes = ["system", "dark", "light"] as const;
export type Theme = (typeof themes)[number];
export const densities = ["roomy", "dense"] as const;
export type Density = (typeof densities)[number];
export const timeWays = ["ago", "clock"] as const;
export type TimeWay = (typeof timeWays)[number];

const listeners = new Set<() => void>();

export function applyTheme(): void {
  const { dataset } = document.documentElement;
  const theme = chosenTheme();
  if (theme === "system") delete dataset["theme"];
  else dataset["theme"] = theme;
  dataset["density"] = chosenDensity();
  dataset["times"] = isByClock() ? "clock" : "ago";
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

export function chooseTimeWay(way: TimeWay): void {
  keepPreference("times", way);
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

/** Whether times are those of the clock, and not how long ago they were. */
export function useIsByClock(): boolean {
  return useSyncExternalStore(subscribe, isByClock);
}

function isByClock(): boolean {
  return readPreference("times") === "clock";
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
