// What a command said, as text that can be shown: colours and cursor movements go, and what is left of controls is named.

import { toVisible } from "./visible-text.ts";

// oxlint-disable-next-line no-control-regex -- escape sequences are what this finds
const sequences = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;

export function toPlainOutput(base64: string): string {
  const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  return toPlainText(new TextDecoder().decode(bytes));
}

export function toPlainText(text: string): string {
  return text
    .replaceAll(sequences, "")
    .split(/\r*\n/)
    .map((line) => toVisible(afterLastReturn(line)))
    .join("\n")
    .replace(/\n+$/, "");
}

/** The same of one line, without its end. */
export function toPlainLine(line: string): string {
  return toVisible(afterLastReturn(line.replaceAll(sequences, "").replace(/\r+$/, "")));
}

/** A progress bar writes its line again and again: the last time is what is seen. */
function afterLastReturn(line: string): string {
  return line.slice(line.lastIndexOf("\r") + 1);
}
