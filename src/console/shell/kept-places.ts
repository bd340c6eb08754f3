// Whoever goes back finds the page and every list in it where they left it, also where what is in a list comes only later. Whoever comes
// another way begins at the top. It looks at scrolling from outside, so that no list has to think of it.

import { cameBack, changed } from "./address.ts";

const addressesMax = 50;
/** A list that has not become as long as it was by then is left as far down as it goes. */
const patienceMs = 5000;
/** Whoever does something is not moved any more. */
const signsOfLife = ["wheel", "touchstart", "pointerdown", "keydown"] as const;

type Places = ReadonlyMap<string, number>;

/** How far each list was scrolled, by address and list. */
const kept = new Map<string, Map<string, number>>();
let wanted = new Map<string, number>();
let patience: ReturnType<typeof setTimeout> | undefined;

/** Called once, for as long as the page is open. */
export function keepPlaces(): void {
  let path = location.pathname;
  let address = here();
  const restorer = new MutationObserver(() => restore(isTall));
  const end = (): void => {
    if (wanted.size === 0) return;
    restorer.disconnect();
    clearTimeout(patience);
    wanted = new Map();
  };
  const begin = (places: Places): void => {
    end();
    wanted = new Map(places);
    if (wanted.size === 0) return;
    restorer.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ["style"] });
    patience = setTimeout(() => {
      restore(() => true);
      end();
    }, patienceMs);
  };
  addEventListener("popstate", () => {
    // On the same page, where something was opened beside it, nothing was left.
    if (location.pathname !== path) begin(kept.get(here()) ?? new Map<string, number>());
    path = location.pathname;
    address = here();
  });
  addEventListener(changed, () => {
    end();
    if (location.pathname === path) takeAlong(address);
    else if (!cameBack()) goToTop();
    path = location.pathname;
    address = here();
  });
  for (const sign of signsOfLife) addEventListener(sign, end, { passive: true, capture: true });
  // Scrolling does not bubble.
  document.addEventListener("scroll", ({ target }) => keep(target), { passive: true, capture: true });
}

/** The page says something else of itself, and nothing in it has moved. */
function takeAlong(from: string): void {
  const places = kept.get(from);
  if (places !== undefined) put(here(), new Map(places));
}

function keep(target: EventTarget | null): void {
  const list = nameOf(target);
  // What is still to be restored was clamped, and not scrolled by anybody.
  if (list === undefined || wanted.has(list)) return;
  const top = target instanceof HTMLElement ? target.scrollTop : scrollY;
  const places = kept.get(here()) ?? new Map<string, number>();
  put(here(), places.set(list, top));
}

function put(address: string, places: Map<string, number>): void {
  kept.delete(address);
  kept.set(address, places);
  for (const oldest of kept.keys()) {
    if (kept.size <= addressesMax) break;
    kept.delete(oldest);
  }
}

function restore(isReady: (element: HTMLElement, top: number) => boolean): void {
  for (const [list, top] of wanted) {
    const element = find(list);
    if (element === undefined || !isReady(element, top)) continue;
    wanted.delete(list);
    element.scrollTo({ top });
  }
}

function isTall({ scrollHeight, clientHeight }: HTMLElement, top: number): boolean {
  return scrollHeight - clientHeight >= top;
}

function goToTop(): void {
  document.getElementById("main")?.scrollTo({ top: 0 });
  scrollTo({ top: 0 });
}

/** The page, or a list by its panel and its class; undefined for what follows its own end, and for what floats above the page. */
function nameOf(target: EventTarget | null): string | undefined {
  if (target === document) return "page";
  if (!(target instanceof HTMLElement) || !target.isConnected || target.dataset["following"] !== undefined)
    return undefined;
  if (target.closest("main") === null) return undefined;
  const panel = target.closest<HTMLElement>("[data-panel]")?.dataset["panel"] ?? "";
  const [look = ""] = target.classList;
  // A field of a form has no class, and is no list.
  if (look === "" && panel !== "") return undefined;
  const list = { panel, look };
  return `${panel} ${look} ${listsLike(list).indexOf(target)}`;
}

function find(name: string): HTMLElement | undefined {
  if (name === "page") return document.documentElement;
  const [panel = "", look = "", at = "0"] = name.split(" ");
  return listsLike({ panel, look })[Number(at)];
}

function listsLike({ panel, look }: { readonly panel: string; readonly look: string }): HTMLElement[] {
  const main = document.getElementById("main");
  if (main === null) return [];
  if (panel === "" && look === "") return [main];
  const scope = panel === "" ? "" : `[data-panel="${CSS.escape(panel)}"] `;
  return [...main.querySelectorAll<HTMLElement>(`${scope}.${CSS.escape(look)}`)];
}

function here(): string {
  return location.pathname + location.search;
}
