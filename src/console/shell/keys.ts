// Keys that act. Single letters can be switched off: speech input and slips of the hand would press them, too.

import { useEffectEvent, useLayoutEffect, useState } from "react";
import { keepPreference, readPreference } from "./preferences.ts";

/** What a key does now. Names are `J`, `?`, `Enter`, `Escape`, `Shift+J`. */
export type Bindings = Readonly<Record<string, (() => void) | undefined>>;

/** What everybody listens for who is there, for the sheet of keys: nobody can listen for a key and keep it to themselves. */
const listening = new Set<() => Bindings>();

/** Keys that go on for as long as they are held. Any other acts once: a finger that rests on `R` retries no run ten times. */
const walking = /^([JK,.]|Arrow.+|Page.+)$/;

let lettersOn = readPreference("letters") !== "off";

/** Listens while the component is there. With a function, what keys do is found out when one is pressed. */
export function useKeys(bindings: Bindings | (() => Bindings)): void {
  const read = useEffectEvent((): Bindings => (typeof bindings === "function" ? bindings() : bindings));
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (!isMeant(event)) return;
    const name = event.key.length === 1 ? event.key.toUpperCase() : event.key;
    const now = read();
    const act = (event.shiftKey ? now[`Shift+${name}`] : undefined) ?? now[name];
    if (act === undefined) return;
    event.preventDefault();
    if (!event.repeat || walking.test(name)) act();
  });
  // In the moment in which what the key stands on is there, not some time after it.
  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent): void => press(event);
    const own = (): Bindings => read();
    addEventListener("keydown", listener);
    listening.add(own);
    return () => {
      removeEventListener("keydown", listener);
      listening.delete(own);
    };
  }, []);
}

/** A browser presses a button again and again for as long as Enter is down on it. Called once, for as long as the page is open. */
export function pressOnce(): void {
  const listener = (event: KeyboardEvent): void => {
    const isOn = event.target instanceof Element && event.target.closest("a, button, summary") !== null;
    if (event.repeat && event.key === "Enter" && isOn) event.preventDefault();
  };
  addEventListener("keydown", listener, { capture: true });
}

/** Every key that does something at this moment. */
export function keysNow(): ReadonlySet<string> {
  return new Set(
    [...listening].flatMap((read) => Object.entries(read()).flatMap(([key, act]) => (act === undefined ? [] : [key]))),
  );
}

/** The keys that go through every list, table and diff. From nowhere the first is gone to, or backwards the last. */
export function moveKeys(count: number, at: number, go: (to: number) => void): Bindings {
  const last = count - 1;
  if (last < 0) return {};
  return {
    J: () => go(Math.min(last, at + 1)),
    K: () => go(at < 0 ? last : Math.max(0, at - 1)),
    "Shift+J": () => go(last),
    "Shift+K": () => go(0),
    Home: () => go(0),
    End: () => go(last),
  };
}

/** In a table also these; `page` is how many rows one goes by page. */
export function tableKeys(count: number, at: number, page: number, go: (to: number) => void): Bindings {
  const last = count - 1;
  const { J, K, ...ends } = moveKeys(count, at, go);
  if (last < 0) return {};
  return {
    ...{ ...ends, J, K, ArrowDown: J, ArrowUp: K },
    PageDown: () => go(Math.min(last, at + page)),
    PageUp: () => go(Math.max(0, at - page)),
  };
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
  // A slider goes to its own ends.
  if (isIn("input[type=range]") && /^(Home|End|Page)/.test(event.key)) return false;
  return (
    !isIn("input:not([type=checkbox], [type=range]), textarea, select") &&
    (event.key !== "Enter" || !isIn("a, button, summary"))
  );
}
