import { useSyncExternalStore } from "react";

const narrow = "(max-width: 719px)";

/** Whether the page is as narrow as a phone: rows are higher there. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(narrow).matches);
}

function subscribe(listener: () => void): () => void {
  const query = matchMedia(narrow);
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
}
