// Keys that act. Single letters can be switched off: speech input and slips of the hand would press them, too.

import { useEffectEvent, useLayoutEffect, useState } from "react";
import { keepPreference, readPreference } from "./preferences.ts";

/** What a key does now. Names are `J`, `?`, `Enter`, `Escape`. */
export type Bindings = Readonly<Record<string, (() => void) | undefined>>;

let lettersOn = readPreference("letters") !== "off";

/** Listens while the component is there. With a function, what keys do is found out when one is pressed. */
export function useKeys(bindings: Bindings | (() => Bindings)): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (!isMeant(event)) return;
    const name = event.key.length === 1 ? event.key.toUpperCase() : event.key;
    const act = (typeof bindings === "function" ? bindings() : bindings)[name];
    if (act === undefined) return;
    event.preventDefault();
    act();
  });
  // In the moment in which what the key stands on is there, not some time after it.
  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent): void => press(event);
    addEventListener("keydown", listener);
    return () => removeEventListener("keydown", listener);
  }, []);
}

export function useLetters(): readonly [boolean, (on: boolean) => void] {
  const [on, setOn] = useState(lettersOn);
  const set = (next: boolean): void => {
    lettersOn = next;
    keepPreference("letters", next ? "on" : "off");
    setOn(next);
  };
  return [on, set];
}

/** Not while somebody writes, answers a dialog, presses a combination of the browser's, or a button has the key. */
function isMeant(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return false;
  if (event.key.length === 1 && !lettersOn) return false;
  if (document.querySelector("dialog[open]") !== null) return false;
  if (event.key === "Escape") return true;
  const isIn = (selector: string): boolean =>
    event.target instanceof Element && event.target.closest(selector) !== null;
  return (
    !isIn("input:not([type=checkbox], [type=range]), textarea, select") &&
    (event.key !== "Enter" || !isIn("a, button, summary"))
  );
}
