// What this person chose on this machine: kept in the browser, and lost without harm.

/** Also where the browser keeps nothing, as in a private window: then a choice lasts as long as the page. */
const chosen = new Map<string, string>();

export function readPreference(name: string): string | null {
  const own = chosen.get(name);
  if (own !== undefined) return own;
  try {
    return localStorage.getItem(`signalbox.${name}`);
  } catch {
    return null;
  }
}

export function keepPreference(name: string, value: string): void {
  chosen.set(name, value);
  try {
    localStorage.setItem(`signalbox.${name}`, value);
  } catch {
    // It is in the map.
  }
}
