// What a command said, as text that can be shown: colours and cursor movements go, and what is left of controls is named.

import { toVisible } from "./visible-text.ts";

// oxlint-disable-next-line no-control-regex -- escape sequences are what this finds
const sequences = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;

export function toPlainOutput(base64: string): string {
  const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  return new TextDecoder()
    .decode(bytes)
    .replaceAll(sequences, "")
    .split(/\r*\n/)
    .map((line) => toVisible(afterLastReturn(line)))
    .join("\n")
    .replace(/\n+$/, "");
}

/** A progress bar writes its line again and again: the last time is what is seen. */
function afterLastReturn(line: string): string {
  return line.slice(line.lastIndexOf("\r") + 1);
}
