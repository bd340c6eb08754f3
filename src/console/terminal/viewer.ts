// Who this window is to the others in a terminal. A window that is loaded again is the same one, and keeps the keyboard.

const key = "signalbox.viewer";
let made: string | undefined;

export function viewerOfWindow(): string {
  made ??= readOrMake();
  return made;
}

export function nameOfWindow(): string {
  return `browser ${viewerOfWindow().slice(0, 4)}`;
}

function readOrMake(): string {
  const fresh = Array.from(crypto.getRandomValues(new Uint8Array(9)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
  try {
    const kept = sessionStorage.getItem(key) ?? fresh;
    sessionStorage.setItem(key, kept);
    return kept;
  } catch {
    // A window that may keep nothing is another one each time.
    return fresh;
  }
}
