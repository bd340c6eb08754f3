// What this person chose on this machine: kept in the browser, and lost without harm.

export function readPreference(name: string): string | null {
  try {
    return localStorage.getItem(`signalbox.${name}`);
  } catch {
    return null;
  }
}

export function keepPreference(name: string, value: string): void {
  try {
    localStorage.setItem(`signalbox.${name}`, value);
  } catch {
    // A private window: the choice lasts as long as the page.
  }
}
