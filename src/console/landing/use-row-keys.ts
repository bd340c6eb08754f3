// Letters that go through everything on the page of landings: what went back, what is on its way, what has landed, and the trash. The
// row that has the focus is the one that letters act on.

import { goTo, readAddress } from "../shell/address.ts";
import { moveKeys, useKeys } from "../shell/keys.ts";

const rowsOf = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(".landing-place [data-step]")];

export function useRowKeys(): void {
  useKeys(() => {
    const rows = rowsOf();
    const focused = document.activeElement?.closest<HTMLElement>(".landing-place [data-step]") ?? null;
    // Who came by the address of a conflict begins there.
    const { of } = readAddress();
    const at = rows.findIndex((row) =>
      focused === null ? of !== null && row.dataset["conflict"] === of : row === focused,
    );
    const press = (selector: string): (() => void) | undefined => {
      const found = focused?.querySelector<HTMLElement>(selector) ?? null;
      return found === null ? undefined : () => found.click();
    };
    const open = press("a[href^='/runs/']");
    return {
      ...moveKeys(rows.length, at, (to) => goToRow(rows[to])),
      ...{ Enter: open, O: open },
      ...{ R: press("[aria-keyshortcuts=R]:enabled"), E: press("[aria-keyshortcuts=E]:enabled") },
    };
  });
}

/** A conflict opens, with all of its sides, when one comes to it. */
function goToRow(row: HTMLElement | undefined): void {
  if (row === undefined) return;
  row.focus();
  row.scrollIntoView({ block: "nearest" });
  const { conflict } = row.dataset;
  if (conflict !== undefined) goTo({ of: conflict }, "replace");
}
