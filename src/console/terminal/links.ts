// Addresses in what a terminal shows. Programs write whatever they like, so an address is what can be read and nothing else:
// a link that says one thing and leads to another is not followed, and a click alone opens nothing.

import type { IDisposable, ILink, Terminal } from "@xterm/xterm";

const address = /https?:\/\/[^\s"'<>`{}|\\^]+/g;
/** Ends of sentences and of brackets are rarely a part of it. */
const ending = /[.,;:!?)\]]+$/;

export function findAddresses(text: string): { readonly at: number; readonly url: string }[] {
  return [...text.matchAll(address)].flatMap((match) => {
    const url = match[0].replace(ending, "");
    return URL.canParse(url) ? [{ at: match.index, url }] : [];
  });
}

export function offerLinks(terminal: Terminal, open: (url: string) => void): IDisposable {
  return terminal.registerLinkProvider({
    provideLinks: (row, answer) => {
      const text = terminal.buffer.active.getLine(row - 1)?.translateToString(true) ?? "";
      const links = findAddresses(text).map(({ at, url }): ILink => {
        return {
          range: { start: { x: at + 1, y: row }, end: { x: at + url.length, y: row } },
          text: url,
          activate: ({ ctrlKey, metaKey }) => {
            if (ctrlKey || metaKey) open(url);
          },
        };
      });
      answer(links.length === 0 ? undefined : links);
    },
  });
}
