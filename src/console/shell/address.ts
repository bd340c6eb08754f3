// What the address says: place, project, signal, search and the open run. A view can be shared, and back goes back.

import { useSyncExternalStore } from "react";
import { isTone, type Tone } from "../model/signals.ts";

export const places = ["overview", "locks", "events"] as const;
export type Place = (typeof places)[number];

export type Address = {
  readonly place: Place;
  /** Name of the only project that is shown. */
  readonly project: string | null;
  readonly tone: Tone | null;
  readonly find: string;
  /** Id of the run whose sheet is open. */
  readonly run: string | null;
};

const changed = "signalbox:address";
let last: { readonly href: string; readonly address: Address } | undefined;

export function readAddress(): Address {
  const { href } = location;
  if (last?.href !== href) last = { href, address: parseAddress(new URL(href)) };
  return last.address;
}

export function useAddress(): Address {
  return useSyncExternalStore(subscribe, readAddress);
}

/** Goes there. A filter replaces the entry of the history, because nobody wants to go back letter by letter. */
export function goTo(change: Partial<Address>, how: "push" | "replace" = "push"): void {
  const href = toHref({ ...readAddress(), ...change });
  if (href === `${location.pathname}${location.search}`) return;
  if (how === "push") history.pushState(null, "", href);
  else history.replaceState(null, "", href);
  dispatchEvent(new Event(changed));
}

export function toHref(address: Address): string {
  const query = new URLSearchParams();
  if (address.project !== null) query.set("project", address.project);
  if (address.tone !== null) query.set("signal", address.tone);
  if (address.find !== "") query.set("find", address.find);
  if (address.run !== null) query.set("run", address.run);
  const path = address.place === "overview" ? "/" : `/${address.place}`;
  const text = query.toString();
  return text === "" ? path : `${path}?${text}`;
}

export function parseAddress(url: URL): Address {
  const query = url.searchParams;
  const name = url.pathname.slice(1);
  const tone = query.get("signal");
  return {
    place: places.find((place) => place === name) ?? "overview",
    project: query.get("project"),
    tone: isTone(tone) ? tone : null,
    find: query.get("find") ?? "",
    run: query.get("run"),
  };
}

function subscribe(listener: () => void): () => void {
  addEventListener("popstate", listener);
  addEventListener(changed, listener);
  return () => {
    removeEventListener("popstate", listener);
    removeEventListener(changed, listener);
  };
}
